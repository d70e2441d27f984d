"""The text of a page while it is put together from blocks: headers, paragraphs, rows, and where they stand.

A header is written as Markdown has it, so that it is known for one whatever its words. A row of a table is a unit of
citation. Whatever of a page is left out on purpose is counted by reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from chartcite.core.documents import Span
from chartcite.core.errors import ReadError
from chartcite.readers.left_out import Kind, left_out
from chartcite.readers.page_tables import Piece
from chartcite.readers.table_rows import Row, row_lines

_LONGEST_ROW = 1000
_DEEPEST = 6
_ENDS = (".", "!", "?", ":")
_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}(?:\.\d{1,2})*[.)]|\d{1,2}\.[a-z]\))")
"""What begins an item, and so goes on in nothing."""


@dataclass(slots=True)
class PageText:
    """Blocks go in, in reading order; `text` and `units` come out."""

    pieces: list[str] = field(default_factory=list)
    units: list[Span] = field(default_factory=list)
    length: int = 0
    has_body: bool = False
    left_out: Counter[Kind] = field(default_factory=Counter)
    _last: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.pieces)

    def header(self, title: str, depth: int) -> None:
        """A section's title; `depth` counts from 1, and no deeper than 6 is told apart."""
        self._put(f"{chr(10) if self.length else ''}{'#' * min(depth, _DEEPEST)} {title}")
        self._last = ""

    def line(self, text: str, *, is_unit: bool = False) -> None:
        """A line of the page, whole: it never goes on in the next."""
        if is_unit and len(text) <= _LONGEST_ROW and text.strip():
            start = self.length + len(text) - len(text.lstrip())
            self.units.append(Span(start, self.length + len(text.rstrip())))
        self.has_body = True
        self._put(text)
        self._last = ""

    def paragraph(self, text: str) -> None:
        """A paragraph, of one line or more.

        A blank line keeps it from the next, which would else seem to go on in it: `metformin was stopped` and `40 mg
        twice daily` are two lines of a list. Not behind a colon, which leads to what is below it.
        """
        if not text.strip():
            return
        if self._last.strip() and not self._last.rstrip().endswith(_ENDS) and not _ITEM.match(text):
            self._put("")
        self.line(text)
        self._last = text.rpartition("\n")[2]

    def table(self, rows: Iterable[Row]) -> None:
        """The rows of a table, each a unit."""
        for text, _ in row_lines(list(rows)):
            self.line(text, is_unit=True)

    def put(self, pieces: Iterable[Piece]) -> None:
        """Headers, rows and paragraphs of a page."""
        for piece in pieces:
            if piece.depth:
                self.header(" ".join(piece.text.split()), piece.depth)
            elif piece.is_row:
                self.line(piece.text, is_unit=True)
            else:
                self.paragraph(piece.text)

    def asides(self) -> Iterator[ReadError]:
        """A line for each kind of what was left out."""
        return left_out(self.left_out)

    def _put(self, text: str) -> None:
        self.pieces.append(text + "\n")
        self.length += len(text) + 1
