"""Evidence, alignment, citations: who counts, what an empty side means, micro against macro."""

from __future__ import annotations

import pytest

from chartcite.lab.measured import Measured
from chartcite.lab.metrics.alignment import Alignment
from chartcite.lab.metrics.citation import Citation, CitedSentence
from chartcite.lab.metrics.evidence import Evidence, EvidenceKey

KEY = {
    "1": EvidenceKey(frozenset({"2", "5"}), frozenset({"7"})),
    "2": EvidenceKey(frozenset()),
    "3": EvidenceKey(frozenset({"1"})),
}


def _values(found: Measured, average: str) -> list[float | None]:
    return [s.value for s in found.summaries if f".{average}." in s.measure]


def test_strict_lenient_and_the_rule_of_2025_differ_on_a_supplementary_sentence() -> None:
    key, picked = {"1": KEY["1"]}, {"1": ["2", "7"]}
    assert _values(Evidence("strict").measure(key, picked), "micro") == [1 / 2, 1 / 2, 1 / 2]
    assert _values(Evidence("lenient").measure(key, picked), "micro") == [1.0, 1 / 2, pytest.approx(2 / 3)]
    assert _values(Evidence("lenient_2025").measure(key, picked), "micro") == [1.0, 2 / 3, pytest.approx(0.8)]


def test_both_sides_empty_is_right_one_side_empty_is_wrong() -> None:
    found = Evidence().measure(KEY, {"1": [], "2": [], "3": ["9"]})
    assert found.per_case("evidence.strict.f1") == {"1": 0.0, "2": 1.0, "3": 0.0}
    assert _values(found, "macro") == [pytest.approx(1 / 3)] * 3
    assert _values(found, "micro") == [0.0, 0.0, 0.0]


def test_a_missing_case_is_wrong_even_where_nothing_was_to_be_found() -> None:
    found = Evidence().measure({"2": KEY["2"]}, {})
    assert found.per_case("evidence.strict.f1") == {"2": 0.0}
    assert found["evidence.strict.micro.f1"].value == 0.0
    assert found["evidence.strict.macro.f1"].missing == 1


def test_micro_pools_the_counts() -> None:
    found = Evidence().measure(KEY, {"1": ["2", "5", "6"], "2": ["1"], "3": ["1"]})
    assert _values(found, "micro") == [3 / 5, 1.0, pytest.approx(0.75)]


def test_the_shared_tasks_own_figures_hang_together() -> None:
    # Paper 002: alignment P 83.8 and R 71.1 give F1 76.9; strict evidence F1 60.2 with P 58.4 implies R 62.1.
    assert pytest.approx(76.9, abs=0.05) == 2 * 83.8 * 71.1 / (83.8 + 71.1)
    assert pytest.approx(62.1, abs=0.05) == 60.2 * 58.4 / (2 * 58.4 - 60.2)


def test_alignment_has_no_reward_for_two_empty_sides() -> None:
    found = Alignment().measure({"1": [], "2": [("a", "1")]}, {"1": [], "2": [("a", "1"), ("b", "1"), ("a", "1")]})
    assert found.per_case("alignment.f1") == {"1": 0.0, "2": pytest.approx(2 / 3)}
    assert found["alignment.micro.precision"].value == 1 / 2


def test_citation_f1_is_the_harmonic_mean_of_supported_sentences_and_supporting_citations() -> None:
    answer = [CitedSentence(True, (True, False)), CitedSentence(True, (True,)), CitedSentence(False, (False,))]
    found = Citation().measure({"1": None}, {"1": answer})
    assert _values(found, "micro") == [2 / 4, 2 / 3, pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))]
    assert (found["citation.micro.precision"].n, found["citation.micro.precision"].unit) == (4, "citations")


def test_a_sentence_without_a_citation_is_not_supported_whatever_is_said_of_it() -> None:
    found = Citation().measure({"1": None}, {"1": [CitedSentence(True)]})
    assert _values(found, "micro") == [None, 0.0, 0.0]
    assert found["citation.micro.precision"].reason == "no sentence cites anything"
    assert found["citation.macro.precision"].value is None


def test_a_missing_answer_counts_in_the_mean_over_cases() -> None:
    found = Citation().measure({"1": None, "2": None, "3": None}, {"1": [CitedSentence(True, (True,))], "3": []})
    assert found["citation.macro.f1"].value == pytest.approx(1 / 3)
    assert found["citation.micro.f1"].missing == 1
    assert [v.reason for v in found.values][3:9:3] == ["no prediction", "an answer without sentences"]
