"""Lines that hold one JSON object each, as JSON Lines and FHIR's NDJSON have them; knows nothing of their fields."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from chartcite.core.errors import CorruptSource, LimitExceeded
from chartcite.readers.bytes_in import HEAD_BYTES, MAX_RECORD_BYTES, numbered_lines, open_maybe_gzip
from chartcite.readers.decoding import Charset, decode, find_charset

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_JSON_TYPES = {bool: "a truth value", int: "a number", float: "a number", list: "a list", dict: "an object"}


def type_name(value: object) -> str:
    """A JSON value's type in words, for messages."""
    known = _JSON_TYPES.get(type(value))
    return known or ("a string" if isinstance(value, str) else "a number" if isinstance(value, float) else "null")


def parse_object(
    line: bytes | None, declared: str = "", decimal: Callable[[str], float] = float
) -> tuple[dict[str, object], str]:
    """A line's JSON object and the name of the character set it was in; `decimal` makes its decimal numbers.

    Raises:
        CorruptSource: not JSON, or not an object; says where, not what.
        LimitExceeded: `line` is None, which stands for a line that is too long.
    """
    if line is None:
        raise LimitExceeded(f"the line is longer than {MAX_RECORD_BYTES >> 20} MiB")
    text, charset = decode(line, declared)
    try:
        value = json.loads(text, parse_float=None if decimal is float else decimal)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise CorruptSource(f"the line is not valid JSON (column {error.colno})") from error
    except UnicodeEncodeError as error:
        raise CorruptSource("the line escapes half a character (a lone surrogate)") from error
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, or lists in lists without end
        raise CorruptSource("the line is not usable JSON") from error
    if not isinstance(value, dict):
        raise CorruptSource(f"the line holds {type_name(value)}; an object is expected")
    return value, charset.name


def json_lines(path: Path, declared: str = "") -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines that are not blank, as bytes; UTF-16 and UTF-32, where a newline is not one byte, become UTF-8."""
    with open_maybe_gzip(path) as stream:
        wide = _wide(stream.read(HEAD_BYTES), declared)
    with open_maybe_gzip(path) as stream:
        lines = _transcoded(stream, wide) if wide else numbered_lines(stream)
        yield from ((number, line) for number, line in lines if line is None or line.strip())


def _wide(head: bytes, declared: str) -> Charset | None:
    charset = find_charset([head], declared) if declared or b"\0" in head or head[:2] in _UTF16_MARKS else None
    return charset if charset and charset.codec.startswith(("utf-16", "utf-32")) else None


def _transcoded(stream: BinaryIO, charset: Charset) -> Iterator[tuple[int, bytes]]:
    with io.TextIOWrapper(stream, charset.codec, newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            yield number, line.removeprefix("\ufeff").rstrip("\r\n").encode()
