"""BM25 over the postings of one partition; its statistics are the partition's own.

Robertson & Zaragoza (2009), *The Probabilistic Relevance Framework*, eq. 3.15, without the constant factor k1 + 1
(the Lucene form; the ranking is the same), and with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is above zero
even for a term that every passage has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Bm25:
    """The two free parameters; recorded with every result."""

    k1: float = 1.2
    b: float = 0.75


class LexicalIndex:
    """Postings sorted by term, so that a query touches only the postings of its own terms.

    Args:
        terms: int64 [n_postings], term numbers grouped by passage.
        counts: uint16 [n_postings], term frequencies.
        offsets: int64 [n_passages + 1].
    """

    def __init__(
        self, terms: NDArray[np.int64], counts: NDArray[np.uint16], offsets: NDArray[np.int64], parameters: Bm25
    ) -> None:
        self.parameters = parameters
        self.size = len(offsets) - 1
        owner = np.repeat(np.arange(self.size, dtype=np.int32), np.diff(offsets))
        lengths = np.bincount(owner, weights=counts, minlength=self.size)
        mean = (float(lengths.mean()) if self.size else 0.0) or 1.0
        k1, b = parameters.k1, parameters.b
        self._saturation = k1 * (1.0 - b + b * lengths / mean)
        order = np.argsort(terms, kind="stable")
        self._owner, self._counts = owner[order], counts[order]
        self._terms, self._starts = np.unique(terms[order], return_index=True)
        self._ends = np.append(self._starts[1:], len(terms))

    def scores(self, query: Mapping[int, int]) -> NDArray[np.float64]:
        """float64 [n_passages]; 0 where no query term occurs. `query` maps term numbers to counts in the query.

        The sums run in the order of the query, whose last bits must not depend on how the store numbered the terms.
        """
        scores = np.zeros(self.size)
        for number, times in query.items():
            postings = self._postings(number)
            owner, tf = self._owner[postings], self._counts[postings].astype(np.float64)
            scores[owner] += times * self.idf(number) * tf / (tf + self._saturation[owner])
        return scores

    def idf(self, number: int | None) -> float:
        """ln(1 + (N - n + 0.5) / (n + 0.5)) of a term number; None is a term that no passage has."""
        found = self._postings(-1 if number is None else number)
        n = found.stop - found.start
        return float(np.log(1.0 + (self.size - n + 0.5) / (n + 0.5)))

    def has(self, number: int) -> bool:
        """Whether any passage has the term."""
        found = self._postings(number)
        return bool(found.stop > found.start)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._owner.nbytes + self._counts.nbytes + self._saturation.nbytes + 3 * self._terms.nbytes

    def _postings(self, number: int) -> slice:
        at = int(np.searchsorted(self._terms, number))
        if at == len(self._terms) or self._terms[at] != number:
            return slice(0, 0)
        return slice(int(self._starts[at]), int(self._ends[at]))
