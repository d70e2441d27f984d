"""Connected regions of a map of pixels, with no image library: runs of each row, joined where they touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_RUNS = 60_000
"""A page of text has some thousands; more is a texture, and its rest is left out."""


@dataclass(frozen=True, slots=True)
class Box:
    """Half-open bounds in pixels, and the slope of the line through what is in them (rows a column)."""

    left: int
    top: int
    right: int
    bottom: int
    slope: float

    @property
    def width(self) -> int:
        """Columns."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top


def regions(bitmap: NDArray[np.bool_]) -> list[Box]:
    """Regions of true pixels that touch by side or corner, in the order of their first row, then column.

    Args:
        bitmap: bool [height, width].
    """
    rows, starts, ends = _runs(bitmap)
    parents = _join(rows, starts, ends)
    labels, which = np.unique(parents, return_inverse=True)
    return [_region(rows[which == n], starts[which == n], ends[which == n]) for n in range(len(labels))]


def _runs(bitmap: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    padded = np.zeros((bitmap.shape[0], bitmap.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = bitmap
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    ends = np.nonzero(steps == -1)[1]
    return rows[:_MOST_RUNS], starts[:_MOST_RUNS], ends[:_MOST_RUNS]


def _join(rows: NDArray[np.int64], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the first run of each run's region."""
    parent = list(range(len(rows)))

    def root(n: int) -> int:
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    above, here, row, previous = range(0), 0, -1, range(0)
    starts_of, ends_of = starts.tolist(), ends.tolist()
    for n, line in enumerate(rows.tolist()):
        if line != row:
            previous = range(here, n)
            above = previous if line == row + 1 else range(0)
            row, here = line, n
            at = above.start
        while at < above.stop and ends_of[at] < starts_of[n]:
            at += 1
        look = at
        while look < above.stop and starts_of[look] <= ends_of[n]:
            one, other = sorted((root(look), root(n)))
            parent[other] = one
            look += 1
    return np.array([root(n) for n in range(len(parent))], dtype=np.int64)


def _region(rows: NDArray[np.int64], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Box:
    left, right, weights = int(starts.min()), int(ends.max()), (ends - starts).astype(np.float64)
    middles = (starts + ends - 1) / 2
    mean_x, mean_y = np.average(middles, weights=weights), np.average(rows, weights=weights)
    within = float(np.sum((weights**2 - 1) / 12 * weights))  # of the columns inside each run
    spread = float(np.sum(weights * (middles - mean_x) ** 2)) + within
    together = float(np.sum(weights * (middles - mean_x) * (rows - mean_y)))
    slope = together / spread if spread else 0.0
    return Box(left, int(rows.min()), right, int(rows.max()) + 1, slope)
