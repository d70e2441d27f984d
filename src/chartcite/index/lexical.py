"""BM25 over the postings of one partition; its statistics are the partition's own.

Robertson & Zaragoza (2009), *The Probabilistic Relevance Framework*, eq. 3.15, without the constant factor k1 + 1
(the Lucene form; the ranking is the same), and with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is above zero
even for a term that every passage has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.core.stored import Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Found = Sequence[tuple[NDArray[np.int32], NDArray[np.uint16]]]
    """Rows, ascending, and counts of one term; from each of the postings that have it."""


def holding(idf: float, size: int) -> int:
    """How many of `size` passages have a term, from its idf: the formula above, solved for n."""
    odds = math.expm1(idf)
    return round((size + 0.5 - 0.5 * odds) / (1.0 + odds)) if size else 0


_SLACK = 1 - 1e-5  # what single precision and another order of the sums may cost


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
        self._saturation_32 = self._saturation.astype(np.float32)
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
        All that in single precision; the few rows that remain are scored once more.

        Args:
            query: as in `scores`.
            depth: how many.
            allowed: bool [n_rows]; others are not found, but count in the statistics.
        """
        lists = [(self._find(number), times) for number, times in query.items()]
        terms = [(found, times * self._idf(found)) for found, times in lists if found]
        scores, rest = self._rare_first(terms, depth, allowed)
        bar = self._bar(scores, depth, allowed, 0.0)
        left = sum(weight for _, weight in rest)
        rows = self._above(scores, bar * _SLACK - left, allowed)
        about = scores[rows].astype(np.float64)
        for found, weight in rest:
            self._look_up(about, rows, found, weight)
        if len(rows) > depth:
            rows = rows[about >= np.partition(about, -depth)[-depth] * _SLACK]
        exact = np.zeros(len(rows))
        for found, weight in terms:
            self._look_up(exact, rows, found, weight)
        return rows, exact

    def _rare_first(
        self, terms: Sequence[tuple[_Found, float]], depth: int, allowed: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.float32], list[tuple[_Found, float]]]:
        """Scores by rare terms, in single precision, and the common terms that need only be looked into."""
        ordered = sorted(terms, key=lambda term: -term[1])
        scores = np.zeros(len(self._saturation), np.float32)
        done, left, bar = 0.0, sum(weight for _, weight in ordered), 0.0
        for n, (found, weight) in enumerate(ordered):
            if left < done:  # no score is above what is done
                bar = self._bar(scores, depth, allowed, bar)
                postings = sum(len(rows) for lists, _ in ordered[n:] for rows, _ in lists)
                # A look into a list costs as much as adding some ten of its postings.
                if left < bar and 10 * len(self._above(scores, bar - left, allowed)) * (len(ordered) - n) < postings:
                    return scores, ordered[n:]
            for rows, counts in found:
                tf = counts.astype(np.float32)
                scores[rows] += np.float32(weight) * tf / (tf + self._saturation_32[rows])
            done, left = done + weight, left - weight
        return scores, []

    def _look_up(self, scores: NDArray[np.float64], rows: NDArray[np.int64], found: _Found, weight: float) -> None:
        """Add what a term gives to some rows, ascending."""
        for having, counts in found:
            at = np.searchsorted(having, rows)
            hit = np.flatnonzero(at < len(having))
            hit = hit[having[at[hit]] == rows[hit]]
            scores[hit] += self._parts(weight, rows[hit], counts[at[hit]])

    def _bar(self, scores: NDArray[np.float32], depth: int, allowed: NDArray[np.bool_] | None, least: float) -> float:
        """The `depth`-th best score, which is known to be at least `least`; 0 if there are fewer."""
        found = scores[self._above(scores, least * _SLACK, allowed)]
        return float(np.partition(found, -depth)[-depth]) if len(found) >= depth else 0.0

    def _above(self, scores: NDArray[np.float32], bar: float, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Passages with a score above a bar and above zero, ascending."""
        rows = np.flatnonzero(scores > np.float32(max(0.0, bar)))
        return rows[self._counted(rows, allowed)]

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
        return sum(a.nbytes for a in arrays) + self._saturation.nbytes + self._saturation_32.nbytes

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
