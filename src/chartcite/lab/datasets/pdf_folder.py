"""A folder of PDFs and `queries.csv`: the form of the study `grounding_study`, which reads the PDFs itself.

`queries.csv` needs `query` (or `question`); it may have `id` (else `q1`, `q2`, ... by row), `document` (names of the
PDFs that answer it, separated by `|`), `answer` (a phrase that the right chunk holds, word for word) and `answerable`
(`no` for a question that nothing in the folder answers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from chartcite.lab.cases import Case, Relevant
from chartcite.lab.csv_safe import TableRow, read_table
from chartcite.lab.datafiles import wanted
from chartcite.lab.dataset import Card, Dataset
from chartcite.lab.errors import BadTable

NO_ANSWER = "no_answer"
"""`Case.label` of a question that the documents do not answer."""
_SEPARATOR = re.compile(r"\s*[|;]\s*")
_WORDS = {"": "", "yes": "", "no": NO_ANSWER}


class PdfFolder(Dataset):
    """Cases only: PDFs are read by the library's own readers, not here."""

    card = Card("pdf_folder", "your own", "a folder of yours: PDFs, and queries.csv")

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions, in order."""
        path = wanted("pdf_folder", folder, "queries.csv")
        seen: set[str] = set()
        for n, row in enumerate(read_table(path), start=1):
            case = _case(path, row, n)
            if case.id in seen or not case.question:
                raise BadTable(f"{path.name}, line {row.line}: the query is empty or its id repeated.")
            seen.add(case.id)
            yield case


def pdf_files(folder: Path) -> list[Path]:
    """The PDFs below a folder, sorted."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file())


def _case(path: Path, row: TableRow, n: int) -> Case:
    cells: Mapping[str, str] = {name: cell.strip() for name, cell in row.cells.items()}
    if "query" not in cells and "question" not in cells:
        raise BadTable(f"{path.name}, line 1: no column query.", "Columns: query, and perhaps id, document, answer.")
    documents = [name for name in _SEPARATOR.split(cells.get("document", "")) if name]
    said = cells.get("answerable", "").casefold()
    if said not in _WORDS:
        raise BadTable(f"{path.name}, line {row.line}: answerable is neither yes nor no.")
    answer, label = cells.get("answer", ""), _WORDS[said]
    return Case(
        cells.get("id", "") or f"q{n}", cells.get("query") or cells.get("question", ""),
        references=(answer,) if answer else (), relevant=tuple(map(Relevant, dict.fromkeys(documents))), label=label,
        group="no answer in the documents" if label else "",
    )  # fmt: skip


DATASET = PdfFolder()
