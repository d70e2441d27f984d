"""How many rows the scan must hand on: measured on the collection's own vectors, asked as queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.index.large.codes import distances, nearest, to_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEPTH = 10
WANTED = 0.97  # of this sample, so that other queries have .95
TRIED = (500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)


@dataclass(frozen=True, slots=True)
class Measured:
    """`rescored` rows give this mean share of the true ten nearest, over so many queries."""

    rescored: int
    recall: float
    queries: int


class Truth:
    """The true nearest rows of some rows' vectors, found while all vectors pass by; a row is not its own neighbour.

    Args:
        rows: int64 [n_queries].
        queries: float32 [n_queries, dims], their vectors.
    """

    def __init__(self, rows: NDArray[np.int64], queries: NDArray[np.float32]) -> None:
        self.rows, self.queries = rows, queries
        self.nearest = np.zeros((len(rows), 0), np.int64)
        self._scores = np.zeros((len(rows), 0), np.float32)

    def see(self, start: int, vectors: NDArray[np.float32]) -> None:
        """Take in the rows from `start` on."""
        scores = self.queries @ vectors.T
        own = self.rows - start
        inside = np.flatnonzero((own >= 0) & (own < len(vectors)))
        scores[inside, own[inside]] = -np.inf
        scores = np.concatenate([self._scores, scores], axis=1)
        numbers = np.broadcast_to(np.arange(start, start + len(vectors)), (len(self.rows), len(vectors)))
        numbers = np.concatenate([self.nearest, numbers], axis=1)
        if scores.shape[1] > DEPTH:
            best = np.argpartition(-scores, DEPTH - 1, axis=1)[:, :DEPTH]
            scores, numbers = np.take_along_axis(scores, best, 1), np.take_along_axis(numbers, best, 1)
        self._scores, self.nearest = scores, numbers

    def measure(
        self,
        bits: NDArray[np.uint64],
        codes: NDArray[np.int8],
        centre: NDArray[np.float32],
        scale: NDArray[np.float32],
    ) -> Measured:
        """The least of some numbers of rows with the recall wanted; all rows, if none of them has it."""
        n, recall, rescored = len(codes), 1.0, len(codes)
        if not len(self.rows):
            return Measured(rescored, recall, 0)
        scans = [distances(bits, word[:, 0]) for word in (to_bits(q[None], centre) for q in self.queries)]
        for rescored in (*[r for r in TRIED if r < n], n):
            found = [self._found(i, nearest(scan, rescored), codes, scale) for i, scan in enumerate(scans)]
            recall = float(np.mean(found))
            if recall >= WANTED:
                break
        return Measured(rescored, recall, len(scans))

    def _found(self, query: int, rows: NDArray[np.int64], codes: NDArray[np.int8], scale: NDArray[np.float32]) -> float:
        true = self.nearest[query][np.isfinite(self._scores[query])]
        rows = rows[rows != self.rows[query]]
        scores = codes[rows].astype(np.float32) @ (self.queries[query] * scale)
        best = rows[np.argsort(-scores, kind="stable")[:DEPTH]]
        return len(np.intersect1d(best, true)) / len(true) if len(true) else 1.0
