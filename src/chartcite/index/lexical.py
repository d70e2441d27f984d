"""BM25 over the postings of one partition; its statistics are the partition's own.

Robertson & Zaragoza (2009), *The Probabilistic Relevance Framework*, eq. 3.15, without the constant factor k1 + 1
(the Lucene form; the ranking is the same), and with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is above zero
even for a term that every passage has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.stored import Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Bm25:
    """The two free parameters; recorded with every result."""

    k1: float = 1.2
    b: float = 0.75


class LexicalIndex:
    """Scores of passages from postings over rows.

    Args:
        postings: one or more, over the same rows and over different ones of them.
        lengths: int [n_rows], number of terms of each text.
        parameters: k1 and b.
        rows: int32 [n_passages], the row of each passage. A row that is no passage is not there for the statistics
            either. None: every row is the passage of that number.
    """

    def __init__(
        self,
        postings: Sequence[Postings],
        lengths: NDArray[np.int32],
        parameters: Bm25,
        rows: NDArray[np.int32] | None = None,
    ) -> None:
        self.parameters = parameters
        self._postings, self._rows = tuple(postings), rows
        standing = lengths if rows is None else lengths[rows]
        self.size = len(standing)
        mean = (float(standing.mean(dtype=np.float64)) if self.size else 0.0) or 1.0
        k1, b = parameters.k1, parameters.b
        self._saturation = k1 * (1.0 - b + b * lengths / mean)
        self._is_passage: NDArray[np.bool_] | None = None
        if rows is not None:
            self._is_passage = np.zeros(len(lengths), dtype=np.bool_)
            self._is_passage[rows] = True

    def scores(self, query: Mapping[int, float]) -> NDArray[np.float64]:
        """float64 [n_passages]; 0 where no query term occurs. `query` maps term numbers to weights, for a plain query
        the counts in it.

        The sums run in the order of the query, whose last bits must not depend on how the store numbered the terms.
        """
        scores = np.zeros(len(self._saturation))
        for number, times in query.items():
            found = self._find(number)
            weight = times * self._idf(found)
            for rows, counts in found:
                tf = counts.astype(np.float64)
                scores[rows] += weight * tf / (tf + self._saturation[rows])
        return scores if self._rows is None else scores[self._rows]

    def idf(self, number: int | None) -> float:
        """ln(1 + (N - n + 0.5) / (n + 0.5)) of a term number; None is a term that no passage has."""
        return self._idf([] if number is None else self._find(number))

    def has(self, number: int) -> bool:
        """Whether any passage has the term."""
        return self._count(self._find(number)) > 0

    @property
    def nbytes(self) -> int:
        """Memory held."""
        arrays = [a for p in self._postings for a in (p.terms, p.starts, p.rows, p.counts)]
        return sum(a.nbytes for a in arrays) + self._saturation.nbytes

    def _idf(self, found: Sequence[tuple[NDArray[np.int32], NDArray[np.uint16]]]) -> float:
        n = self._count(found)
        return float(np.log(1.0 + (self.size - n + 0.5) / (n + 0.5)))

    def _count(self, found: Sequence[tuple[NDArray[np.int32], NDArray[np.uint16]]]) -> int:
        if self._is_passage is None:
            return sum(len(rows) for rows, _ in found)
        return sum(int(np.count_nonzero(self._is_passage[rows])) for rows, _ in found)

    def _find(self, number: int) -> list[tuple[NDArray[np.int32], NDArray[np.uint16]]]:
        found = []
        for p in self._postings:
            at = int(np.searchsorted(p.terms, number))
            if at < len(p.terms) and p.terms[at] == number:
                these = slice(int(p.starts[at]), int(p.starts[at + 1]))
                found.append((p.rows[these], p.counts[these]))
        return found
