"""PartitionIndex: the arrays of one partition, and the scores they give. Knows nothing of ranking or fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.neural import EncodedQuery
from chartcite.core.stored import DocumentInfo, PassageArrays, Recipe
from chartcite.index.late import maxsim
from chartcite.index.lexical import Bm25, LexicalIndex
from chartcite.index.places import Placed, Places
from chartcite.index.ranking import Scored, best
from chartcite.index.sparse import SparseIndex, no_sparse_encoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.index.port import Mask
    from chartcite.store.reader import PartitionReader


class PartitionIndex(Placed):
    """All distinct passage texts of a partition, exact search over them.

    A passage number is a row of the arrays. Equal texts are one passage with several places. `documents` are those that
    may be evidence, oldest first, and `sentences` their number of sentences.
    """

    def __init__(
        self,
        arrays: PassageArrays,
        recipe: Recipe,
        parameters: Bm25,
        documents: Sequence[DocumentInfo] = (),
        sentences: int = 0,
        sparse: SparseIndex | None = None,
    ) -> None:
        self.documents = tuple(documents)
        self.sentences = sentences
        self.recipe = recipe
        self.size = len(arrays.text_keys)
        self.lexical = LexicalIndex([arrays.postings], arrays.lengths, parameters, arrays.rows)
        self._sparse = sparse
        self._keys, self._vectors = arrays.text_keys, arrays.vectors
        self._places = Places(arrays.places, self.size)

    @classmethod
    def build(cls, reader: PartitionReader, recipe: Recipe, parameters: Bm25) -> PartitionIndex:
        """Read a partition's arrays.

        Raises:
            StoreMismatch: some document was never prepared under this recipe.
        """
        arrays, sparse = reader.passages(recipe), None
        if recipe.sparse:
            keys: list[int] = arrays.text_keys.tolist()
            sparse = SparseIndex(reader.sparse(keys, recipe), len(keys))
        return cls(arrays, recipe, parameters, reader.documents(), reader.count_sentences(), sparse)

    @property
    def nbytes(self) -> int:
        """Memory held, for the cache's bound."""
        own = self._vectors.nbytes + self._places.nbytes + self._keys.nbytes + self.lexical.nbytes
        return own + (self._sparse.nbytes if self._sparse else 0)

    def lexical_scores(self, reader: PartitionReader, terms: Mapping[str, float]) -> NDArray[np.float64]:
        """BM25 of every passage; 0 where no term occurs."""
        numbers = reader.term_numbers(list(terms))
        return self.lexical.scores({number: terms[term] for term, number in numbers.items()})

    def dense_scores(self, query: EncodedQuery) -> NDArray[np.float32]:
        """Cosine of every passage with the query."""
        if not self.size:
            return np.zeros(0, np.float32)
        scores: NDArray[np.float32] = self._vectors @ query.vector
        return scores

    def lexical_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by BM25."""
        scores = self.lexical_scores(reader, terms)
        return best(scores if allowed is None else np.where(allowed, scores, 0), depth)

    def dense_best(
        self, reader: PartitionReader, query: EncodedQuery, depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by cosine."""
        del reader  # the vectors are here
        scores = self.dense_scores(query)
        return best(scores if allowed is None else np.where(allowed, scores, np.float32(0)), depth)

    def sparse_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by the dot product of sparse weights."""
        if self._sparse is None:
            raise no_sparse_encoder()
        numbers = reader.term_numbers(list(terms))
        scores = self._sparse.scores({number: terms[term] for term, number in numbers.items()})
        return best(scores if allowed is None else np.where(allowed, scores, 0), depth)

    def having(self, reader: PartitionReader, numbers: Sequence[int]) -> set[int]:
        """Which of these terms, by number, any passage has."""
        del reader  # the postings are here
        return {n for n in numbers if self.lexical.has(n)}

    def late_scores(
        self, reader: PartitionReader, query: EncodedQuery, passages: Sequence[int], dims: int
    ) -> NDArray[np.float64]:
        """MaxSim of some passages, their token vectors fetched from the store."""
        keys = [int(self._keys[i]) for i in passages]
        return maxsim(query.tokens, reader.token_vectors(keys, self.recipe, dims))

    def token_vectors(self, reader: PartitionReader, passage: int, dims: int) -> NDArray[np.int8]:
        """The token vectors of one passage."""
        return reader.token_vectors([int(self._keys[passage])], self.recipe, dims)[0]

    def idf(self, reader: PartitionReader, terms: Sequence[str]) -> dict[str, float]:
        """Inverse document frequency of each term in this partition."""
        numbers = reader.term_numbers(terms)
        return {term: self.lexical.idf(numbers.get(term)) for term in dict.fromkeys(terms)}
