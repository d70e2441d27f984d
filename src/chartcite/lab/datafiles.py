"""Finding and reading a data set's files. Names the file and line of a fault, never its content."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.csv_safe import read_table
from chartcite.lab.errors import BadTable, MissingData


def locate(folder: Path, *names: str) -> Path | None:
    """The first of the names that exists in the folder, as it is or with `.gz`."""
    for name in names:
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return path
    return None


def wanted(dataset: str, folder: Path, *names: str) -> Path:
    """The first of the names that exists.

    Raises:
        MissingData: none does; one sentence says which was looked for and where.
    """
    path = locate(folder, *names)
    if path is None:
        raise MissingData(
            f"The data set {dataset} is not in {folder}: there is no {' or '.join(names)}.",
            "Point to the folder that holds it; its page in docs/ says where it comes from and under which licence.",
        )
    return path


def read_text(path: Path) -> str:
    """The text of a file, unpacked if its name ends in `.gz`.

    Raises:
        BadTable: not UTF-8, or a damaged archive.
    """
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return content.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise BadTable(f"{path.name} cannot be read ({type(error).__name__}).", "Fetch the file again.") from None


def read_objects(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file.

    Raises:
        BadTable: a line that is no JSON object.
    """
    for n, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise BadTable(f"{path.name}, line {n}: no JSON object.", "One object a line.")
        yield row


def read_object(path: Path) -> dict[str, Any]:
    """A file that is one JSON object.

    Raises:
        BadTable: it is not.
    """
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise BadTable(f"{path.name}: no JSON object.", "Fetch the file again.")
    return content


def read_list(path: Path) -> list[dict[str, Any]]:
    """A file that is a JSON list of objects, or an object of objects (its values), or JSONL.

    Raises:
        BadTable: it is none of these.
    """
    if path.name.removesuffix(".gz").endswith(".jsonl"):
        return list(read_objects(path))
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError):
        content = None
    rows = list(content.values()) if isinstance(content, dict) else content
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadTable(f"{path.name}: no list of JSON objects.", "Fetch the file again.")
    return rows


def read_cells(path: Path, required: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """The rows of a CSV file."""
    return (dict(row.cells) for row in read_table(path, required, unnamed=True))
