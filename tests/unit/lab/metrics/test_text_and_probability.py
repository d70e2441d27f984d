"""Text scores as SQuAD has them; calibration and risk-coverage, ties and gaps included."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.lab.errors import BadInput
from chartcite.lab.metrics.calibration import Calibration, reliability
from chartcite.lab.metrics.exact_match import ExactMatch
from chartcite.lab.metrics.risk_coverage import RiskCoverage, curve
from chartcite.lab.metrics.token_f1 import TokenF1
from chartcite.lab.squad import normalised


def test_normalisation_is_squads() -> None:
    assert normalised("The  cat's   A-1C, an (old) one.") == "cats a1c old one"
    assert normalised("Não há") == "não há"


def test_text_scores_take_the_best_reference_and_count_what_is_missing() -> None:
    gold = {"1": ["5 mg", "five mg daily"], "2": ["no"], "3": [], "4": []}
    said = {"1": "Five mg, daily", "3": "", "4": "something"}
    found = ExactMatch().measure(gold, said)
    assert found.per_case("exact_match") == {"1": 1.0, "2": 0.0, "3": 1.0, "4": 0.0}
    assert (found["exact_match"].value, found["exact_match"].missing) == (0.5, 1)
    assert TokenF1().measure(gold, said).per_case("token_f1") == {"1": 1.0, "2": 0.0, "3": 1.0, "4": 0.0}


def test_token_f1_counts_repeated_words_as_often_as_they_occur() -> None:
    found = TokenF1().measure({"1": ["pain pain left"]}, {"1": "pain right"})
    assert found["token_f1"].value == pytest.approx(2 * 1 / 5)


def test_calibration_bins_are_closed_on_the_right_and_zero_is_in_the_first() -> None:
    gold = {"a": True, "b": False, "c": True, "d": True}
    table = reliability(gold, {"a": 0.0, "b": 0.5, "c": 0.51, "d": 1.0}, bins=2)
    assert [b.n for b in table] == [2, 2]
    assert table[0].share_right == 0.5
    assert table[1].mean_probability == pytest.approx(0.755)


def test_a_missing_probability_is_told_and_never_filled_in() -> None:
    found = Calibration().measure({"a": True, "b": True}, {"a": 1.0})
    assert (found["brier"].value, found["brier"].n, found["brier"].missing) == (0.0, 1, 1)
    assert "1 of 2" in found["ece"].reason
    nothing = Calibration().measure({"a": True}, {})
    assert (nothing["ece"].value, nothing["brier"].value) == (None, None)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_refused(wrong: float) -> None:
    with pytest.raises(BadInput):
        Calibration().measure({"a": True}, {"a": wrong})


def test_risk_coverage_done_in_the_head() -> None:
    gold = {"a": True, "b": False, "c": True, "d": True}
    found = RiskCoverage().measure(gold, {"a": 0.9, "b": 0.8, "c": 0.7})
    assert [p.risk for p in curve(gold, {"a": 0.9, "b": 0.8, "c": 0.7})] == [0, 1 / 2, 1 / 3, 2 / 4]
    assert found["aurc"].value == pytest.approx((0 + 1 / 2 + 1 / 3 + 2 / 4) / 4)
    assert found["excess_aurc"].value == pytest.approx((1 / 2 + 1 / 3 + 2 / 4 - 1 / 3 - 2 / 4) / 4)
    assert found["aurc"].missing == 1


def test_equal_confidences_have_the_overall_risk_everywhere() -> None:
    gold = {str(i): i % 4 > 0 for i in range(8)}
    assert [p.risk for p in curve(gold, dict.fromkeys(gold, 0.5))] == pytest.approx([0.25] * 8)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.1, 0.5, 0.9])), min_size=1, max_size=12), st.randoms())
def test_the_order_of_the_input_never_matters(rows: list[tuple[bool, float]], rng: random.Random) -> None:
    cases = [str(i) for i in range(len(rows))]
    shuffled = cases[:]
    rng.shuffle(shuffled)
    found = []
    for ids in (cases, shuffled):
        gold = {c: rows[int(c)][0] for c in ids}
        sure = {c: rows[int(c)][1] for c in ids}
        found.append([s.value for s in RiskCoverage().measure(gold, sure).summaries])
    assert found[0] == pytest.approx(found[1])
    assert found[0][1] is not None
    assert found[0][1] >= -1e-12
