"""Fusion: expectations written as arithmetic."""

from __future__ import annotations

import pytest

from chartcite.retrieval.fusion import convex_combination, reciprocal_rank_fusion


@pytest.mark.parametrize(
    ("lists", "k", "expected"),
    [
        # in both lists, low, beats the first of one list
        ([["s", "t", "u"], ["v", "w", "u"]], 60,
         {"u": 1 / 63 + 1 / 63, "s": 1 / 61, "v": 1 / 61, "t": 1 / 62, "w": 1 / 62}),
        # with k = 1 the same item does not
        ([["s", "t", "u", "x"], ["v", "w", "y", "x"]], 1,
         {"s": 1 / 2, "v": 1 / 2, "x": 2 / 5, "t": 1 / 3, "w": 1 / 3, "u": 1 / 4, "y": 1 / 4}),
        ([["s", "t", "u", "x"], ["v", "w", "y", "x"]], 60,
         {"x": 2 / 64, "s": 1 / 61, "v": 1 / 61, "t": 1 / 62, "w": 1 / 62, "u": 1 / 63, "y": 1 / 63}),
        # twice in one list counts once, and the next moves up
        ([["a", "a", "b"], ["b"]], 60, {"b": 1 / 62 + 1 / 61, "a": 1 / 61}),
        ([[], ["a", "b"]], 60, {"a": 1 / 61, "b": 1 / 62}),
        ([[], []], 60, {}),
        ([], 60, {}),
        ([["a", "b"], ["b", "a"], ["b"]], 60, {"b": 1 / 62 + 2 / 61, "a": 1 / 61 + 1 / 62}),
        ([["a", "b"], ["b", "a"]], 60, {"a": 1 / 61 + 1 / 62, "b": 1 / 61 + 1 / 62}),  # a tie: by the item
        ([["b"], ["a"], ["c"]], 0, {"a": 1.0, "b": 1.0, "c": 1.0}),
    ],
)  # fmt: skip
def test_table(lists: list[list[str]], k: int, expected: dict[str, float]) -> None:
    found = reciprocal_rank_fusion(lists, k)
    assert [item for item, _ in found] == list(expected)
    assert [score for _, score in found] == pytest.approx(list(expected.values()), abs=1e-12)


def test_weights() -> None:
    found = reciprocal_rank_fusion([["a", "b"], ["b", "a"]], 60, [1.0, 2.0])
    assert [item for item, _ in found] == ["b", "a"]
    assert [score for _, score in found] == pytest.approx([1 / 62 + 2 / 61, 1 / 61 + 2 / 62])
    with pytest.raises(ValueError, match="shorter"):
        reciprocal_rank_fusion([["a"], ["b"]], 60, [1.0])


@pytest.mark.parametrize(
    ("lists", "weights", "expected"),
    [
        ([[("a", 10.0), ("b", 5.0), ("c", 0.0)], [("c", 0.9), ("b", 0.8), ("a", 0.5)]], None,
         {"a": 0.5, "b": 0.25 + 0.375, "c": 0.5}),
        ([[("a", 10.0), ("b", 0.0)], [("b", 3.0), ("a", 1.0)]], [1.0, 3.0], {"a": 0.25, "b": 0.75}),
        ([[("a", 2.0)], [("b", 3.0), ("a", 1.0)]], None, {"a": 0.5, "b": 0.5}),  # a list of one counts in full
        ([[("a", 2.0), ("b", 2.0)], []], None, {"a": 1.0, "b": 1.0}),  # an empty list takes no share
        ([[("a", 2.0), ("a", 4.0), ("b", 0.0)]], None, {"a": 1.0, "b": 0.0}),  # twice counts at its best
        ([[("a", 2.0)], [("b", 1.0)]], [0.0, 0.0], {"a": 0.0, "b": 0.0}),
        ([], None, {}),
    ],
)  # fmt: skip
def test_convex_table(
    lists: list[list[tuple[str, float]]], weights: list[float] | None, expected: dict[str, float]
) -> None:
    found = convex_combination(lists, weights)
    assert dict(found) == pytest.approx(expected)
    assert [item for item, _ in found] == sorted(expected, key=lambda item: (-dict(found)[item], item))


def test_convex_is_blind_to_the_scale_of_a_list() -> None:
    lists = [[("a", 7.0), ("b", 4.0), ("c", 1.0)], [("c", 0.6), ("d", 0.55)]]
    scaled = [[(item, 100 * score - 3) for item, score in lists[0]], lists[1]]
    assert [item for item, _ in convex_combination(scaled)] == [item for item, _ in convex_combination(lists)]
    assert convex_combination(lists) == convex_combination(lists[::-1])
