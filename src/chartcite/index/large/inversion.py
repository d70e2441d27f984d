"""Postings by text turned into postings by term, on disk: batches are spooled, then put where their terms belong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING

import numpy as np

from chartcite.index.large.files import create

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Batch = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint16]]
    """Parallel [n]: term numbers, rows, counts; rows ascend, within a batch and from batch to batch."""


class Inversion:
    """Use as a context manager; the spool goes at its end. Memory: one batch, and a number a term."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sizes: list[int] = []
        self._frequency = np.zeros(0, np.int64)
        self._spool: IO[bytes]

    def __enter__(self) -> Inversion:
        self._spool = (self._folder / "spool").open("w+b")
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._spool.close()
        (self._folder / "spool").unlink()

    def add(self, terms: NDArray[np.int64], rows: NDArray[np.int32], counts: NDArray[np.uint16]) -> None:
        """One batch."""
        self._sizes.append(len(terms))
        for array in (terms, rows, counts):
            self._spool.write(array.tobytes())
        here = np.bincount(terms, minlength=len(self._frequency))
        here[: len(self._frequency)] += self._frequency
        self._frequency = here

    def finish(self) -> None:
        """Write `terms`, `starts`, `rows` and `counts`, see `core.stored.Postings`."""
        terms = np.flatnonzero(self._frequency)
        starts = np.append(0, np.cumsum(self._frequency[terms]))
        np.save(self._folder / "terms.npy", terms)
        np.save(self._folder / "starts.npy", starts)
        rows = create(self._folder / "rows.npy", np.int32, (int(starts[-1]),))
        counts = create(self._folder / "counts.npy", np.uint16, (int(starts[-1]),))
        free = np.zeros(len(self._frequency), np.int64)
        free[terms] = starts[:-1]
        for batch, batch_rows, batch_counts in self._batches():
            order = np.argsort(batch, kind="stable")
            known, begin, many = np.unique(batch[order], return_index=True, return_counts=True)
            place = np.arange(len(batch)) + np.repeat(free[known] - begin, many)
            rows[place], counts[place] = batch_rows[order], batch_counts[order]
            free[known] += many

    def _batches(self) -> Iterator[Batch]:
        self._spool.seek(0)
        for size in self._sizes:
            terms = np.frombuffer(self._spool.read(8 * size), np.int64)
            rows = np.frombuffer(self._spool.read(4 * size), np.int32)
            yield terms, rows, np.frombuffer(self._spool.read(2 * size), np.uint16)
