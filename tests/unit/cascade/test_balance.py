"""Turns of documents: nothing is lost or invented, the best stays first, and one document never keeps others out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.cascade.balance import balance, deeper, spread, titles_last
from chartcite.core.answer import Evidence, Kept
from chartcite.core.retrieval import Hit, Place, SearchSettings


def evidence(key: int, n: int, kept: Kept = "strict") -> Evidence:
    return Evidence(key, f"d{key}", n, n, n + 1, "x", "", 5, 0.9, kept)


def kept(*keys: int, rung: Kept = "strict") -> list[Evidence]:
    return [evidence(key, n, rung) for n, key in enumerate(keys)]


@pytest.mark.parametrize(
    ("keys", "per_document", "expected"),
    [
        ((1, 1, 1, 2, 3), 1, [0, 3, 4, 1, 2]),
        ((1, 1, 1, 2, 3), 2, [0, 1, 3, 4, 2]),
        ((1, 1, 1, 2, 3), 0, [0, 1, 2, 3, 4]),
        ((1, 2, 1, 2, 3), 1, [0, 1, 4, 2, 3]),
        ((1, 1, 1), 1, [0, 1, 2]),
        ((), 1, []),
    ],
)
def test_each_document_speaks_before_any_speaks_again(
    keys: Sequence[int], per_document: int, expected: list[int]
) -> None:
    assert [e.sentence for e in balance(kept(*keys), per_document)] == expected


def test_what_belongs_to_the_best_stays_with_it() -> None:
    given = [evidence(1, 0), evidence(1, 1, "correction"), evidence(1, 2, "neighbour"), evidence(1, 3), evidence(2, 4)]
    assert [e.sentence for e in balance(given, 1)] == [0, 1, 2, 4, 3]


@pytest.mark.parametrize("rung", ["lenient", "fallback"])
def test_weaker_evidence_takes_no_turns(rung: Kept) -> None:
    weak = kept(1, 1, 2, rung=rung)
    assert balance(weak, 1) == weak


@given(st.lists(st.integers(1, 4), max_size=20), st.integers(0, 3))
def test_nothing_is_lost_and_the_best_stays_first(keys: list[int], per_document: int) -> None:
    given = kept(*keys)
    turned = balance(given, per_document)
    assert sorted(e.sentence for e in turned) == sorted(e.sentence for e in given)
    assert turned[:1] == given[:1]
    for key in set(keys):  # within a document the order of relevance stands
        own = [e.sentence for e in turned if e.key == key]
        assert own == sorted(own)
    if per_document:
        assert len({e.key for e in turned[: len(set(keys)) * per_document]}) == len(set(keys))


def test_a_title_is_quoted_only_where_its_document_says_nothing_else() -> None:
    titles = {1: "Fluids in sepsis", 2: "Zinc"}
    said = [
        replace(evidence(1, 0), quote="# Fluids in  sepsis"),
        replace(evidence(2, 1), quote="Zinc."),
        evidence(1, 2),
    ]
    assert [e.sentence for e in titles_last(said, titles.__getitem__)] == [1, 2, 0]
    assert titles_last([], titles.__getitem__) == []


def hit(rank: int, *documents: int) -> Hit:
    return Hit(rank, rank, 1.0 / rank, tuple(Place(d, 0, 1) for d in documents))


@given(st.lists(st.integers(1, 5), max_size=60), st.integers(1, 24))
def test_passages_are_spread_over_documents(owners: list[int], top_k: int) -> None:
    hits: list[Any] = [hit(n, owner) for n, owner in enumerate(owners, start=1)]
    found = spread(hits, top_k)
    assert [h.rank for h in found] == list(range(1, len(found) + 1))
    assert len(found) == min(top_k, len(hits))
    assert found[:1] == hits[:1]
    most = max(1, top_k // 4)
    taken = [h.places[0].document for h in found]
    left_out = {h.places[0].document for h in hits if h.passage not in {f.passage for f in found}}
    for document in set(taken):
        if taken.count(document) > most:  # only where no other document had to wait for it
            assert all(taken.count(other) >= most for other in left_out)


def test_searching_deeper_leaves_the_ranking_as_it_is() -> None:
    settings = SearchSettings(top_k=20)
    found = deeper(settings)
    assert found.top_k == 50
    assert max(2 * found.top_k, found.rerank_depth) == max(2 * settings.top_k, settings.rerank_depth)
    assert deeper(SearchSettings(top_k=200)).top_k == 200
