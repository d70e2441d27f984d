"""CSV and TSV with a header: one note a row, streamed.

A row with too few or too many cells is a problem of that row. A quote that is opened and never closed would swallow
the notes after it; such a row is given up and reading goes on at the next line.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from chartcite.core.documents import Provenance
from chartcite.core.errors import CorruptSource, EmptySource, LimitExceeded, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import MAX_RECORD_BYTES, bare_suffix, chunks, open_maybe_gzip
from chartcite.readers.decoding import Charset, find_charset
from chartcite.readers.records import FIELDS, read_record, rename

_SUFFIXES = {".csv", ".tsv", ".tab"}
_DELIMITERS = ",;\t|"
_COLUMN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,39}")
_OF_A_HEADER = re.compile(
    r"(?i)(?:.*_)?(?:id|date|time|text|texto|nota|notes?|patient|paciente|type|subject|report|title|data|mrn)"
)
"""A first row without any such name may be a note of a table that has no header: it is not repeated."""


@dataclass(frozen=True, slots=True)
class Row:
    """Cells under the header's names; `number` counts rows as a spreadsheet does, the header being 1."""

    number: int
    cells: Mapping[str, str] | None
    error: ReadError | None = None


class CsvReader:
    """Tables with columns `doc_id, patient_id, time, note_type, text`, or other names through a column map."""

    name = "csv"
    hostile = False

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """By suffix; MIMIC's tables have been claimed before."""
        return bare_suffix(path) in _SUFFIXES

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield documents and problems row by row.

        Raises:
            EmptySource: no row below the header.
            UnsupportedFormat: no column for the text.
        """
        charset = charset_of(path, options.encoding)
        source = Provenance(name, sha256, f"csv; charset={charset.name}")
        columns: dict[str, str] | None = None
        for row in table_rows(path, charset, frozenset(options.columns.values())):
            where = f"{name}#{row.number}"
            if row.cells is None:
                yield Problem(where, row.error or CorruptSource("the row is broken"))
                continue
            columns = columns or _columns(list(row.cells), options.columns)
            yield from read_record(rename(row.cells, columns), where, source)
        if columns is None:
            raise EmptySource("the table has no readable row below its header")


def charset_of(path: Path, declared: str = "") -> Charset:
    """The character set of a whole file, in one pass of its own when it must be found."""
    with open_maybe_gzip(path) as stream:
        return find_charset(chunks(stream), declared)


def table_rows(path: Path, charset: Charset, also_known: frozenset[str] = frozenset()) -> Iterator[Row]:
    """Rows below the header. The delimiter is the one that finds most known columns in it, then most columns.

    Raises:
        UnsupportedFormat: two columns for one field: which of them says whose a note is, nobody can tell.
    """
    with (
        open_maybe_gzip(path) as stream,
        io.TextIOWrapper(stream, charset.codec, charset.errors, newline="") as text,
    ):
        first = text.readline(MAX_RECORD_BYTES).removeprefix("\ufeff")
        header, delimiter = split_header(first, also_known)
        times = Counter(column.lower() for column in header)
        if any(times[column.lower()] > 1 for column in (*FIELDS, *also_known)):
            raise UnsupportedFormat("the header has two columns of one name", "give each its own name")
        for number, cells in enumerate(_cells(text, delimiter), start=2):
            if isinstance(cells, ReadError):
                yield Row(number, None, cells)
            elif not cells:  # a blank line, which counts as a row
                continue
            elif len(cells) != len(header):
                problem = CorruptSource(f"the row has {len(cells):,} cells; the header has {len(header):,}")
                yield Row(number, None, problem)
            else:
                yield Row(number, dict(zip(header, cells, strict=True)))


def split_header(line: str, also_known: frozenset[str] = frozenset()) -> tuple[list[str], str]:
    r"""Column names, stripped, and the delimiter between them.

    >>> split_header("doc_id;text\n")
    (['doc_id', 'text'], ';')
    """
    known = also_known | set(FIELDS)
    candidates = [(_header_cells(line, delimiter), delimiter) for delimiter in _DELIMITERS]
    return max(candidates, key=lambda found: (len(known & {cell.lower() for cell in found[0]}), len(found[0])))


def _header_cells(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def _columns(header: list[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """Our field names to the header's, whatever the case of the latter."""
    by_lower = {column.lower(): column for column in reversed(header)}
    names = {field: wanted.get(field, field).lower() for field in FIELDS}
    columns = {field: by_lower[name] for field, name in names.items() if name in by_lower}
    for field in sorted({"text", *wanted} & set(FIELDS)):
        if field not in columns:
            raise UnsupportedFormat(f"no column {wanted.get(field, field)!r} for the field {field}", _shown(header))
    return columns


def _shown(header: list[str]) -> str:
    """The columns there are, unless the first row is a note rather than a header."""
    is_header = all(map(_COLUMN_NAME.fullmatch, header)) and any(map(_OF_A_HEADER.fullmatch, header))
    if not is_header:
        return "the first row must name the columns"
    return f"name it with a column map; the columns are {', '.join(header[:20])}"


def _cells(text: TextIO, delimiter: str) -> Iterator[list[str] | ReadError]:
    """Split rows; a row that cannot be split is one error, and what it had swallowed is read again."""
    lines = _Lines(text)
    while True:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            while True:
                cells = _next_row(reader)
                lines.settle()
                if cells is None:
                    return
                yield cells
        except csv.Error:
            lines.give_up_first()
            yield CorruptSource("a quote in the row is not closed, or is followed by text")
        except LimitExceeded as error:
            lines.give_up_first()
            yield error


def _next_row(reader: Iterator[list[str]]) -> list[str] | None:
    """The next row with cells of any size; Python's limit belongs to the whole process, so it is put back at once."""
    before = csv.field_size_limit(MAX_RECORD_BYTES)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(before)


class _Lines:
    """Feeds lines to one csv reader and remembers those of the row being read."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._again: list[str] = []  # reversed
        self._row: list[str] = []
        self._size = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else self._text.readline(MAX_RECORD_BYTES)
        if not line:
            raise StopIteration
        self._row.append(line)
        self._size += len(line)
        if self._size >= MAX_RECORD_BYTES:
            raise LimitExceeded(f"the row is longer than {MAX_RECORD_BYTES >> 20} MiB, or a quote is not closed")
        return line

    def settle(self) -> None:
        """The row is complete."""
        self._row.clear()
        self._size = 0

    def give_up_first(self) -> None:
        """Drop the row's first line, read the others again."""
        self._again += self._row[:0:-1]
        self.settle()


READER = CsvReader()
