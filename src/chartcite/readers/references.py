"""References beside the files: a table that says who wrote which file, and when, for files that do not say it.

Columns: `file` (the file's name as the ledger shows it, or its last part alone if no other file has it) and any of
`title, authors, year, doi, pmid, url`. A value in the table goes before one in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

from chartcite.core.documents import Bibliography, Document
from chartcite.core.errors import CorruptSource, EmptySource
from chartcite.core.reading import Found, Problem
from chartcite.readers.bibliography import FIELDS, read_bibliography
from chartcite.readers.bytes_in import named_errors
from chartcite.readers.csv_table import charset_of, table_rows

_COLUMNS = ("file", "title", *FIELDS)


@dataclass(frozen=True, slots=True)
class Reference:
    """What the table says of one file; empty where it says nothing."""

    title: str = ""
    bibliography: Bibliography = field(default_factory=Bibliography)
    left_out: tuple[Problem, ...] = ()  # cells that are not what their column says

    def applied_to(self, document: Document) -> Document:
        """The document with what the table says of it."""
        own, said = document.bibliography, self.bibliography
        stated = Bibliography(
            said.authors or own.authors, said.year or own.year, said.doi or own.doi, said.pmid or own.pmid,
            said.url or own.url,
        )  # fmt: skip
        return replace(document, title=self.title or document.title, bibliography=stated)


def read_references(path: Path) -> dict[str, Reference]:
    """The table, by what its column `file` says, in its order.

    Raises:
        ReadError: not a table, without the column `file`, or a file twice.
    """
    found: dict[str, Reference] = {}
    with named_errors():
        for row in table_rows(path, charset_of(path), frozenset(_COLUMNS)):
            where = f"row {row.number} of the references"
            if row.cells is None:
                raise row.error or CorruptSource(f"{where} is broken")
            cells = {column.lower(): cell.strip() for column, cell in row.cells.items()}
            if len(cells) < len(row.cells):
                raise CorruptSource("the references name a column twice", "name each column once")
            if "file" not in cells:
                raise CorruptSource("the references have no column file", f"the columns are {', '.join(_COLUMNS)}")
            name = cells["file"]
            if not name or name in found:
                raise CorruptSource(f"{where} names no file, or one that was named before", "one row a file")
            bibliography, problems = read_bibliography({f: cells[f] for f in FIELDS if cells.get(f)})
            left_out = tuple(Problem(where, error, skipped=True) for error in problems)
            found[name] = Reference(" ".join(cells.get("title", "").split()), bibliography, left_out)
    if not found:
        raise EmptySource("the references have no row below a header")
    return found


Row = TypeVar("Row")


def matched(references: Mapping[str, Row], names: Iterable[str]) -> dict[str, Row]:
    """Rows of files by the names of the sources, as the ledger has them; what is of no source is left out."""
    sources = list(names)
    last = Counter(PurePosixPath(name).name for name in sources)
    found = {}
    for name in sources:
        short = PurePosixPath(name).name
        reference = references.get(name) or (references.get(short) if last[short] == 1 else None)
        if reference is not None:
            found[name] = reference
    return found


def with_reference(
    items: Iterator[Found | Problem], name: str, reference: Reference | None
) -> Iterator[Found | Problem]:
    """The same documents; the one that is the whole source `name` with what the table says of it."""
    for item in items:
        if reference is not None and isinstance(item, Found) and item.document.doc_id == name:
            yield replace(item, document=reference.applied_to(item.document))
            yield from reference.left_out
        else:
            yield item
