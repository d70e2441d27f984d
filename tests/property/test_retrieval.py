"""Fusion and search for any lists and any record."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.retrieval.fusion import reciprocal_rank_fusion

rankings = st.lists(st.lists(st.integers(0, 12), max_size=12), max_size=4)


@settings(max_examples=200, deadline=None)
@given(rankings, st.integers(1, 100))
def test_the_order_of_the_lists_changes_not_one_bit(lists: list[list[int]], k: int) -> None:
    results = {tuple(reciprocal_rank_fusion(order, k)) for order in permutations(lists)}
    assert len(results) == 1


@settings(max_examples=200, deadline=None)
@given(rankings, st.integers(1, 100))
def test_equal_to_exact_fractions(lists: list[list[int]], k: int) -> None:
    exact: dict[int, Fraction] = {}
    for ranked in lists:
        for rank, item in enumerate(dict.fromkeys(ranked), start=1):
            exact[item] = exact.get(item, Fraction(0)) + Fraction(1, k + rank)
    found = reciprocal_rank_fusion(lists, k)
    assert {item for item, _ in found} == set(exact)
    assert all(abs(score - float(exact[item])) < 1e-12 for item, score in found)
    scores = [(-score, item) for item, score in found]
    assert scores == sorted(scores)


@settings(max_examples=100, deadline=None)
@given(rankings, st.integers(1, 100), st.integers(0, 12))
def test_one_more_list_that_ranks_an_item_first_never_lowers_it(lists: list[list[int]], k: int, item: int) -> None:
    def place(fused: list[tuple[int, float]]) -> int:
        return [i for i, _ in fused].index(item) if item in {i for i, _ in fused} else 99

    assert place(reciprocal_rank_fusion([*lists, [item]], k)) <= place(reciprocal_rank_fusion(lists, k))
