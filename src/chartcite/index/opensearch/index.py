"""OpenSearchIndex: a partition searched on a cluster; the same port, formulas and statistics as the exact arrays.

Here are only the numbers of the texts and where they stand. What the cluster finds is scored once more from the
store's own rows, so that scores and order are those of the exact arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.core.errors import StoreDamaged, StoreLocked, StoreMismatch
from chartcite.core.neural import EncodedQuery
from chartcite.core.stored import Recipe
from chartcite.index.late import maxsim
from chartcite.index.lexical import Bm25
from chartcite.index.opensearch.asking import DENSE, LEXICAL, Asker, Standing
from chartcite.index.opensearch.connection import Connection, Json
from chartcite.index.opensearch.passages import Present
from chartcite.index.opensearch.states import States
from chartcite.index.places import Placed, Places
from chartcite.index.ranking import Scored, best_of
from chartcite.store.arrays import number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.index.port import Mask
    from chartcite.store.reader import PartitionReader

_ANY = 1e-30  # less than any score of BM25, and above none
_SINGLE = 1e-6  # what single precision may cost a score, as a share of it
_COSINE = 1e-5  # the same of a cosine, and of the store's sums in single precision


class OpenSearchIndex(Placed):
    """All distinct passage texts of a partition, at one state of the store."""

    def __init__(
        self,
        connection: Connection,
        states: States,
        alias: str,
        owner: str,
        wanted: Present,
        reader: PartitionReader,
        recipe: Recipe,
        parameters: Bm25,
    ) -> None:
        """Number the passages and ask how many the cluster has.

        Raises:
            EndpointFailed: it does not answer.
            StoreDamaged: it holds others than the store.
        """
        self.recipe = recipe
        self.documents = tuple(reader.documents())
        self.sentences = reader.count_sentences()
        self._parameters = parameters
        self._states, self._seq, self._digest = states, reader.seq, wanted.digest
        places = wanted.places.copy()
        places[:, 0] = np.searchsorted(wanted.keys, places[:, 0])
        rows, numbered = number(places, len(wanted.keys), [d.key for d in self.documents])
        self._keys = wanted.keys if rows is None else wanted.keys[rows]
        self.size = len(self._keys)
        self._places = Places(numbered, self.size)
        self._by_key = np.argsort(self._keys)
        without = np.setdiff1d(wanted.keys, self._keys)
        self._standing = Standing(owner, reader.seq, states.read().slots, without)
        self._asker = Asker(connection, alias, self._standing)
        self._holding: dict[int, int] = {}
        count, total = self._asker.size() if self.size else (0, 0.0)
        if count != self.size:
            raise StoreDamaged(
                f"OpenSearch holds {count:,} of the {self.size:,} passages of this {reader.scope.kind}.",
                "Run `chartcite index`.",
            )
        self._mean = (total / self.size if self.size else 0.0) or 1.0

    @property
    def nbytes(self) -> int:
        """Memory held here."""
        return self._places.nbytes + self._keys.nbytes + self._by_key.nbytes + self._standing.without.nbytes

    def lexical_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by BM25."""
        numbers = reader.term_numbers(list(terms))
        counted = self._counted(list(numbers.values()))
        query = {n: terms[term] * self._idf_of(counted[n]) for term, n in numbers.items() if counted[n]}
        if not query or self._is_nothing(allowed):
            self._check()
            return []
        asked = [str(n) for n in query]
        parameters = {
            "terms": asked, "weights": list(query.values()), "mean": self._mean,
            "k1": self._parameters.k1, "b": self._parameters.b,
        }  # fmt: skip
        filters = [*self._filters(allowed), {"terms": {"terms": asked}}]
        highest = sum(query.values())
        texts = self._best(LEXICAL, parameters, depth, _ANY, _SINGLE * highest, filters)
        self._holding.update(counted)  # the state that they were asked of still stood after the search
        if not len(texts):
            return []
        return best_of(self._passages(texts), self._bm25(reader, texts, query), depth)

    def dense_best(
        self, reader: PartitionReader, query: EncodedQuery, depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by cosine."""
        if self._is_nothing(allowed):
            return []
        asked = {"query": query.vector.tolist()}
        texts = self._best(DENSE, asked, depth, 1.0, _COSINE, self._filters(allowed))
        vectors = reader.vectors(texts.tolist(), self.recipe)
        # One product a row: its last bit must not depend on what stands beside it.
        exact = np.array([vector @ query.vector for vector in vectors], dtype=np.float32)
        above = exact > 0
        return best_of(self._passages(texts[above]), exact[above], depth)

    def sparse_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """Not here: the cluster holds no sparse weights."""
        del terms, depth, allowed
        raise StoreMismatch(
            f"This {reader.scope.kind} is on OpenSearch, where there are no sparse weights.",
            "Leave the setting sparse empty, or set index = embedded.",
        )

    def late_scores(
        self, reader: PartitionReader, query: EncodedQuery, passages: Sequence[int], dims: int
    ) -> NDArray[np.float64]:
        """MaxSim of some passages, their token vectors fetched from the store."""
        return maxsim(query.tokens, reader.token_vectors(self._keys[list(passages)].tolist(), self.recipe, dims))

    def token_vectors(self, reader: PartitionReader, passage: int, dims: int) -> NDArray[np.int8]:
        """The token vectors of one passage."""
        return reader.token_vectors([int(self._keys[passage])], self.recipe, dims)[0]

    def idf(self, reader: PartitionReader, terms: Sequence[str]) -> dict[str, float]:
        """Inverse document frequency of each term in this partition."""
        numbers = reader.term_numbers(terms)
        self._count(list(numbers.values()))
        return {term: self._idf(numbers.get(term)) for term in dict.fromkeys(terms)}

    def having(self, reader: PartitionReader, numbers: Sequence[int]) -> set[int]:
        """Which of these terms, by number, any passage has."""
        del reader  # the cluster counts
        self._count(numbers)
        return {n for n in numbers if self._holding[n]}

    def _best(
        self, script: str, parameters: Json, depth: int, above: float, slack: float, filters: Sequence[Json]
    ) -> NDArray[np.int64]:
        found = self._asker.best(script, parameters, depth, above, slack, filters)
        self._check()
        return found

    def _check(self) -> None:
        """What was just asked was asked of the reader's state: nothing was taken away meanwhile.

        Raises:
            StoreLocked: something may have been.
        """
        if not self._states.read().holds(self._seq, self._digest):
            raise StoreLocked("This record changed while it was searched on OpenSearch.", "Ask again.")

    def _count(self, numbers: Sequence[int]) -> None:
        counted = self._counted(numbers)
        if counted.keys() - self._holding.keys():
            self._check()
            self._holding.update(counted)

    def _counted(self, numbers: Sequence[int]) -> dict[int, int]:
        """How many passages have each term; what is new is good once `_check` has passed behind it."""
        unknown = [n for n in numbers if n not in self._holding]
        new = (self._asker.holding(unknown) if self.size else dict.fromkeys(unknown, 0)) if unknown else {}
        return {n: self._holding[n] if n in self._holding else new[n] for n in numbers}

    def _idf(self, number: int | None) -> float:
        return self._idf_of(0 if number is None else self._holding[number])

    def _idf_of(self, n: int) -> float:
        return float(np.log(1.0 + (self.size - n + 0.5) / (n + 0.5)))

    def _bm25(
        self, reader: PartitionReader, texts: NDArray[np.int64], query: Mapping[int, float]
    ) -> NDArray[np.float64]:
        """The scores of index/lexical.py, summed in the same order."""
        k1, b, mean = self._parameters.k1, self._parameters.b, self._mean
        scores = np.zeros(len(texts))
        for at, (_, terms, counts, _) in enumerate(reader.derived(texts.tolist(), self.recipe)):
            known = dict(zip(np.frombuffer(terms, np.int64).tolist(), np.frombuffer(counts, np.uint16), strict=True))
            held = k1 * (1.0 - b + b * int(sum(map(int, known.values()))) / mean)
            for term, weight in query.items():
                tf = float(known.get(term, 0))
                scores[at] += weight * tf / (tf + held) if tf else 0.0
        return scores

    def _is_nothing(self, allowed: Mask) -> bool:
        return not self.size or (allowed is not None and not allowed.any())

    def _filters(self, allowed: Mask) -> list[Any]:
        """Whichever list is shorter: of those that may be found, or of those that may not."""
        if allowed is None:
            return self._standing.filters()
        may, may_not = self._keys[allowed], self._keys[~allowed]
        return self._standing.among(may) if len(may) <= len(may_not) else self._standing.but(may_not)

    def _passages(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of texts to numbers of passages."""
        return self._by_key[np.searchsorted(self._keys, texts, sorter=self._by_key)]
