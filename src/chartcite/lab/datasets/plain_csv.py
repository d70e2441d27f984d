"""The plainest form: a CSV of `question,reference_answer,relevant_ids`, and optionally the documents beside it.

`FOLDER/questions.csv` needs `question`; it may have `id` (else `q1`, `q2`, ... by row), `reference_answer`,
`relevant_ids` (separated by `|` or `;`), `group` and `patient_id`. `FOLDER/documents.csv`, if there, has `id`, `text`
and perhaps `title`. FOLDER may also be the path of the questions' file itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.csv_safe import read_table
from chartcite.lab.datafiles import wanted
from chartcite.lab.dataset import Card, Dataset
from chartcite.lab.errors import BadTable

_SEPARATOR = re.compile(r"\s*[|;]\s*")


class PlainCsv(Dataset):
    """Cases, and a corpus where there is one."""

    card = Card("plain_csv", "your own", "a CSV file of yours")

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The documents, if `documents.csv` is there."""
        path = folder / "documents.csv"
        if not path.is_file():
            return
        for row in read_table(path, ("id", "text")):
            yield CorpusItem(row.cells["id"].strip(), row.cells["text"], row.cells.get("title", ""))

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions, in order."""
        path = folder if folder.is_file() else wanted("plain_csv", folder, "questions.csv")
        seen: set[str] = set()
        for n, row in enumerate(read_table(path, ("question",)), start=1):
            cells = row.cells
            case = cells.get("id", "").strip() or f"q{n}"
            if case in seen or not cells["question"].strip():
                raise BadTable(f"{path.name}, line {row.line}: the question is empty or its id repeated.")
            seen.add(case)
            ids = [doc for doc in _SEPARATOR.split(cells.get("relevant_ids", "").strip()) if doc]
            answer = cells.get("reference_answer", "").strip()
            yield Case(
                case, cells["question"].strip(), references=(answer,) if answer else (),
                relevant=tuple(map(Relevant, dict.fromkeys(ids))), group=cells.get("group", "").strip(),
                patient_id=cells.get("patient_id", "").strip(),
            )  # fmt: skip


DATASET = PlainCsv()
