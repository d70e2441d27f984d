"""BM25 over the postings of one partition; its statistics are the partition's own.

Robertson & Zaragoza (2009), *The Probabilistic Relevance Framework*, eq. 3.15, without the constant factor k1 + 1
(the Lucene form; the ranking is the same), and with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is above zero
even for a term that every passage has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
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
    """Postings grouped by passage; a query term is found by one scan of an integer array.

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
        self._terms = terms
        self._counts = counts.astype(np.float64)
        self._owner = np.repeat(np.arange(self.size), np.diff(offsets))
        lengths = np.bincount(self._owner, weights=self._counts, minlength=self.size)
        mean = (float(lengths.mean()) if self.size else 0.0) or 1.0
        k1, b = parameters.k1, parameters.b
        self._saturation = k1 * (1.0 - b + b * lengths / mean)

    def scores(self, query: Mapping[int, int]) -> NDArray[np.float64]:
        """float64 [n_passages]; 0 where no query term occurs. `query` maps term numbers to counts in the query.

        The sums run in the order of the query, whose last bits must not depend on how the store numbered the terms.
        """
        scores = np.zeros(self.size)
        for number, times in query.items():
            found = np.flatnonzero(self._terms == number)
            if not len(found):
                continue
            idf = self._idf(len(found))
            owner, tf = self._owner[found], self._counts[found]
            scores[owner] += times * idf * tf / (tf + self._saturation[owner])
        return scores

    def idf(self, number: int | None) -> float:
        """ln(1 + (N - n + 0.5) / (n + 0.5)) of a term number; None is a term that no passage has."""
        return self._idf(0 if number is None else int(np.count_nonzero(self._terms == number)))

    def has(self, number: int) -> bool:
        """Whether any passage has the term."""
        return number < len(self._present) and bool(self._present[number])

    @cached_property
    def _present(self) -> NDArray[np.bool_]:
        present = np.zeros(int(self._terms.max(initial=-1)) + 1, dtype=np.bool_)
        present[self._terms] = True
        return present

    def _idf(self, n: int) -> float:
        return float(np.log(1.0 + (self.size - n + 0.5) / (n + 0.5)))
