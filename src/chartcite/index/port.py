"""The port of a partition's search structures: what retrieval asks of them, whatever holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from chartcite.core.neural import EncodedQuery
from chartcite.core.stored import DocumentInfo, Recipe
from chartcite.index.lexical import Bm25
from chartcite.index.ranking import Scored

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chartcite.store.reader import PartitionReader

    Mask = NDArray[np.bool_] | None
    """Bool [size]: the passages that may be found; None is all of them. It never changes the statistics."""


class SearchIndex(Protocol):
    """All distinct passage texts of a partition, numbered from 0 in the order of the record, which breaks ties.

    `reader` is always a reader of the same state of the same partition. Lists hold scores above zero only, best first.
    """

    @property
    def size(self) -> int:
        """Number of passages."""
        ...

    @property
    def documents(self) -> Sequence[DocumentInfo]:
        """The documents that may be evidence, oldest first."""
        ...

    @property
    def sentences(self) -> int:
        """How many sentences they have."""
        ...

    @property
    def recipe(self) -> Recipe:
        """How the passages were made."""
        ...

    @property
    def nbytes(self) -> int:
        """Memory held, for the bound of a cache."""
        ...

    def lexical_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by BM25 with the partition's own statistics; terms with their weights."""
        ...

    def dense_best(
        self, reader: PartitionReader, query: EncodedQuery, depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by cosine."""
        ...

    def sparse_best(
        self, reader: PartitionReader, terms: Mapping[str, float], depth: int, allowed: Mask = None
    ) -> list[Scored]:
        """The `depth` best passages by the dot product of sparse weights; terms as `index/sparse.py` names them.

        Raises:
            NotConfigured: there are none in the recipe.
            StoreMismatch: this index has no room for them.
        """
        ...

    def late_scores(
        self, reader: PartitionReader, query: EncodedQuery, passages: Sequence[int], dims: int
    ) -> NDArray[np.float64]:
        """MaxSim of some passages."""
        ...

    def token_vectors(self, reader: PartitionReader, passage: int, dims: int) -> NDArray[np.int8]:
        """The token vectors of one passage."""
        ...

    def idf(self, reader: PartitionReader, terms: Sequence[str]) -> dict[str, float]:
        """Inverse document frequency of each term in this partition."""
        ...

    def having(self, reader: PartitionReader, numbers: Sequence[int]) -> set[int]:
        """Which of these terms, by number, any passage has."""
        ...

    def of_documents(self, keys: Sequence[int]) -> NDArray[np.bool_]:
        """Bool [size]: whose text stands in one of these documents."""
        ...

    def of_document(self, key: int) -> list[int]:
        """The passages of a document as its text runs, each once."""
        ...

    def places(self, passage: int) -> list[tuple[int, int, int]]:
        """Where a passage's text stands: (document key, start, end), oldest document first."""
        ...


class SharedIndex(Protocol):
    """An engine outside this process that holds the passages of many partitions, for several servers."""

    def refresh(self, reader: PartitionReader, recipe: Recipe, *, afresh: bool = False) -> object:
        """Bring a partition to the reader's state, or make it anew. The partition has a secret.

        Raises:
            EndpointFailed: the engine cannot be reached, or does not take it.
            StoreMismatch: some document was never prepared under this recipe.
            StoreLocked: another process is at it.
        """
        ...

    def open(self, reader: PartitionReader, recipe: Recipe, parameters: Bm25) -> SearchIndex:
        """A partition's index at the reader's state, which is brought there if need be.

        Raises:
            as `refresh`; StoreDamaged: the engine holds something else than the store.
        """
        ...

    def owner(self, reader: PartitionReader) -> str | None:
        """The name under which a partition is held, good also after it was deleted; None if it never was."""
        ...

    def forget(self, owner: str) -> None:
        """Take away all that is held of a partition.

        Raises:
            EndpointFailed: the engine cannot be reached, or did not delete all of it.
        """
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...
