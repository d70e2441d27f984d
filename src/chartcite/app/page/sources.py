"""A cited document around its span: cut by code points on the server, so that nobody counts in UTF-16."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from chartcite.core.answer import UNSURE_OCR
from chartcite.core.documents import Document, Span
from chartcite.text.stated import units_of

AROUND = 2_500
"""Characters shown on each side of a span beside an answer; the document's own page shows more."""
_LONGEST_LINE_BREAK = 400
PieceKind = Literal["text", "header", "hidden", "unsure", "columns"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the document's text that is shown in one way. Joined in order the pieces are `text[start:end]`."""

    text: str
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a document's text around a span.

    Attributes:
        start, end: of the part, in code points of the document's text.
        pieces: before, in and after the span.
        cut_before, cut_after: characters of the document that are not shown.
    """

    start: int
    end: int
    before: tuple[Piece, ...]
    marked: tuple[Piece, ...]
    after: tuple[Piece, ...]
    cut_before: int
    cut_after: int


def window(document: Document, start: int, end: int, columns: Span | None = None, around: int = AROUND) -> Window:
    """Cut a document around `[start, end)` at line ends.

    Args:
        document: whose text is shown.
        start: of the cited span.
        end: of the cited span.
        columns: the line that names the columns of a cited row; shown apart where it lies in the window.
        around: characters wanted on each side.
    """
    text = document.text
    first = _line_start(text, max(start - around, 0))
    last = _line_end(text, min(end + around, len(text)))
    kinds = _kinds(document, first, last, columns)
    return Window(
        first, last,
        _pieces(text, first, start, kinds),
        _pieces(text, start, end, kinds),
        _pieces(text, end, last, kinds),
        first, len(text) - last,
    )  # fmt: skip


def _line_start(text: str, at: int) -> int:
    found = text.rfind("\n", max(at - _LONGEST_LINE_BREAK, 0), at)
    return found + 1 if found >= 0 else (0 if at <= _LONGEST_LINE_BREAK else at)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at, at + _LONGEST_LINE_BREAK)
    return found + 1 if found >= 0 else (len(text) if len(text) - at <= _LONGEST_LINE_BREAK else at)


Marked = tuple[int, int, PieceKind]


def _kinds(document: Document, first: int, last: int, columns: Span | None) -> list[Marked]:
    """Spans that are shown otherwise than text, the most telling first."""
    found: list[Marked] = [(s.start, s.end, "hidden") for s in document.hidden]
    found += [
        (w.start, w.end, "unsure")
        for w in document.words.between(first, last)
        if w.confidence is not None and w.confidence < UNSURE_OCR
    ]
    if columns:
        found.append((columns.start, columns.end, "columns"))
    found += [
        (first + unit.start, first + unit.end, "header")
        for unit in units_of(document.text[first:last])
        if unit.kind == "header"
    ]
    return [one for one in found if one[0] < last and first < one[1]]


def _pieces(text: str, start: int, end: int, kinds: Iterable[Marked]) -> tuple[Piece, ...]:
    """`text[start:end]` cut wherever a kind begins or ends."""
    over = [one for one in kinds if one[0] < end and start < one[1]]
    cuts = sorted({start, end, *(min(max(at, start), end) for a, b, _ in over for at in (a, b))})
    pieces: list[Piece] = []
    for a, b in pairwise(cuts):
        kind: PieceKind = next((kind for s, e, kind in over if s <= a and b <= e), "text")
        pieces.append(Piece(text[a:b], kind))
    return tuple(pieces)
