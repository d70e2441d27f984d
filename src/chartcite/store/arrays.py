"""Rows of the store as arrays: texts from their blobs, passages from texts. Knows no SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from chartcite.core.errors import StoreDamaged
from chartcite.core.stored import PassageArrays, Postings, TextArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray


def assemble(
    keys: Sequence[int],
    places: Sequence[tuple[int, int, int, int]],
    terms: Sequence[bytes],
    counts: Sequence[bytes],
    vectors: Sequence[bytes],
) -> TextArrays:
    """Arrays of some texts.

    Args:
        keys: the store's number of each text, in the order of the record.
        places: (text key, document key, start, end), in the order of the record.
        terms: int64 term numbers of each text.
        counts: uint16, how often each of them occurs.
        vectors: float32 [dims] of each text.

    Raises:
        StoreDamaged: a blob has another size than its neighbours say.
    """
    if len({len(blob) for blob in vectors}) > 1:
        raise damaged()
    row_of = {key: row for row, key in enumerate(keys)}
    numbers, owners, amounts = _flat(terms, counts)
    return TextArrays(
        keys=np.array(keys, dtype=np.int64),
        vectors=np.frombuffer(b"".join(vectors), np.float32).reshape(len(keys), -1 if keys else 0),
        postings=by_term(numbers, owners, amounts),
        lengths=np.bincount(owners, weights=amounts, minlength=len(keys)).astype(np.int32),
        places=np.array([(row_of[text], *place) for text, *place in places], dtype=np.int64).reshape(-1, 4),
    )


def postings_of(terms: Sequence[bytes], counts: Sequence[bytes]) -> Postings:
    """Postings over rows, from the blobs of each row's text as in `assemble`.

    Raises:
        StoreDamaged: a blob has another size than its neighbour says.
    """
    return by_term(*_flat(terms, counts))


def _flat(
    terms: Sequence[bytes], counts: Sequence[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint16]]:
    sizes = [len(blob) // 2 for blob in counts]
    if [len(blob) // 8 for blob in terms] != sizes:
        raise damaged()
    owners = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return np.frombuffer(b"".join(terms), np.int64), owners, np.frombuffer(b"".join(counts), np.uint16)


def by_term(terms: NDArray[np.int64], rows: NDArray[np.int32], counts: NDArray[np.uint16]) -> Postings:
    """Postings from parallel arrays [n_postings] whose rows ascend."""
    order = np.argsort(terms, kind="stable")
    known, starts = np.unique(terms[order], return_index=True)
    return Postings(known, np.append(starts, len(terms)), rows[order], counts[order])


def arrange(texts: TextArrays, documents: Sequence[int]) -> PassageArrays:
    """The passages of some documents, numbered in the order of the record."""
    rows, places = number(texts.places, len(texts.keys), documents)
    if rows is None:
        return PassageArrays(texts.keys, texts.vectors, texts.postings, texts.lengths, None, places)
    return PassageArrays(texts.keys[rows], texts.vectors[rows], texts.postings, texts.lengths, rows, places)


def number(
    places: NDArray[np.int64], n_rows: int, documents: Sequence[int]
) -> tuple[NDArray[np.int32] | None, NDArray[np.int64]]:
    """Number the texts that stand in some documents.

    Args:
        places: int64 [n, 4], (row, document key, start, end) in the order of the record.
        n_rows: how many rows there are.
        documents: keys of the documents that count.

    Returns:
        The row of each passage, or None where every row is the passage of that number; and the places, with passages in
        place of rows, ordered by passage.
    """
    places = places[np.isin(places[:, 1], np.array(documents, dtype=np.int64))]
    standing, first = np.unique(places[:, 0], return_index=True)
    rows = standing[np.argsort(first)].astype(np.int32)
    passage = np.zeros(n_rows, dtype=np.int64)
    passage[rows] = np.arange(len(rows))
    places[:, 0] = passage[places[:, 0]]
    places = places[np.argsort(places[:, 0], kind="stable")]
    return (None if np.array_equal(rows, np.arange(n_rows)) else rows), places


def damaged() -> StoreDamaged:
    """The error for stored arrays that do not fit together."""
    return StoreDamaged(
        "Arrays of this store do not fit together: it is damaged.",
        "Run `chartcite index`; if that does not help, restore it from a backup, or ingest the sources again.",
    )
