r"""CSV that a spreadsheet cannot be hurt by, and that reads back exactly.

Written: UTF-8 without a byte-order mark, `\n`, every text cell quoted, numbers bare, None as an empty cell, true and
false in words. A text that a spreadsheet could run as a formula (`=`, `+`, `-`, `@`, tab or line end first, also after
spaces, quotes or invisible characters, also in full width) gets one apostrophe in front, unless it is a plain number
such as `-0.5`. A text that only looks as if we had done so gets one too: so taking one off again is always right.
NaN and infinity are refused: a figure that does not exist is None, with a reason in another column.

Reading has two ways: `read_own` undoes the above; `read_table` takes anybody's file as it is, and says which line is
wrong. Every value read is text.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chartcite.lab.errors import BadTable, NotWritable

Cell = str | int | float | bool | None
_MAX_CELL_CHARS = 50_000_000
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
# What a spreadsheet may skip before a formula: white space, controls, zero-width characters, a byte-order mark.
_SKIPPED = re.compile(r"[\s\x00-\x1f\x7f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff'\"]*")
_STARTERS = frozenset("=+-@|%\uff1d\uff0b\uff0d\uff20\u2212\ufe63")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One record: the line it begins on (the header is line 1) and its cells by column name."""

    line: int
    cells: Mapping[str, str]


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> int:
    """Write a table; the file appears whole or not at all. Returns the number of rows.

    Raises:
        NotWritable: NaN, infinity, half a surrogate pair, or a row with other columns than those given.
    """
    text, n = csv_text(columns, rows)
    replace_text(path, text)
    return n


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> tuple[str, int]:
    """The text of a table and its number of rows; raises as `write_csv` does."""
    text, n = io.StringIO(newline=""), 0
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([_guarded(c) for c in columns])
    for n, row in enumerate(rows, start=1):
        if set(row) != set(columns):
            raise NotWritable(f"Row {n} has other columns than the table.")
        writer.writerow([_written(row[c], c) for c in columns])
    return text.getvalue(), n


def read_own(path: Path) -> list[dict[str, str]]:
    """A table that `write_csv` wrote, every cell as it was given (numbers and words as text, None as "")."""
    return [{_bared(k): _bared(v) for k, v in row.cells.items()} for row in read_table(path)]


def read_table(path: Path, required: Sequence[str] = (), *, unnamed: bool = False) -> Iterator[TableRow]:
    """Anybody's CSV, as it is. A byte-order mark is dropped; blank lines are skipped.

    Args:
        path: the file.
        required: columns that must be there.
        unnamed: whether one column may have no name, as the row numbers have that pandas writes.

    Raises:
        BadTable: not UTF-8, no header, a repeated, empty or missing column, a row with too many or too few cells, an
            unclosed quote. The message names the line.
    """
    lines = _text(path)
    reader = csv.reader(io.StringIO(lines, newline=""), strict=True)
    before = csv.field_size_limit(_MAX_CELL_CHARS)
    try:
        yield from _records(path, reader, required, unnamed)
    except csv.Error as error:
        line = reader.line_num or 1
        raise BadTable(f"{path.name}, line {line}: not CSV ({error}).", "Check the quotes of that line.") from None
    finally:
        csv.field_size_limit(before)


def replace_text(path: Path, text: str) -> None:
    """Write a file beside its place and move it there, so that a crash leaves the old one.

    A device or a pipe is written to, never replaced; of a link the file that it names is replaced.

    Raises:
        NotWritable: the text holds half a surrogate pair, which no UTF-8 file can.
    """
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotWritable("A cell holds half a surrogate pair, which UTF-8 cannot hold.") from None
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            device.write(content)
        return
    path = path.resolve()
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.write_bytes(content)
    beside.replace(path)


def _records(path: Path, reader: Iterator[list[str]], required: Sequence[str], unnamed: bool) -> Iterator[TableRow]:
    header = next(reader, None)
    if header is None or not any(h.strip() for h in header):
        raise BadTable(f"{path.name}: there is no header line.", f"First line: {','.join(required) or 'column names'}.")
    if len(set(header)) < len(header) or not all(h.strip() or unnamed for h in header):
        raise BadTable(f"{path.name}, line 1: a column name is empty or occurs twice.", "Name each column once.")
    if missing := [c for c in required if c not in header]:
        raise BadTable(f"{path.name}, line 1: no column {', '.join(missing)}.", f"Columns: {', '.join(required)}.")
    line = reader.line_num  # type: ignore[attr-defined]
    for cells in reader:
        begins, line = line + 1, reader.line_num  # type: ignore[attr-defined]
        if not cells:
            continue
        if len(cells) != len(header):
            raise BadTable(
                f"{path.name}, line {begins}: {len(cells)} cells, the header has {len(header)}.",
                "Quote cells that hold a comma.",
            )
        yield TableRow(begins, dict(zip(header, cells, strict=True)))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BadTable(f"There is no file {path.name}.", "Check the path.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadTable(f"{path.name}, line {line}: not UTF-8.", "Save the table as UTF-8.") from None


def _written(value: Cell, column: str) -> str | int | float | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        raise NotWritable(f"Column {column} holds {value}, which is no number.", "Write None, and why beside it.")
    return _guarded(value) if isinstance(value, str) else value


def _risky(text: str) -> bool:
    """Whether a spreadsheet might run it, quotes and skipped characters aside."""
    if _NUMBER.fullmatch(text):
        return False
    skipped = _SKIPPED.match(text)
    rest = text[skipped.end() :] if skipped else text
    return text[:1] in ("\t", "\r", "\n") or rest[:1] in _STARTERS


def _guarded(text: str) -> str:
    return f"'{text}" if _risky(text) else text


def _bared(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _guarded(cell[1:]) == cell else cell
