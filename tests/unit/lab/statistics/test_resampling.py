"""Bootstrap, randomisation, Holm and shares: seeds, clusters, degenerate inputs, the errata's bounds."""

from __future__ import annotations

import pytest

from chartcite.lab.errors import BadInput
from chartcite.lab.statistics.bootstrap import paired_bootstrap
from chartcite.lab.statistics.holm import holm
from chartcite.lab.statistics.proportion import clopper_pearson, wilson
from chartcite.lab.statistics.randomisation import paired_randomisation

FIRST = {f"q{i}": float(i % 3 > 0) for i in range(60)}
SECOND = {f"q{i}": float(i % 2 > 0) for i in range(60)}
PATIENT = {f"q{i}": f"p{i // 10}" for i in range(60)}


def test_the_same_seed_gives_the_same_digits_in_any_order() -> None:
    turned = dict(reversed(FIRST.items()))
    assert paired_bootstrap(FIRST, SECOND, PATIENT, seed=7) == paired_bootstrap(turned, SECOND, PATIENT, seed=7)
    assert paired_bootstrap(FIRST, SECOND, seed=7) != paired_bootstrap(FIRST, SECOND, seed=8)
    assert paired_randomisation(FIRST, SECOND, seed=7) == paired_randomisation(turned, SECOND, seed=7)


def test_questions_of_one_patient_are_drawn_together() -> None:
    # Each patient's questions all agree: there are 6 independent results, not 60.
    first = {q: float(PATIENT[q] in ("p0", "p1", "p2")) for q in FIRST}
    second = dict.fromkeys(first, 0.0)
    alone, together = paired_bootstrap(first, second), paired_bootstrap(first, second, PATIENT)
    assert alone.standard_error is not None
    assert together.standard_error is not None
    assert together.standard_error == pytest.approx(alone.standard_error * 10**0.5, rel=0.05)
    assert (together.n, together.clusters) == (60, 6)
    exact = paired_randomisation(first, second, PATIENT)
    assert (exact.exact, exact.exchanges, exact.p) == (True, 64, 2 * 8 / 64)
    assert paired_randomisation(first, second).p < 0.001


def test_missing_values_count_as_zero_and_foreign_systems_are_refused() -> None:
    assert paired_bootstrap({"a": 1.0, "b": None, "c": 1.0}, {"a": 1.0, "b": 1.0}).difference == 0.0
    with pytest.raises(BadInput, match="in common"):
        paired_bootstrap({"a": 1.0}, {"b": 1.0})
    with pytest.raises(BadInput, match="1 cases have no cluster"):
        paired_randomisation({"a": 1.0, "b": 0.0}, {"a": 1.0}, {"a": "p"})


def test_one_cluster_and_no_difference_are_said() -> None:
    found = paired_bootstrap(FIRST, SECOND, dict.fromkeys(FIRST, "p"))
    assert (found.low, found.high, found.reason) == (None, None, "a single cluster has no spread")
    same = paired_randomisation(FIRST, FIRST)
    assert (same.p, same.difference, same.reason) == (1.0, 0.0, "the systems never differ")


def test_a_sampled_p_is_never_zero_and_close_to_the_exact_one() -> None:
    first = {str(i): float(i) for i in range(12)}
    second = {str(i): float(i % 5) * 1.5 for i in range(12)}
    exact, sampled = paired_randomisation(first, second), paired_randomisation(first, second, samples=4000, seed=3)
    assert (exact.exact, sampled.exact) == (True, False)
    assert sampled.p == pytest.approx(exact.p, abs=0.03)
    clear = paired_randomisation({str(i): 1.0 for i in range(40)}, {str(i): 0.0 for i in range(40)}, samples=999)
    assert clear.p == 1 / 1000


@pytest.mark.parametrize("wrong", [{"level": 1.0}, {"level": 0.0}])
def test_levels_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        paired_bootstrap(FIRST, SECOND, level=wrong["level"])


def test_holm_keeps_order_and_leaves_the_undefined_out_of_the_family() -> None:
    found = holm({"b": 0.04, "a": 0.01, "none": None, "c": 0.03})
    assert [(a.name, a.p_adjusted, a.rejected) for a in found] == [
        ("b", pytest.approx(0.06), False), ("a", pytest.approx(0.03), True), ("none", None, False),
        ("c", pytest.approx(0.06), False),
    ]  # fmt: skip
    assert {a.of for a in found} == {3}
    assert holm({}) == ()
    assert holm({"none": None})[0].reason == "its p value is undefined"
    with pytest.raises(BadInput):
        holm({"a": 1.2})


def test_the_errata_of_papers_001_and_003() -> None:
    verified = wilson(461, 500)
    assert verified.value == pytest.approx(0.922)
    assert verified.low is not None
    assert verified.low < 0.922
    # 200 of 200 supported, by claim; 25 of 25 by query, whose claims are not independent.
    assert clopper_pearson(200, 200).low == pytest.approx(0.982, abs=5e-4)
    assert clopper_pearson(25, 25).low == pytest.approx(0.863, abs=5e-4)
    assert clopper_pearson(200, 200).high == 1.0


def test_no_case_has_no_share() -> None:
    found = wilson(0, 0)
    assert (found.value, found.low, found.reason) == (None, None, "there is no case")
    with pytest.raises(BadInput):
        wilson(3, 2)
