"""Tells wrapped prose from remarks of a line each, paragraph by paragraph. Knows widths, not words.

An editor that wraps prose leaves lines of much the same width, and breaks them beside a small word (`the`, `of`, `and`)
about every second time. Remarks end where they please, and neither end with such a word nor begin with one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDE_CHARS: Final = 45
"""From this width on a line without a full stop is taken as wrapped if the next one fits that."""
WIDEST_CHARS: Final = 140
RAGGED: Final = 0.8
"""A wrapped line reaches this share of the full width, the next word included."""
NEVER: Final = 10_000
"""The wrap width of a paragraph of remarks: no line is as wide."""

_FEWEST_LINES = 3
_TIED_SHARE = 0.2


class LineEnd(NamedTuple):
    """The end of a line that a line of prose follows in the same paragraph.

    `width` is the column it ends at, and `full` where it would end with the next word put on it; `small` says that
    the sentence may go on: no full stop, and a small letter next; `tied` says that a small word makes it go on.
    """

    width: int
    full: int
    small: bool
    tied: bool


def wrap_widths(paragraphs: Sequence[Sequence[LineEnd]]) -> list[int]:
    """Return for each paragraph the column at which its lines were wrapped, or `NEVER`."""
    small = [end for ends in paragraphs for end in ends if end.small]
    wrap = max((end.width for end in small if WIDE_CHARS <= end.width <= WIDEST_CHARS), default=0)
    otherwise = wrap if wrap and not _are_remarks(small) else NEVER
    return [_wrap_width(ends, wrap, otherwise) for ends in paragraphs]


def _wrap_width(ends: Sequence[LineEnd], wrap: int, otherwise: int) -> int:
    small = [end for end in ends if end.small]
    width = wrap or max((end.width for end in small), default=0)
    full = sum(end.full >= RAGGED * width for end in ends)
    if len(ends) >= _FEWEST_LINES and 2 * full < len(ends):
        return NEVER
    if len(small) < _FEWEST_LINES:
        return otherwise
    return NEVER if _are_remarks(small) and not _are_filled(ends) else width


def _are_filled(ends: Sequence[LineEnd]) -> bool:
    """Whether no next word would have fitted on any line, as where an editor broke them."""
    widest = max(end.width for end in ends)
    return widest >= WIDE_CHARS and all(end.full > widest for end in ends)


def _are_remarks(small: Sequence[LineEnd]) -> bool:
    return len(small) >= _FEWEST_LINES and sum(end.tied for end in small) < _TIED_SHARE * len(small)
