"""What the store got and lost since the files were made, worked out from its rows when the index is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.errors import StoreMismatch
from chartcite.core.stored import Postings, Recipe
from chartcite.index.large.build import by_row, unpack, vectors_of
from chartcite.index.large.codes import to_bits, to_codes
from chartcite.index.large.files import LargeFiles
from chartcite.store.arrays import by_term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.store.reader import PartitionReader

MOST_SHARE = 0.2  # of the files' rows that may have come since


@dataclass(frozen=True, slots=True)
class Rows:
    """Texts by row: those of the files, then those that came later.

    `places` are those of the present, (row, document key, start, end), in the order of the record.
    """

    keys: NDArray[np.int64]
    lengths: NDArray[np.int32]
    places: NDArray[np.int64]
    postings: Sequence[Postings]
    bits: Sequence[NDArray[np.uint64]]
    codes: Sequence[NDArray[np.int8]]
    centre: NDArray[np.float32]
    scale: NDArray[np.float32]
    rescored: int

    def codes_of(self, rows: NDArray[np.int64]) -> NDArray[np.int8]:
        """int8 [n, dims]; `rows` ascend."""
        if len(self.codes) == 1:
            return self.codes[0][rows]
        first = len(self.codes[0])
        at = int(np.searchsorted(rows, first))
        return np.concatenate([self.codes[0][rows[:at]], self.codes[1][rows[at:] - first]])

    @property
    def tail_nbytes(self) -> int:
        """Memory of what came later."""
        postings = [a for p in self.postings[1:] for a in (p.terms, p.starts, p.rows, p.counts)]
        return sum(a.nbytes for a in (*self.bits[1:], *self.codes[1:], *postings))


def catch_up(base: LargeFiles, reader: PartitionReader, recipe: Recipe) -> Rows:
    """The files' rows with what came later. Cost: none if nothing changed, else one walk over the passages.

    Raises:
        StoreMismatch: more has come than should be held in memory.
    """
    if base.seq == reader.seq:
        return _rows(base, base.places)
    present, places = by_row(np.concatenate([np.zeros((0, 4), np.int64), *reader.walk(recipe)]))
    rows = _rows_of(present, base, reader)
    later = np.flatnonzero(rows < 0)
    if len(later) > MOST_SHARE * len(base.keys):
        raise StoreMismatch(
            f"{len(later):,} passages have come since the search files of this {reader.scope.kind} were made.",
            "Run `chartcite index`.",
        )
    rows[later] = len(base.keys) + np.arange(len(later))
    places[:, 0] = rows[places[:, 0]]
    return _rows(base, places) if not len(later) else _with_tail(base, places, present[later], reader, recipe)


def _rows_of(present: NDArray[np.int64], base: LargeFiles, reader: PartitionReader) -> NDArray[np.int64]:
    """The row of each text in the files, -1 for one that came later. The store may give a number again."""
    numbers, digests = reader.short_digests()
    by_number = np.argsort(base.keys)
    at = by_number[np.minimum(np.searchsorted(base.keys, present, sorter=by_number), len(base.keys) - 1)]
    digest = digests[np.searchsorted(numbers, present)]
    return np.where((base.keys[at] == present) & (base.digests[at] == digest), at, -1)


def _with_tail(
    base: LargeFiles, places: NDArray[np.int64], later: NDArray[np.int64], reader: PartitionReader, recipe: Recipe
) -> Rows:
    stored = reader.derived(later.tolist(), recipe)
    terms, owners, counts = unpack(stored)
    vectors = vectors_of(stored)
    lengths = np.bincount(owners, weights=counts, minlength=len(stored)).astype(np.int32)
    return Rows(
        np.concatenate([base.keys, later]), np.concatenate([base.lengths, lengths]), places,
        (base.postings, by_term(terms, owners + np.int32(len(base.keys)), counts)),
        (base.bits, to_bits(vectors, base.centre)), (base.codes, to_codes(vectors, base.scale)),
        base.centre, base.scale, base.rescored,
    )  # fmt: skip


def _rows(base: LargeFiles, places: NDArray[np.int64]) -> Rows:
    return Rows(
        base.keys, base.lengths, places, (base.postings,), (base.bits,), (base.codes,), base.centre, base.scale,
        base.rescored,
    )  # fmt: skip
