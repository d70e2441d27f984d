"""BM25 over the postings of one partition; its statistics are the partition's own.

Robertson & Zaragoza (2009), *The Probabilistic Relevance Framework*, eq. 3.15, without the constant factor k1 + 1
(the Lucene form; the ranking is the same), and with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is above zero
even for a term that every passage has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.core.stored import Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Found = Sequence[tuple[NDArray[np.int32], NDArray[np.uint16]]]
    """Rows, ascending, and counts of one term; from each of the postings that have it."""


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
        """float64 [n_passages]; 0 where no query term occurs.

        `query` maps term numbers to weights, for a plain query the counts in it.
        The sums run in the order of the query, whose last bits must not depend on how the store numbered the terms.
        """
        scores = np.zeros(len(self._saturation))
        for number, times in query.items():
            found = self._find(number)
            weight = times * self._idf(found)
            for rows, counts in found:
                scores[rows] += self._parts(weight, rows, counts)
        return scores if self._rows is None else scores[self._rows]

    def best(
        self, query: Mapping[int, float], depth: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Rows among which are all of the `depth` best, ascending, and their scores, to the bit those of `scores`.

        Rare terms first; once all terms left together cannot lift a row above the `depth`-th best found so far, the
        rows found are completed, and the long lists of common terms are only looked into (Turtle & Flood, 1995, *Query
        evaluation: strategies and optimizations*, MaxScore; a term adds less than its weight, as tf / (tf + s) < 1).

        Args:
            query: as in `scores`.
            depth: how many.
            allowed: bool [n_rows]; others are not found, but count in the statistics.
        """
        lists = [(self._find(number), times) for number, times in query.items()]
        terms = [(found, times * self._idf(found)) for found, times in lists if found]
        scores = np.zeros(len(self._saturation))
        left, bar = sum(weight for _, weight in terms), 0.0
        for found, weight in sorted(terms, key=lambda term: -term[1]):
            if left < bar:
                break
            for rows, counts in found:
                scores[rows] += self._parts(weight, rows, counts)
            left -= weight
            bar = self._bar(scores, depth, allowed)
        # The sums above ran in another order: a little slack, and the scores once more.
        found_rows = np.flatnonzero(scores > max(0.0, (bar - max(left, 0.0)) * (1 - 1e-9)))
        found_rows = found_rows[self._counted(found_rows, allowed)]
        return found_rows, self._complete(found_rows, terms)

    def _complete(self, rows: NDArray[np.int64], terms: Sequence[tuple[_Found, float]]) -> NDArray[np.float64]:
        """The scores of some rows, their sums in the order of the query."""
        scores = np.zeros(len(rows))
        for found, weight in terms:
            for having, counts in found:
                at = np.searchsorted(having, rows)
                hit = np.flatnonzero(at < len(having))
                hit = hit[having[at[hit]] == rows[hit]]
                scores[hit] += self._parts(weight, rows[hit], counts[at[hit]])
        return scores

    def _bar(self, scores: NDArray[np.float64], depth: int, allowed: NDArray[np.bool_] | None) -> float:
        """The `depth`-th best score, 0 if there are fewer."""
        rows = np.flatnonzero(scores)
        found = scores[rows[self._counted(rows, allowed)]]
        return float(np.partition(found, -depth)[-depth]) if len(found) >= depth else 0.0

    def _counted(self, rows: NDArray[np.int64], allowed: NDArray[np.bool_] | None) -> NDArray[np.bool_] | slice:
        if self._is_passage is None:
            return slice(None) if allowed is None else allowed[rows]
        return self._is_passage[rows] if allowed is None else self._is_passage[rows] & allowed[rows]

    def _parts(self, weight: float, rows: NDArray[Any], counts: NDArray[np.uint16]) -> NDArray[np.float64]:
        tf = counts.astype(np.float64)
        parts: NDArray[np.float64] = weight * tf / (tf + self._saturation[rows])
        return parts

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

    def _idf(self, found: _Found) -> float:
        n = self._count(found)
        return float(np.log(1.0 + (self.size - n + 0.5) / (n + 0.5)))

    def _count(self, found: _Found) -> int:
        if self._is_passage is None:
            return sum(len(rows) for rows, _ in found)
        return sum(int(np.count_nonzero(self._is_passage[rows])) for rows, _ in found)

    def _find(self, number: int) -> _Found:
        found: list[tuple[NDArray[np.int32], NDArray[np.uint16]]] = []
        for p in self._postings:
            at = int(np.searchsorted(p.terms, number))
            if at < len(p.terms) and p.terms[at] == number:
                these = slice(int(p.starts[at]), int(p.starts[at + 1]))
                found.append((p.rows[these], p.counts[these]))
        return found
