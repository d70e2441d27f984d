"""The ink of a line: runs of columns that hold some, and how far apart they stand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.core.ocr import GreyImage

_MOST_GAP = 1.2
"""Line heights: what is wider is the gap between cells, and says nothing of letters."""
_EVEN_PITCH, _LEAST_SEEN = 0.48, 30
_SAME_SIZE = 0.35


@dataclass(frozen=True, slots=True)
class InkRun:
    """Neighbouring columns with ink: a letter, or some that touch. Half-open columns and rows of a line's image."""

    start: int
    end: int
    top: int = 0
    bottom: int = 0


def ink_runs(line: GreyImage) -> list[InkRun]:
    """From left to right; a sixteenth at top and bottom is left aside, where other lines reach in."""
    edge = line.shape[0] // 16
    inside = line[edge : line.shape[0] - edge]
    dark = inside <= _threshold(inside)
    inked = _without_specks(dark if dark.mean() <= 0.5 else ~dark)
    columns = inked.any(axis=0)
    steps = np.diff(np.concatenate(([0], columns.astype(np.int8), [0])))
    pairs = zip(np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist(), strict=True)
    return [InkRun(start, end, *_rows(inked[:, start:end], edge)) for start, end in pairs]


def _rows(inked: NDArray[np.bool_], edge: int) -> tuple[int, int]:
    """The first row with ink, and the one behind the last."""
    rows = np.flatnonzero(inked.any(axis=1))
    return int(rows[0]) + edge, int(rows[-1]) + 1 + edge


def _without_specks(dark: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Dark pixels with at least three others around them: dust of a fax would fill the gaps between words."""
    padded = np.pad(dark.astype(np.int8), 1)
    rows, columns = dark.shape
    around = sum(padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3))
    return dark & (np.asarray(around) >= 4)


def _threshold(grey: GreyImage) -> int:
    """Half-way between Otsu's (1979), which parts dark from light best, and paper: thin strokes are ink, too."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(np.float64)
    below = np.cumsum(counts)
    above = below[-1] - below
    sums = np.cumsum(counts * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        between = np.nan_to_num(below * above * (sums / below - (sums[-1] - sums) / above) ** 2)
    best = int(between.argmax())
    light = (sums[-1] - sums[best]) / above[best] if above[best] else float(best)
    return int((best + light) / 2)


@dataclass(frozen=True, slots=True)
class Spacing:
    """From which width on a gap is a space, in line heights: between letters, and inside what looks like a number."""

    letters: float
    numbers: float


def line_heights(heights: list[int]) -> list[float]:
    """What gaps are measured by: the usual height of the page's lines for those that are about as high.

    A box is higher where letters reach down, though the font is the same.
    """
    usual = float(np.median(heights)) if heights else 0.0
    return [usual if abs(height / usual - 1) <= _SAME_SIZE else float(height) for height in heights]


def spacing_of(lines: list[tuple[list[InkRun], float]]) -> Spacing:
    """How a page is set, from all its lines (ink, line height).

    Letters of a proportional font stand about equally close, spaces are wider by an eighth of the line; a figure one
    has more room around it than others. In a typewriter's font gaps differ with every letter, but their pitch is one.
    """
    gaps = [
        (later.start - run.end) / height
        for runs, height in lines for run, later in pairwise(runs)
        if later.start - run.end < _MOST_GAP * height
    ]  # fmt: skip
    if not gaps:
        return Spacing(_LETTERS, _NUMBERS)
    pitch = _pitch(lines)
    if pitch:
        return Spacing(0.9 * pitch, 0.9 * pitch)
    # Letters that touch, as on a photocopy, have no gap: it counts as one of none.
    touching = sum(int((run.end - run.start) / (_LETTER * height)) for runs, height in lines for run in runs)
    usual = float(np.median(gaps + [0.0] * touching))
    return Spacing(usual + _LETTERS - _USUAL, usual + _NUMBERS - _USUAL)


_LETTER = 0.62
"""Line heights: a run wider than this is more than one letter."""
_USUAL, _LETTERS, _NUMBERS = 0.07, 0.20, 0.25


def _pitch(lines: list[tuple[list[InkRun], float]]) -> float:
    """The distance between the middles of letters where all have the same, in line heights; 0 where they do not.

    Runs too wide for one letter say nothing of it.

    The resultant of the distances as angles, one turn a pitch: 1 when all are whole pitches, near 0 for any others.
    """
    steps = np.array([
        (later.start + later.end - run.start - run.end) / 2 / height
        for runs, height in lines for run, later in pairwise(runs)
        if later.start - run.end < _MOST_GAP * height and max(run.end - run.start, later.end - later.start) < height / 2
    ])  # fmt: skip
    if len(steps) < _LEAST_SEEN:
        return 0.0
    pitches = np.arange(0.32, 0.66, 0.005)
    even = np.cos(2 * np.pi * steps[:, None] / pitches[None, :]).mean(axis=0)
    best = int(even.argmax())
    return float(pitches[best]) if even[best] >= _EVEN_PITCH else 0.0
