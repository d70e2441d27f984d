"""Probe: one query put to one partition; what several methods need is computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.neural import EncodedQuery, Encoder, SparseEncoder, SparseText
from chartcite.index.port import SearchIndex
from chartcite.index.ranking import Scored
from chartcite.index.sparse import no_sparse_encoder, query_weights
from chartcite.retrieval.akin import AKIN_CHARS, akin
from chartcite.store.reader import PartitionReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Probe", "Scored"]


class Probe:
    """A query against a partition, read inside one snapshot of the store.

    `terms` gives the terms of a query with their weights. `allowed`, bool [n_passages], keeps the search to some
    passages; the statistics stay those of the partition. `sparse` is None without a sparse encoder. `spoken` turns a
    query into what the encoder is given.
    """

    def __init__(
        self,
        query: str,
        index: SearchIndex,
        reader: PartitionReader,
        encoder: Encoder,
        terms: Callable[[str], Mapping[str, float]],
        allowed: NDArray[np.bool_] | None = None,
        sparse: SparseEncoder | None = None,
        spoken: Callable[[str], str] | None = None,
    ) -> None:
        self.query = query
        self.index = index
        self.reader = reader
        self._encoder = encoder
        self._terms = terms
        self._allowed = allowed
        self._sparse = sparse
        self._spoken = spoken

    @cached_property
    def encoded(self) -> EncodedQuery:
        """The query's vectors."""
        return self._encoder.encode_query(self.spoken)

    @property
    def spoken(self) -> str:
        """The query in a language that the models know."""
        return self._spoken(self.query) if self._spoken else self.query

    @property
    def has_sparse(self) -> bool:
        """Whether there is a sparse encoder to search with."""
        return self._sparse is not None

    @cached_property
    def expanded(self) -> SparseText:
        """The query's sparse weights.

        Raises:
            NotConfigured: there is no sparse encoder.
        """
        if self._sparse is None:
            raise no_sparse_encoder()
        return self._sparse.encode_query(self.query)

    @property
    def cut(self) -> int:
        """How many tokens of the query an encoder did not read, the one that read least; 0 while none was asked."""
        asked = [name for name in ("encoded", "expanded") if name in self.__dict__]
        return max((getattr(self, name).cut for name in asked), default=0)

    def lexical_best(self, depth: int) -> list[Scored]:
        """The `depth` best passages by BM25; none that no term of the query occurs in."""
        return self.index.lexical_best(self.reader, self._terms(self.query), depth, self._allowed)

    def dense_best(self, depth: int) -> list[Scored]:
        """The `depth` best passages by cosine, those above zero."""
        return self.index.dense_best(self.reader, self.encoded, depth, self._allowed)

    def sparse_best(self, depth: int) -> list[Scored]:
        """The `depth` best passages by the dot product of sparse weights, those above zero.

        Raises:
            NotConfigured: there is no sparse encoder.
        """
        if self._sparse is None:
            raise no_sparse_encoder()
        terms = query_weights(self._sparse, self.expanded)
        return self.index.sparse_best(self.reader, terms, depth, self._allowed)

    def late(self, passages: Sequence[int]) -> NDArray[np.float64]:
        """MaxSim of some passages; all zero for an encoder without token vectors."""
        if not self._encoder.token_dims:
            return np.zeros(len(passages))
        return self.index.late_scores(self.reader, self.encoded, passages, self._encoder.token_dims)

    def token_vectors(self, passage: int) -> NDArray[np.int8]:
        """The token vectors of one passage, int8 [n_tokens, token_dims]; no rows where there are none."""
        dims = self._encoder.token_dims
        return self.index.token_vectors(self.reader, passage, dims) if dims else np.zeros((0, 0), np.int8)

    def count_tokens(self, text: str) -> int:
        """Tokens of a text as the encoder's tokenizer counts them, special tokens left out."""
        return len(self._encoder.offsets([text])[0])

    def passages_of(self, document: int) -> list[int]:
        """The passages of a document as its text runs, each once; those that the probe may not see left out."""
        passages = self.index.of_document(document)
        return [p for p in passages if self._allowed is None or self._allowed[p]]

    def has_akin(self, term: str) -> bool:
        """Whether the passages have this term, or one that is as good as the same word."""
        numbers = self.reader.terms_starting(term[:AKIN_CHARS])
        having = self.index.having(self.reader, list(numbers.values()))
        return akin(term, {known for known, number in numbers.items() if number in having})

    def holding(self, term: str) -> NDArray[np.bool_]:
        """Bool [size]: which passages have this term, or one that is as good as the same word."""
        held = np.zeros(self.index.size, dtype=np.bool_)
        for known in self.reader.terms_starting(term[:AKIN_CHARS]):
            if akin(term, {known}):
                found = self.index.lexical_best(self.reader, {known: 1.0}, self.index.size, self._allowed)
                held[[passage for passage, _ in found]] = True
        return held

    def asking(self, query: str) -> Probe:
        """Another query put to the same partition."""
        return Probe(
            query, self.index, self.reader, self._encoder, self._terms, sparse=self._sparse, spoken=self._spoken
        )

    def restricted(self, allowed: NDArray[np.bool_]) -> Probe:
        """The same query, kept to some passages."""
        probe = Probe(
            self.query, self.index, self.reader, self._encoder, self._terms, allowed, self._sparse, self._spoken
        )
        probe.__dict__["encoded"] = self.encoded
        if self._sparse is not None:
            probe.__dict__["expanded"] = self.expanded
        return probe

    def idf(self, terms: Sequence[str]) -> dict[str, float]:
        """How rare each term is in this partition; a term it does not have counts as the rarest."""
        return self.index.idf(self.reader, terms)
