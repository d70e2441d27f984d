"""Words of a line: where its characters stand apart on the paper, and where the network itself read a space.

The network was made for Chinese and drops most spaces between English words (`arenoterased`), which would cost a `not`.
It also tells where a character is only to a third of its width. So characters are laid on the runs of ink, in their
order, and the gaps between the runs are measured.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from chartcite.core.ocr import OcrWord
from chartcite.models.ocr._raised import with_raised

if TYPE_CHECKING:
    from chartcite.models.ocr._ink import InkRun, Spacing
    from chartcite.models.ocr._recognition import Glyph
    from chartcite.models.ocr._regions import Box

_MOST_TOGETHER = 14
_LOOK = 6
"""How many characters the count may be off from where they are said to be."""
_BARE, _CROWDED, _OWN_WIDTH = 0.7, 1.5, 0.75
_LETTER = 0.45  # line heights, at most; in a photocopy whole words are one run
_IN_NUMBERS = re.compile(r"[\d.,:/<>=+\-–%~^]{2}")
_JOINS = frozenset("0123456789.,:/<>=+-–^")
_AROUND_HYPHENS, _NEVER = 1.4, 1.0
"""A hyphen leaves room on both sides; inside a range (`3.5-5.1`) only what is as wide as the line is high."""


def words_of(glyphs: list[Glyph], runs: list[InkRun], height: float, spacing: Spacing, box: Box) -> list[OcrWord]:
    """The words of a line in pixels of the page.

    Args:
        glyphs: characters in the order read, with columns of the line's image.
        runs: ink of the same image.
        height: of the page's lines, by which gaps are measured.
        spacing: how the page is set.
        box: where that image is on the page.
    """
    shown = [glyph for glyph in glyphs if not glyph.character.isspace()]
    if not shown or not runs:
        return []
    read_apart = _after_spaces(glyphs)
    home = _laid(shown, runs, height)
    shown = with_raised(shown, [runs[at] for at in home], runs)
    parts: list[list[int]] = [[0]]
    for n, (glyph, later) in enumerate(pairwise(shown), 1):
        gap = _widest(runs[home[n - 1] : home[n] + 1]) / height
        pair = glyph.character + later.character
        least = spacing.numbers if _IN_NUMBERS.fullmatch(pair) else spacing.letters
        if "-" in pair:
            least = _NEVER if _IN_NUMBERS.fullmatch(pair) else _AROUND_HYPHENS * least
        if gap >= least or (n in read_apart and gap >= (0.8 if set(pair) & _JOINS else 0.5) * least):
            parts.append([])
        parts[-1].append(n)
    return [_word([shown[n] for n in part], runs[home[part[0]]], runs[home[part[-1]]], box) for part in parts]


def _widest(runs: list[InkRun]) -> int:
    """The widest gap in some runs; one that no character was laid on is ink all the same."""
    return max((later.start - run.end for run, later in pairwise(runs)), default=0)


def _after_spaces(glyphs: list[Glyph]) -> set[int]:
    """Numbers (spaces not counted) of the characters before which the network read a space."""
    found, count = set(), 0
    for before, glyph in pairwise([None, *glyphs]):
        if glyph is not None and not glyph.character.isspace():
            if before is not None and before.character.isspace():
                found.add(count)
            count += 1
    return found


def _laid(glyphs: list[Glyph], runs: list[InkRun], height: float) -> list[int]:
    """The run of ink of each character, at the least cost: far from its place, crowded, or ink left bare."""
    usual = min(sorted(run.end - run.start for run in runs)[len(runs) // 2], _LETTER * height)
    ways: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    said = 0
    for run in runs:
        width = run.end - run.start
        bare = _BARE * min(1.0, width / usual)
        further: dict[int, tuple[float, tuple[int, ...]]] = {}
        while said < len(glyphs) and glyphs[said].middle < run.end:
            said += 1
        for count, (cost, way) in ways.items():
            far = 0.0
            for many in range(min(_MOST_TOGETHER, len(glyphs) - count) + 1):
                if many:
                    middle = glyphs[count + many - 1].middle
                    far += max(run.start - middle, middle - run.end, 0.0) / height
                crowded = _CROWDED * max(0.0, many * _OWN_WIDTH * usual - width) / height if many > 1 else 0.0
                total = cost + (far + crowded if many else bare)
                known = further.get(count + many)
                if abs(count + many - said) <= _LOOK and (known is None or total < known[0]):
                    further[count + many] = (total, (*way, many))
        ways = further or ways
    # Characters that no ink was found for belong to the last run.
    left, (_, way) = min(ways.items(), key=lambda item: (item[1][0] + len(glyphs) - item[0], -item[0]))
    home = [n for n, many in enumerate(way) for _ in range(many)]
    return home + [len(runs) - 1] * (len(glyphs) - left)


def _word(part: list[Glyph], first: InkRun, last: InkRun, box: Box) -> OcrWord:
    return OcrWord(
        "".join(glyph.character for glyph in part),
        float(box.left + first.start), float(box.top), float(box.left + last.end), float(box.bottom),
        min(glyph.probability for glyph in part),
    )  # fmt: skip
