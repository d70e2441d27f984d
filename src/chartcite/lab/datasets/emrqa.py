"""emrQA: questions made from templates over i2b2's annotated notes (Pampari et al., EMNLP 2018).

`data.json` has a title for each i2b2 task; a note is a list of lines, a question a list of paraphrases, of which the
first is asked. `evidence_start` is the number of the line, from 1, that holds the answer; that line is the gold span,
and the reference is the answer's words. The notes need their own agreement with n2c2.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, CorpusItem, GoldSpan, Relevant
from chartcite.lab.datafiles import read_object, wanted
from chartcite.lab.dataset import Card, Dataset, field


class Emrqa(Dataset):
    """Corpus (the notes) and cases."""

    card = Card(
        "emrqa",
        "n2c2 data use agreement (notes); the questions' generator is open",
        "github panushri25/emrQA, portal.dbmi.hms.harvard.edu (n2c2)",
        "Pampari et al., EMNLP 2018, emrQA",
        note="From templates: many questions differ in one entity only. Credentialed data.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The notes; one that several tasks annotate stands once for each."""
        for note, lines, _ in _notes(folder):
            yield CorpusItem(note, "".join(lines), patient_id=note)

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions, note by note."""
        for note, lines, asked in _notes(folder):
            starts = [0]
            for line in lines:
                starts.append(starts[-1] + len(line))
            for n, row in enumerate(asked, start=1):
                answers = field(row, "answers", "emrqa")
                texts = dict.fromkeys(str(a["text"]) for a in answers if a.get("text"))
                numbers = dict.fromkeys(k for a in answers for k in _lines_of(a) if 0 < k <= len(lines))
                yield Case(
                    f"{note}/{n}", _first(field(row, "question", "emrqa")), references=tuple(texts),
                    relevant=(Relevant(note),), patient_id=note, forms=("span",), group=note.split("/")[0],
                    spans=tuple(GoldSpan(note, starts[k - 1], starts[k]) for k in numbers),
                )  # fmt: skip


def _lines_of(answer: dict[str, Any]) -> list[int]:
    found = answer.get("evidence_start")
    return [n for n in (found if isinstance(found, list) else [found]) if isinstance(n, int)]


def _first(question: str | list[str]) -> str:
    return question if isinstance(question, str) else question[0]


def _notes(folder: Path) -> Iterator[tuple[str, list[str], list[dict[str, Any]]]]:
    """(id, lines with their ends, questions); lines that have no end of their own get one."""
    for task in field(read_object(wanted("emrqa", folder, "data.json")), "data", "emrqa"):
        for n, note in enumerate(field(task, "paragraphs", "emrqa"), start=1):
            context = field(note, "context", "emrqa")
            lines = context.splitlines(keepends=True) if isinstance(context, str) else context
            whole = [line if line.endswith("\n") else f"{line}\n" for line in lines]
            yield f"{task.get('title', '')}/{note.get('note_id', n)}", whole, field(note, "qas", "emrqa")


DATASET = Emrqa()
