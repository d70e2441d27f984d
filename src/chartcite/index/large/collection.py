"""LargeIndex: a large partition searched in mapped files; the same port and statistics as the exact arrays.

Lexical scores are the same to the bit. The dense list is found in two steps, bits then bytes, and scored by the stored
vectors; what it may miss was measured when the files were made. What the store got since then is added when the index
is opened, and what it lost is no longer found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.errors import StoreMismatch
from chartcite.core.neural import EncodedQuery
from chartcite.core.stored import Recipe
from chartcite.index.large import files
from chartcite.index.large.catch_up import Rows, catch_up
from chartcite.index.large.codes import distances, nearest, to_bits
from chartcite.index.late import maxsim
from chartcite.index.lexical import Bm25, LexicalIndex
from chartcite.index.places import Placed, Places
from chartcite.index.ranking import Scored, best_of
from chartcite.store.arrays import number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.index.port import Mask
    from chartcite.store.reader import PartitionReader

_SCORED_BY_BYTES = 50  # at least so many times the depth wanted go from bits to bytes
_SCORED_EXACTLY = 2  # and so many times the depth from bytes to the stored vectors
_FEW = 20_000  # so many allowed rows are scored by their bytes without a scan


class LargeIndex(Placed):
    """All distinct passage texts of a large partition. Rows are those of the files, then those that came later."""

    def __init__(self, rows: Rows, reader: PartitionReader, recipe: Recipe, parameters: Bm25) -> None:
        self.recipe = recipe
        self.documents = tuple(reader.documents())
        self.sentences = reader.count_sentences()
        self._texts = rows
        row_of, places = number(rows.places, len(rows.keys), [d.key for d in self.documents])
        self._row_of = np.arange(len(rows.keys), dtype=np.int32) if row_of is None else row_of
        self.size = len(self._row_of)
        self._passage_of = np.full(len(rows.keys), -1, np.int32)
        self._passage_of[self._row_of] = np.arange(self.size, dtype=np.int32)
        self._is_passage = None if row_of is None else self._passage_of >= 0
        self._places = Places(places, self.size)
        self._lexical = LexicalIndex(rows.postings, rows.lengths, parameters, row_of)

    @classmethod
    def open(cls, reader: PartitionReader, recipe: Recipe, parameters: Bm25, stem: Path) -> LargeIndex:
        """Map the files, and catch up with the store.

        Raises:
            StoreMismatch: the files were never made, or too much has come since.
            StoreDamaged: they are not what they should be.
        """
        folder = files.find(stem)
        if folder is None:
            raise StoreMismatch(
                f"This {reader.scope.kind} is large, and its search files were never made.", "Run `chartcite index`."
            )
        return cls(catch_up(files.load(folder), reader, recipe), reader, recipe, parameters)

    @property
    def nbytes(self) -> int:
        """Memory held; what is mapped is the system's to give and take."""
        own = self._places.nbytes + self._row_of.nbytes + self._passage_of.nbytes
        return own + 8 * len(self._texts.keys) + self._texts.tail_nbytes

    def lexical_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by BM25."""
        numbers = reader.term_numbers(list(terms))
        query = {n: terms[term] for term, n in numbers.items()}
        rows, scores = self._lexical.best(query, depth, self._allowed_rows(allowed))
        return best_of(self._passage_of[rows].astype(np.int64), scores, depth)

    def dense_best(
        self, reader: PartitionReader, query: EncodedQuery, depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by cosine: the scan's, scored by bytes, the best of those by the stored vectors."""
        rows = self._near(query, depth, allowed)
        if not len(rows):
            return []
        scores = self._texts.codes_of(rows).astype(np.float32) @ (query.vector * self._texts.scale)
        if len(rows) > _SCORED_EXACTLY * depth:
            rows = rows[np.argpartition(-scores, _SCORED_EXACTLY * depth)[: _SCORED_EXACTLY * depth]]
        vectors = reader.vectors(self._texts.keys[rows].tolist(), self.recipe)
        # One product a row: its last bit must not depend on what stands beside it.
        exact = np.array([vector @ query.vector for vector in vectors], dtype=np.float32)
        above = exact > 0
        return best_of(self._passage_of[rows[above]].astype(np.int64), exact[above], depth)

    def sparse_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """Not here: the files hold no sparse weights."""
        del terms, depth, allowed
        raise StoreMismatch(
            f"This {reader.scope.kind} is too large to be searched by sparse weights.",
            "Leave the setting sparse empty, or raise large_passages.",
        )

    def late_scores(
        self, reader: PartitionReader, query: EncodedQuery, passages: Sequence[int], dims: int
    ) -> NDArray[np.float64]:
        """MaxSim of some passages, their token vectors fetched from the store."""
        return maxsim(query.tokens, reader.token_vectors(self._keys(passages), self.recipe, dims))

    def token_vectors(self, reader: PartitionReader, passage: int, dims: int) -> NDArray[np.int8]:
        """The token vectors of one passage."""
        return reader.token_vectors(self._keys([passage]), self.recipe, dims)[0]

    def idf(self, reader: PartitionReader, terms: Sequence[str]) -> dict[str, float]:
        """Inverse document frequency of each term in this partition."""
        numbers = reader.term_numbers(terms)
        return {term: self._lexical.idf(numbers.get(term)) for term in dict.fromkeys(terms)}

    def having(self, reader: PartitionReader, numbers: Sequence[int]) -> set[int]:
        """Which of these terms, by number, any passage has."""
        del reader  # the postings are here
        return {n for n in numbers if self._lexical.has(n)}

    def _keys(self, passages: Sequence[int]) -> list[int]:
        keys: list[int] = self._texts.keys[self._row_of[list(passages)]].tolist()
        return keys

    def _allowed_rows(self, allowed: Mask) -> Mask:
        if allowed is None:
            return None
        rows = np.zeros(len(self._texts.keys), dtype=np.bool_)
        rows[self._row_of[allowed]] = True
        return rows

    def _near(self, query: EncodedQuery, depth: int, allowed: Mask) -> NDArray[np.int64]:
        """Rows to be scored by their bytes; those that may not be found are taken out before any are chosen."""
        eligible = self._is_passage if allowed is None else self._allowed_rows(allowed)
        wanted = max(self._texts.rescored, _SCORED_BY_BYTES * depth)
        if eligible is not None and np.count_nonzero(eligible) <= max(_FEW, wanted):
            return np.flatnonzero(eligible)
        asked = to_bits(query.vector[None], self._texts.centre)[:, 0]
        far = np.concatenate([distances(bits, asked) for bits in self._texts.bits])
        if eligible is not None:
            far[~eligible] = np.iinfo(np.uint16).max
        return nearest(far, wanted)
