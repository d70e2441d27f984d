"""JSON Lines: one note a line, streamed; a broken line is a problem of that line alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from chartcite.core.documents import Provenance
from chartcite.core.errors import EmptySource, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.bytes_in import bare_suffix
from chartcite.readers.json_lines import json_lines, parse_object
from chartcite.readers.records import read_record, rename

_SUFFIXES = {".jsonl", ".ndjson"}
_LINES_TO_JUDGE = 100
_FIELD_NAME = re.compile(r"[A-Za-z_][\w .-]{0,39}", re.ASCII)


class JsonLinesReader:
    """Notes as objects with `doc_id, patient_id, time, note_type, text`, or other names through a column map."""

    name = "jsonl"
    hostile = False

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """By suffix; FHIR's NDJSON has been claimed before."""
        return bare_suffix(path) in _SUFFIXES

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield documents and problems line by line.

        Raises:
            EmptySource: no line at all.
            UnsupportedFormat: none of the first 100 lines has a text field, so the file is something else.
        """
        judge = _Judge(options.columns.get("text", "text"))
        lines = 0
        for number, line in json_lines(path, options.encoding):
            lines += 1
            where = f"{name}#{number}"
            try:
                row, charset = parse_object(line, options.encoding)
            except ReadError as error:
                yield from judge.hold(Problem(where, error), {})
                continue
            source = Provenance(name, sha256, f"jsonl; charset={charset}")
            for item in read_record(rename(row, options.columns), where, source):
                yield from judge.hold(item, row)
        if not lines:
            raise EmptySource("the file holds no lines")
        yield from judge.rest()


class _Judge:
    """Holds problems back until a document shows that the file is what it claims to be."""

    def __init__(self, text_field: str) -> None:
        self._text_field = text_field
        self._held: list[Found | Problem] | None = []
        self._fields: dict[str, None] = {}

    def hold(self, item: Found | Problem, row: Mapping[str, object]) -> Iterator[Found | Problem]:
        """Pass the item on now, or later."""
        if self._held is None:
            yield item
            return
        self._held.append(item)
        self._fields.update(dict.fromkeys(row))
        if self._text_field in row:
            self._fields.clear()
        if self._text_field in row or len(self._held) >= _LINES_TO_JUDGE:
            yield from self.rest()

    def rest(self) -> Iterator[Found | Problem]:
        """What is held; refuses a file of objects without the text field."""
        if self._held and self._fields:
            shown = [field for field in self._fields if _FIELD_NAME.fullmatch(field)][:12]
            raise UnsupportedFormat(
                f"no record has the field {self._text_field!r}; fields found: {', '.join(shown) or 'none'}",
                "name the column that holds the text",
            )
        yield from self._held or ()
        self._held = None


READER = JsonLinesReader()
