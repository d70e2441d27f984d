"""Vectors as bits and as bytes: what is scanned, and what the best of the scan are scored with.

A bit says whether a dimension is above its mean over the collection (without the centre, dimensions that are almost
always positive would say nothing). A byte is the value over a scale of its own dimension: one scale for all
dimensions costs seven times the error.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD = 64
_BLOCK = 1 << 15  # rows whose intermediate arrays stay in the processor's cache


def to_bits(vectors: NDArray[np.float32], centre: NDArray[np.float32]) -> NDArray[np.uint64]:
    """uint64 [words, n], filled up with zeros."""
    packed = np.packbits(vectors > centre, axis=1)
    words = -(-vectors.shape[1] // _WORD)
    padded = np.zeros((len(vectors), words * 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)


def to_codes(vectors: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.int8]:
    """int8 [n, dims]; values beyond the scale are cut."""
    codes: NDArray[np.int8] = np.clip(np.rint(vectors / scale), -127, 127).astype(np.int8)
    return codes


def scale_of(sample: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32 [dims], from some vectors."""
    return np.asarray(np.maximum(np.abs(sample).max(axis=0), 1e-6) / 127, np.float32)


def distances(bits: NDArray[np.uint64], query: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """Hamming distance of every row to one query, uint16 [n].

    Args:
        bits: uint64 [words, n].
        query: uint64 [words].
    """
    n = bits.shape[1]
    found = np.zeros(n, dtype=np.uint16)
    differing = np.empty(min(n, _BLOCK), dtype=np.uint64)
    for start in range(0, n, _BLOCK):
        part = found[start : start + _BLOCK]
        here = differing[: len(part)]
        for word, asked in zip(bits, query, strict=True):
            np.bitwise_xor(word[start : start + _BLOCK], asked, out=here)
            part += ones(here)
    return found


def ones_by_table(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits are set in each word, for numpy before 2.0."""
    counts: NDArray[np.uint8] = _table()[words.view(np.uint16)].reshape(-1, 4).sum(axis=1, dtype=np.uint8)
    return counts


@cache
def _table() -> NDArray[np.uint8]:
    return np.array([number.bit_count() for number in range(1 << 16)], dtype=np.uint8)


ones = getattr(np, "bitwise_count", ones_by_table)


def nearest(found: NDArray[np.uint16], wanted: int) -> NDArray[np.int64]:
    """The rows of the `wanted` least distances, with all that are as far as the last of them; ascending."""
    if len(found) <= wanted:
        return np.arange(len(found))
    reached = np.cumsum(np.bincount(found))
    return np.flatnonzero(found <= int(np.searchsorted(reached, wanted)))
