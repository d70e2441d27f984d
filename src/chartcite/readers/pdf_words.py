"""Words of a page as a PDF sets them, and lines made of them. Geometry only; knows no engine.

Measures are points in the frame in which the text is upright, from the top left corner, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from chartcite.readers.hyphens import LINE_END

WIDE_GAP = 1.5
"""In font sizes: what stands further apart in a line are cells of a row, not words of a sentence."""
CELL_GAP = "   "
_STOPS = tuple(".,;:!?")
_SENTENCE_GAP = 1.5
"""Justified lines are widest where a sentence ends."""

_TOUCHING = 0.25
_HIGHER = 0.15
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾")
_RAISED_FORMS = str.maketrans("0123456789+-\N{MINUS SIGN}\N{EN DASH}()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾")
CAN_BE_RAISED = frozenset("0123456789+-\N{MINUS SIGN}\N{EN DASH}(),")


@dataclass(frozen=True, slots=True)
class Frame:
    """A box in points, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """In points."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Half-way down."""
        return (self.top + self.bottom) / 2

    def around(self, other: Frame) -> Frame:
        """The smallest box that holds both."""
        return Frame(
            min(self.left, other.left), min(self.top, other.top), max(self.right, other.right),
            max(self.bottom, other.bottom),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """What stands between spaces, or a part of it on one line.

    Attributes:
        text: ends with `LINE_END` where its hyphen does.
        hidden: a byte a character, 1 for what cannot be seen.
        at: where it stands in the frame of upright text.
        shown: where it stands on the page as it is shown: left, top, right, bottom as shares of it.
        size: of the font, in points.
        order: its place in the order in which the page paints.
        upright: whether it is set like most text of the page.
        joined: it belongs to the word painted before it, and only its size is another.
        owner: tells the object of the page that paints it from others.
        confidence: of its recognition, where it was read from an image.
    """

    text: str
    hidden: bytes
    at: Frame
    shown: tuple[float, float, float, float]
    size: float
    order: int
    upright: bool = True
    owner: int = 0
    joined: bool = False
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """Words of one line in their order; `gaps[i]` stands before `words[i]`, nothing before the first."""

    words: tuple[Word, ...]
    gaps: tuple[str, ...]
    starts_block: bool = False

    @property
    def text(self) -> str:
        """The line without what a hyphen stands for at its end."""
        return "".join(gap + word.text for gap, word in zip(self.gaps, self.words, strict=True))

    @property
    def box(self) -> Frame:
        """Around all of its words."""
        return box_of(self.words)

    def cells(self) -> list[str]:
        """What wide gaps separate."""
        return self.text.rstrip(LINE_END).split(CELL_GAP)


def box_of(words: Iterable[Word]) -> Frame:
    """Around all words, of which there is one at least."""
    boxes = [word.at for word in words]
    return Frame(
        min(b.left for b in boxes), min(b.top for b in boxes), max(b.right for b in boxes), max(b.bottom for b in boxes)
    )


def line_of(words: list[Word], *, starts_block: bool = False) -> Line:
    """A line of words in their order, with a wide gap where one is."""
    gaps = ["", *(_gap(before, word) for before, word in pairwise(words))]
    return Line(tuple(words), tuple(gaps), starts_block)


def _gap(before: Word, word: Word) -> str:
    below = word.at.top >= before.at.bottom  # the next line of the same cell
    if word.joined and word.order == before.order:
        return ""
    if before.text.endswith(LINE_END) and (below or word.order == before.order + 1):
        return ""
    if below:
        return " "
    gap = max(word.at.left - before.at.right, before.at.left - word.at.right)
    size = max(before.size, word.size)
    if gap < _TOUCHING * size and word.size < before.size and word.text[0] in _RAISED:
        return ""
    wide = WIDE_GAP * size * (_SENTENCE_GAP if before.text.endswith(_STOPS) else 1)
    return CELL_GAP if gap > wide or word.at.bottom <= before.at.top else " "


def stands_raised(base: Frame, size: float, at: Frame, rise: float) -> bool:
    """Whether a smaller word, so much higher, is an exponent, or a note's mark, of the one of that size before it."""
    return _HIGHER * size < rise < size and -size < at.left - base.right < _TOUCHING * size


def raised(text: str) -> str:
    """In raised characters, so that `10` with a raised `3` is never read as 103; as it is if there are none."""
    return text.translate(_RAISED_FORMS) if set(text) <= CAN_BE_RAISED else text
