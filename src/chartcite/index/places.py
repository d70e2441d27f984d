"""Places: where the texts of a partition's passages stand, looked up by passage or by document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Places:
    """All places of a partition.

    Args:
        rows: int64 [n_places, 4], passage, document key, start and end; by passage, oldest document first.
        size: number of passages.
    """

    def __init__(self, rows: NDArray[np.int64], size: int) -> None:
        self._rows, self._size = rows, size
        self._starts = np.searchsorted(rows[:, 0], np.arange(size + 1))

    @property
    def nbytes(self) -> int:
        """Memory held; the order by document comes with its first use."""
        return self._rows.nbytes + self._starts.nbytes

    def of_passage(self, passage: int) -> list[tuple[int, int, int]]:
        """(document key, start, end) of each place, oldest document first."""
        rows = self._rows[self._starts[passage] : self._starts[passage + 1], 1:]
        return [(document, start, end) for document, start, end in rows.tolist()]

    def of_document(self, key: int) -> list[int]:
        """The passages of a document as its text runs, each once."""
        documents, order = self._by_document
        found = order[np.searchsorted(documents, key) : np.searchsorted(documents, key, side="right")]
        return list(dict.fromkeys(self._rows[found, 0].tolist()))

    def in_documents(self, keys: Sequence[int]) -> NDArray[np.bool_]:
        """Bool [n_passages]: whose text stands in one of these documents."""
        allowed = np.zeros(self._size, dtype=np.bool_)
        allowed[self._rows[np.isin(self._rows[:, 1], np.array(keys, dtype=np.int64)), 0]] = True
        return allowed

    @cached_property
    def _by_document(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        order = np.lexsort((self._rows[:, 2], self._rows[:, 1]))
        return self._rows[order, 1], order


class Placed:
    """What every index says of its passages' places; `_places` is set by whoever builds it."""

    _places: Places

    def of_documents(self, keys: Sequence[int]) -> NDArray[np.bool_]:
        """Bool [n_passages]: whose text stands in one of these documents."""
        return self._places.in_documents(keys)

    def of_document(self, key: int) -> list[int]:
        """The passages of a document as its text runs, each once."""
        return self._places.of_document(key)

    def places(self, passage: int) -> list[tuple[int, int, int]]:
        """Where a passage's text stands: (document key, start, end), oldest document first."""
        return self._places.of_passage(passage)
