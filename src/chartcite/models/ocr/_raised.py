"""Figures that stand above the line behind a figure: a note's mark, an exponent. `500` and a raised 1 are never 5001.

The network reads them as figures like all others, and is sure of it; only the ink says where they stand.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chartcite.models.ocr._ink import InkRun
    from chartcite.models.ocr._recognition import Glyph

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_RISE, _SMALLER = 0.22, 0.85
"""Of the height of the figure before it: how much higher it ends than that and the line, and how high it is at most.

Typesetters raise by about half of a figure, at two thirds of its size. Old-style figures (`1` beside `5`) are small and
end on the line.
"""


def with_raised(glyphs: Sequence[Glyph], homes: Sequence[InkRun], runs: Sequence[InkRun]) -> list[Glyph]:
    """The characters of a line, with raised forms of figures that stand above it.

    Args:
        glyphs: in order, without spaces.
        homes: the run of ink of each.
        runs: all of the line.
    """
    ground = median(run.bottom for run in runs)
    found: list[Glyph] = []
    base: InkRun | None = None  # of the figure on the line before, while figures follow each other
    for n, (glyph, run) in enumerate(zip(glyphs, homes, strict=True)):
        if not (glyph.character.isascii() and glyph.character.isdigit()):
            base = None
        elif base is not None and _is_alone(n, homes) and _stands_above(run, base, ground):
            found.append(replace(glyph, character=glyph.character.translate(_RAISED)))
            continue
        else:
            base = run
        found.append(glyph)
    return found


def _is_alone(n: int, homes: Sequence[InkRun]) -> bool:
    """Whether no other character shares its ink."""
    return homes[n - 1] is not homes[n] and (n + 1 == len(homes) or homes[n + 1] is not homes[n])


def _stands_above(run: InkRun, base: InkRun, ground: float) -> bool:
    height = base.bottom - base.top
    return min(ground, base.bottom) - run.bottom >= _RISE * height and run.bottom - run.top <= _SMALLER * height
