"""longchart: the fictional long records that `chartcite lab generate longchart` writes, with their computed gold.

One note is one item, its text as it stands, so that offsets of the gold spans hold. A note is relevant as in
`qrels.txt`: 2 where it states a needed part of the answer in the first place, 1 for a copy or a supporting note. An
absent question has no relevant note. A narrative is asked as it came: the whole message is the question.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, CorpusItem, GoldSpan, Relevant
from chartcite.lab.choices import letter
from chartcite.lab.datafiles import locate, read_objects
from chartcite.lab.dataset import Card, Dataset, field
from chartcite.lab.errors import MissingData


class Longchart(Dataset):
    """Corpus and cases; splits `dev` and `test`, by patient; the group is the kind of question."""

    card = Card(
        "longchart",
        "Apache-2.0; generated, every person and note is invented",
        "chartcite lab generate longchart",
        note="Invented people in text from templates; says nothing about real records. Split by patient: tune on dev.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The notes, by patient and time."""
        for row in _rows(folder, "notes.jsonl"):
            doc_id, text, patient, time = (_field(row, name) for name in ("doc_id", "text", "patient_id", "time"))
            yield CorpusItem(
                doc_id, text, lang=row.get("lang") or "en", patient_id=patient, time=time,
                note_type=row.get("note_type") or "", encounter_id=row.get("encounter_id") or "",
            )  # fmt: skip

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions, patient by patient and kind by kind."""
        for row in _rows(folder, "questions.jsonl"):
            answer = _field(row, "answer")
            patient = _field(row, "patient_id")
            choices = tuple(row.get("options") or ())
            yield Case(
                _field(row, "id"), _field(row, "question"), _field(row, "split"), references=(_field(answer, "text"),),
                relevant=_relevant(_field(row, "gold")), group=_field(row, "kind"), lang=row.get("lang") or "en",
                patient_id=patient, cluster=patient, as_of=row.get("as_of") or "",
                label=letter(_field(answer, "option")) if choices else "", choices=choices,
                forms=("choice",) if choices else ("open",), spans=_spans(_field(row, "gold")),
                answerable=row.get("answerable", True),
            )  # fmt: skip


def _relevant(gold: list[dict[str, Any]]) -> tuple[Relevant, ...]:
    grades: dict[str, int] = {}
    for span in gold:
        doc_id, needed = _field(span, "doc_id"), _field(span, "part") >= 0 and not _field(span, "copied")
        grades[doc_id] = max(grades.get(doc_id, 0), 2 if needed else 1)
    return tuple(Relevant(doc_id, grade) for doc_id, grade in grades.items())


def _spans(gold: list[dict[str, Any]]) -> tuple[GoldSpan, ...]:
    """Those that say a needed part; copies of the sentence say it as well."""
    return tuple(
        GoldSpan(_field(s, "doc_id"), _field(s, "start"), _field(s, "end"), _field(s, "part"))
        for s in gold
        if _field(s, "part") >= 0
    )


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = locate(folder, name)
    if path is None:
        raise MissingData(
            f"The data set longchart is not in {folder}: there is no {name}.",
            f"Make it, into a folder that is new or empty: chartcite lab generate longchart --out {folder}",
        )
    return read_objects(path)


def _field(row: dict[str, Any], name: str) -> Any:
    return field(row, name, "longchart")


DATASET = Longchart()
