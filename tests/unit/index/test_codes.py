"""Bits and bytes of vectors; the best by BM25 without scoring every passage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.core.stored import Postings
from chartcite.index.large.codes import distances, nearest, ones_by_table, scale_of, to_bits, to_codes
from chartcite.index.large.inversion import Inversion
from chartcite.index.lexical import Bm25, LexicalIndex
from chartcite.index.ranking import best, best_of
from chartcite.store.arrays import by_term

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("dims", [1, 24, 64, 65, 384])
def test_distances_are_counts_of_differing_signs(dims: int) -> None:
    rng = np.random.default_rng(dims)
    vectors, query = rng.standard_normal((70_000 if dims < 64 else 300, dims)).astype(np.float32), rng.random(dims)
    centre = vectors.mean(axis=0)
    bits = to_bits(vectors, centre)
    asked = to_bits(query[None].astype(np.float32), centre)[:, 0]
    expected = ((vectors > centre) != (query.astype(np.float32) > centre)).sum(axis=1)
    assert distances(bits, asked).tolist() == expected.tolist()


def test_counting_by_table_is_counting_bits() -> None:
    words = np.random.default_rng(0).integers(0, 2**64, 1000, dtype=np.uint64)
    assert ones_by_table(words).tolist() == [int(word).bit_count() for word in words]


@given(st.lists(st.integers(0, 20), max_size=60), st.integers(1, 70))
def test_nearest_holds_all_that_are_as_near_as_the_last(found: list[int], wanted: int) -> None:
    rows = nearest(np.array(found, np.uint16), wanted).tolist()
    bar = sorted(found)[:wanted][-1] if found else 0
    assert rows == [i for i, d in enumerate(found) if d <= bar or len(found) <= wanted]


def test_codes_are_within_half_a_step() -> None:
    vectors = np.random.default_rng(1).standard_normal((500, 48)).astype(np.float32) * np.logspace(-3, 1, 48)
    scale = scale_of(vectors.astype(np.float32))
    codes = to_codes(vectors.astype(np.float32), scale)
    assert (np.abs(codes * scale - vectors) <= scale * 0.5001).all()
    assert to_codes(np.full((1, 48), 99.0, np.float32), scale).tolist() == [[127] * 48]


counted = st.lists(st.dictionaries(st.integers(0, 9), st.integers(1, 5), max_size=6), max_size=25)


@settings(max_examples=400, deadline=None)
@given(
    counted,
    st.dictionaries(st.integers(0, 10), st.integers(1, 3), max_size=6),
    st.integers(1, 12),
    st.booleans(),
    st.booleans(),
)
def test_the_best_are_the_best_of_all_scores_to_the_bit(
    texts: list[dict[int, int]], query: dict[int, int], depth: int, some: bool, parted: bool
) -> None:
    """With rows that are no passages, with a mask, and with postings in two parts."""
    shuffle = np.random.default_rng(len(texts) + depth)
    postings = []
    half = len(texts) // 2
    for part in (range(half), range(half, len(texts))) if parted else (range(len(texts)),):
        flat = [(t, row, n) for row in part for t, n in texts[row].items()]
        terms, owners, counts = (np.array(column) for column in zip(*flat, strict=True)) if flat else [np.zeros(0)] * 3
        postings.append(by_term(terms.astype(np.int64), owners.astype(np.int32), counts.astype(np.uint16)))
    lengths = np.array([sum(t.values()) for t in texts], np.int32)
    row_of = shuffle.permutation(len(texts))[: max(1, len(texts) // 2)].astype(np.int32) if some and texts else None
    index = LexicalIndex(postings, lengths, Bm25(), row_of)
    size = len(texts) if row_of is None else len(row_of)
    allowed = shuffle.random(size) < 0.6
    passage_of = np.full(len(texts), -1)
    passage_of[row_of if row_of is not None else slice(None)] = np.arange(size)
    rows_allowed = np.zeros(len(texts), np.bool_)
    rows_allowed[(np.arange(size) if row_of is None else row_of)[allowed]] = True
    for mask, row_mask in ((None, None), (allowed, rows_allowed)):
        scores = index.scores(query)
        expected = best(scores if mask is None else np.where(mask, scores, 0), depth)
        rows, found = index.best(query, depth, row_mask)
        assert best_of(passage_of[rows], found, depth) == expected
        assert (passage_of[rows] >= 0).all()


@settings(max_examples=50, deadline=None)
@given(st.lists(counted, max_size=4))
def test_an_inversion_on_disk_is_one_in_memory(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[dict[int, int]]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("inversion")
    texts = [text for batch in batches for text in batch]
    flat = [(t, row, n) for row, text in enumerate(texts) for t, n in sorted(text.items())]
    terms, rows, counts = (np.array(c) for c in zip(*flat, strict=True)) if flat else [np.zeros(0)] * 3
    expected = by_term(terms.astype(np.int64), rows.astype(np.int32), counts.astype(np.uint16))
    with Inversion(folder) as inversion:
        at = 0
        for batch in batches:
            these = slice(at, at + sum(map(len, batch)))
            inversion.add(terms[these].astype(np.int64), rows[these].astype(np.int32), counts[these].astype(np.uint16))
            at = these.stop
        inversion.finish()
    found = Postings(*(np.load(folder / f"{name}.npy") for name in ("terms", "starts", "rows", "counts")))
    for name in ("terms", "starts", "rows", "counts"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
    assert not (folder / "spool").exists()
