"""Typed rows to files and back: JSONL keeps every type, CSV is the same rows for people and spreadsheets.

A nested value (a tuple, another row) stands in its CSV cell as JSON. JSONL is what a later stage reads.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from chartcite.lab.csv_safe import Cell, replace_text, write_csv
from chartcite.lab.errors import BadTable, NotWritable

Typed = TypeVar("Typed")


def columns_of(kind: type[Any]) -> tuple[str, ...]:
    """The CSV columns of a row type: its fields, in order."""
    return tuple(f.name for f in dataclasses.fields(kind))


def cells_of(row: Any) -> dict[str, Cell]:
    """One row for CSV: plain values as they are, nested ones as JSON."""
    return {name: _cell(getattr(row, name)) for name in columns_of(type(row))}


def write_rows_csv(path: Path, kind: type[Typed], rows: Iterable[Typed]) -> int:
    """Write rows of one type as CSV; an empty table has its header. Returns the number of rows."""
    return write_csv(path, columns_of(kind), map(cells_of, rows))


def write_rows_jsonl(path: Path, rows: Iterable[Any]) -> int:
    """Write rows (dataclasses or mappings), one JSON object a line. Returns their number.

    Raises:
        NotWritable: NaN or infinity.
    """
    lines = [json_line(row) for row in rows]
    replace_text(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def read_rows_jsonl(path: Path, kind: type[Typed]) -> Iterator[Typed]:
    """Rows as they were written, with their types checked.

    Raises:
        BadTable: a line that is no such row; the message names line and field, never a value.
    """
    adapter = TypeAdapter(kind)
    for n, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            yield adapter.validate_json(line)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise BadTable(f"{path.name}, line {n}: {where} is not what a {kind.__name__} holds.") from None


def json_line(row: Any) -> str:
    r"""One row as one line of JSON: fields in order, no NaN; half a surrogate pair stays, escaped.

    >>> json_line({"text": "40 µg", "value": None})
    '{"text": "40 µg", "value": null}'
    """
    content = _plain(row)
    try:
        line = json.dumps(content, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise NotWritable("A row holds NaN or infinity.", "Write None, and why beside it.") from None
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(content, allow_nan=False)
    return line


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode("utf-8-sig").split("\n")
    except FileNotFoundError:
        raise BadTable(f"There is no file {path.name}.", "Check the path.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadTable(f"{path.name}, line {line}: not UTF-8.", "Save the file as UTF-8.") from None


def _plain(value: Any) -> Any:
    """Without our types, and with sets sorted, so that two runs write the same bytes."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(getattr(value, name)) for name in columns_of(type(value))}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value))
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, str | int | float | bool):
        if isinstance(value, float) and not math.isfinite(value):
            raise NotWritable("A row holds NaN or infinity.", "Write None, and why beside it.")
        return value
    return json_line(value)
