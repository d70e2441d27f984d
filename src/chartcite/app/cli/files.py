"""Files and streams named on the command line, with every failure named."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chartcite.core.errors import ReadError, UsageError

_MAX_BYTES = 64 << 20
_NO_JSON = "?"  # stands for a line that is no UTF-8: the parser will name it by its number


class UnreadableFile(UsageError):
    """A file named on the command line cannot be read, or is not what it should be."""


def read_text_file(path: Path) -> str:
    """A text file in any usual encoding.

    Raises:
        UnreadableFile: not there, not readable, or not text.
    """
    return _decoded(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; `-` is stdin.

    Raises:
        UnreadableFile: not there, not readable, or larger than 64 MiB.
    """
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(_MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise refused(path, error) from error
    if len(data) > _MAX_BYTES:
        raise UnreadableFile(f"{path} is larger than {_MAX_BYTES >> 20} MiB.", "Check that it is the right file.")
    return data


def read_stdin(max_chars: int) -> str:
    """The text on stdin, cut shortly behind `max_chars` so that whoever checks the length can complain."""
    return _decoded(sys.stdin.buffer.read(4 * max_chars + 4), "stdin").rstrip("\r\n")


def _decoded(data: bytes, name: str) -> str:
    from chartcite.readers.decoding import decode  # noqa: PLC0415

    try:
        return decode(data)[0]
    except ReadError as error:
        raise UnreadableFile(f"{name} is not text.", "Save it as plain text.") from error


def json_object(path: Path) -> Mapping[str, Any]:
    """A file that holds one JSON object.

    Raises:
        UnreadableFile: it does not.
    """
    try:
        value = json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path} is not valid JSON.", "Save it as UTF-8 JSON.") from error
    if not isinstance(value, dict):
        raise UnreadableFile(f"{path} does not hold a JSON object.", "Check that it is the right file.")
    return value


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file one by one; one that is no UTF-8 comes as a line that is no JSON either.

    Raises:
        UnreadableFile: not there or not readable.
    """
    try:
        with path.open("rb") as file:
            for raw in file:
                try:
                    yield raw.decode("utf-8-sig")
                except UnicodeDecodeError:
                    yield _NO_JSON
    except OSError as error:
        raise refused(path, error) from error


def refused(path: Path, error: OSError) -> UnreadableFile:
    """The operating system's complaint about a file, named."""
    return UnreadableFile(f"{path}: {error.strerror or 'cannot be used'}.", "Check the path and its permissions.")
