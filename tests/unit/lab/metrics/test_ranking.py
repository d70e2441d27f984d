"""Ranking metrics on rankings small enough to do in the head."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.lab.errors import BadInput
from chartcite.lab.metrics.hit_at_k import HitAtK
from chartcite.lab.metrics.map import Map
from chartcite.lab.metrics.mrr import Mrr
from chartcite.lab.metrics.ndcg import Ndcg
from chartcite.lab.metrics.r_precision import RPrecision
from chartcite.lab.metrics.recall_at_k import RecallAtK
from chartcite.lab.ranking import order

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"d": 1}}
RUN = {"q1": {"x": 0.9, "b": 0.8, "a": 0.7}, "q9": {"a": 1.0}}


def test_a_query_without_a_ranking_counts_as_zero_and_a_foreign_one_not_at_all() -> None:
    found = RecallAtK(5).measure(QRELS, RUN)
    summary = found["recall@5"]
    assert (summary.value, summary.n, summary.missing) == (0.5, 2, 1)
    assert found.ignored == ("q9",)
    assert found.per_case("recall@5") == {"q1": 1.0, "q2": 0.0}
    assert [v.reason for v in found.values] == ["", "no ranking"]


def test_values_done_in_the_head() -> None:
    one = {"q1": QRELS["q1"]}
    assert HitAtK(1).measure(one, RUN)["hit@1"].value == 0.0
    assert HitAtK(2).measure(one, RUN)["hit@2"].value == 1.0
    assert Mrr().measure(one, RUN)["mrr"].value == 1 / 2
    assert Mrr(1).measure(one, RUN)["mrr@1"].value == 0.0
    assert Map().measure(one, RUN)["map"].value == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert RPrecision().measure(one, RUN)["r_precision"].value == 1 / 2
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    got = 1 / math.log2(3) + 2 / math.log2(4)
    assert Ndcg().measure(one, RUN)["ndcg@10"].value == pytest.approx(got / ideal)


def test_ties_fall_to_the_greater_id_and_scores_are_single_precision() -> None:
    assert order({"a": 1.0, "b": 1.0}) == ["b", "a"]
    assert order({"a": 0.1 + 1e-10, "b": 0.1}) == ["b", "a"]
    assert order({"a": 0.1 + 1e-6, "b": 0.1}) == ["a", "b"]
    assert order({"a": 1e300, "b": -1e300}) == ["a", "b"]


def test_a_negative_grade_is_not_relevant_and_takes_nothing_away() -> None:
    qrels = {"q": {"a": -1, "b": 1}}
    run = {"q": {"a": 2.0, "b": 1.0}}
    assert Ndcg().measure(qrels, run)["ndcg@10"].value == pytest.approx(1 / math.log2(3))
    assert RecallAtK(1).measure(qrels, run)["recall@1"].value == 0.0


def test_no_query_at_all_is_none_with_a_reason() -> None:
    summary = Ndcg().measure({}, {})["ndcg@10"]
    assert (summary.value, summary.n, summary.reason) == (None, 0, "there is no case")


def test_a_cut_off_below_one_is_refused() -> None:
    with pytest.raises(BadInput, match="cut-off"):
        RecallAtK(0).measure(QRELS, RUN)


scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(allow_nan=False, width=32), min_size=1)


@given(scores, st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), min_size=1))
def test_every_value_lies_between_0_and_1_and_the_best_ranking_gets_1(
    run: dict[str, float], judged: dict[str, int]
) -> None:
    for metric in (RecallAtK(3), HitAtK(3), Mrr(), Ndcg(), Map(), RPrecision()):
        value = metric.measure({"q": judged}, {"q": run}).summaries[0].value
        assert value is not None
        assert 0.0 <= value <= 1.0 + 1e-12
        if any(judged.values()):
            perfect = {doc: float(grade) for doc, grade in judged.items()}
            if not isinstance(metric, RecallAtK):
                best = metric.measure({"q": judged}, {"q": perfect}).summaries[0].value
                assert best == pytest.approx(1.0)
