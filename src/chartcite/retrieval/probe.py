"""Probe: one query put to one partition; what several methods need is computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from chartcite.core.neural import EncodedQuery, Encoder
from chartcite.index.partition import PartitionIndex
from chartcite.retrieval.akin import AKIN_CHARS, akin
from chartcite.store.reader import PartitionReader

if TYPE_CHECKING:
    from numpy.typing import NDArray


_Scores = TypeVar("_Scores", "NDArray[np.float64]", "NDArray[np.float32]")


class Scored(NamedTuple):
    """A passage number and its score in one list."""

    passage: int
    score: float


class Probe:
    """A query against a partition, read inside one snapshot of the store.

    `allowed`, bool [n_passages], keeps the search to some passages; the statistics stay those of the partition.
    """

    def __init__(
        self,
        query: str,
        index: PartitionIndex,
        reader: PartitionReader,
        encoder: Encoder,
        analyse: Callable[[str], Sequence[str]],
        allowed: NDArray[np.bool_] | None = None,
    ) -> None:
        self.query = query
        self.index = index
        self.reader = reader
        self._encoder = encoder
        self._analyse = analyse
        self._allowed = allowed

    @cached_property
    def encoded(self) -> EncodedQuery:
        """The query's vectors."""
        return self._encoder.encode_query(self.query)

    def lexical(self) -> NDArray[np.float64]:
        """BM25 of every passage."""
        return self._masked(self.index.lexical_scores(self.reader, self._analyse(self.query)))

    def dense(self) -> NDArray[np.float32]:
        """Cosine of every passage."""
        return self._masked(self.index.dense_scores(self.encoded))

    def late(self, passages: Sequence[int]) -> NDArray[np.float64]:
        """MaxSim of some passages; all zero for an encoder without token vectors."""
        if not self._encoder.token_dims:
            return np.zeros(len(passages))
        return self.index.late_scores(self.reader, self.encoded, passages, self._encoder.token_dims)

    def token_vectors(self, passage: int) -> NDArray[np.int8]:
        """The token vectors of one passage, int8 [n_tokens, token_dims]; no rows where there are none."""
        dims = self._encoder.token_dims
        return self.index.token_vectors(self.reader, passage, dims) if dims else np.zeros((0, 0), np.int8)

    def has_akin(self, term: str) -> bool:
        """Whether the passages have this term, or one that is as good as the same word."""
        numbers = self.reader.terms_starting(term[:AKIN_CHARS])
        return akin(term, {known for known, number in numbers.items() if self.index.lexical.has(number)})

    def asking(self, query: str) -> Probe:
        """Another query put to the same partition."""
        return Probe(query, self.index, self.reader, self._encoder, self._analyse)

    def restricted(self, allowed: NDArray[np.bool_]) -> Probe:
        """The same query, kept to some passages."""
        probe = Probe(self.query, self.index, self.reader, self._encoder, self._analyse, allowed)
        probe.__dict__["encoded"] = self.encoded
        return probe

    def _masked(self, scores: _Scores) -> _Scores:
        if self._allowed is not None:
            scores[~self._allowed] = 0
        return scores

    def idf(self, terms: Sequence[str]) -> dict[str, float]:
        """How rare each term is in this partition; a term it does not have counts as the rarest."""
        return self.index.idf(self.reader, terms)


def best(scores: NDArray[np.float64] | NDArray[np.float32], depth: int) -> list[Scored]:
    """The best passages with a score above zero, best first, ties in the order of the record."""
    above = np.flatnonzero(scores > 0)
    if len(above) > depth:
        floor = np.partition(scores[above], len(above) - depth)[len(above) - depth]
        above = above[scores[above] >= floor]
    order = above[np.lexsort((above, -scores[above]))][:depth]
    return [Scored(int(i), float(scores[i])) for i in order]
