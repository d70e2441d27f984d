"""The best of many scores, in one fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Scored(NamedTuple):
    """A passage number and its score in one list."""

    passage: int
    score: float


def best(scores: NDArray[np.float64] | NDArray[np.float32], depth: int) -> list[Scored]:
    """The best passages with a score above zero, best first, ties in the order of the record."""
    above = np.flatnonzero(scores > 0)
    return best_of(above, scores[above], depth)


def best_of(passages: NDArray[np.int64], scores: NDArray[np.float64] | NDArray[np.float32], depth: int) -> list[Scored]:
    """The same of some passages only; every score is above zero."""
    if len(passages) > depth:
        floor = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        passages, scores = passages[scores >= floor], scores[scores >= floor]
    order = np.lexsort((passages, -scores))[:depth]
    return list(map(Scored, passages[order].tolist(), scores[order].tolist()))
