"""The full verdict: what the bundled model may lift, what a user's model may, and what neither touches."""

from __future__ import annotations

import math

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.full import UserModel, full_check
from chartcite.verification.grounding import GroundingModel, load_grounding
from chartcite.verification.verdicts import Source

NOTE = [Source("a", "Metoprolol 25 mg twice daily was started for atrial fibrillation.")]


class Judge:
    """A model that always says the same."""

    name = "judge"
    fingerprint = "0"

    def __init__(self, score: float | None) -> None:
        self.score = score

    def entailment(self, claim: str, text: str) -> float | None:
        return self.score


def test_the_bundled_model_scores_what_the_rules_read() -> None:
    good = full_check("Metoprolol was started for atrial fibrillation.", NOTE)
    bad = full_check("Metoprolol 50 mg was started for atrial fibrillation.", NOTE)
    assert good.verified
    assert not bad.verified
    assert good.grounded is not None
    assert bad.grounded is not None
    assert bad.verdict != "supported"
    assert 0 <= bad.grounded.score < load_grounding().threshold <= good.grounded.score <= 1
    assert good.grounded.by == "accounting"


def test_verified_is_never_a_models_word() -> None:
    claim = "The metoprolol is helpful against palpitations."
    lifted = full_check(claim, NOTE, UserModel(Judge(0.99), 0.5))
    assert lifted.verified is check_claim(claim, NOTE).verified is False
    assert lifted.verdict == "supported"
    assert "judge" in lifted.reason


@pytest.mark.parametrize("score", [None, 0.49])
def test_a_users_model_below_its_threshold_or_without_an_answer_lifts_nothing(score: float | None) -> None:
    checked = full_check("The metoprolol is helpful against palpitations.", NOTE, UserModel(Judge(score), 0.5))
    assert checked.verdict != "supported"
    assert (checked.grounded is None) is (score is None)


def test_a_users_model_never_lifts_a_veto() -> None:
    checked = full_check("Metoprolol 50 mg was started.", NOTE, UserModel(Judge(1.0), 0.5))
    assert checked.vetoes
    assert checked.verdict != "supported"


def test_without_sources_or_word_for_word_no_model_is_asked() -> None:
    assert full_check("Anything.", []).grounded is None
    assert full_check(NOTE[0].text, NOTE).grounded is None


def test_a_model_stays_between_0_and_1() -> None:
    model = GroundingModel({"x": 1e6}, 0.0, 0.5)
    assert [model.probability({"x": s}) for s in (1.0, -1.0)] == pytest.approx([1, 0])
    assert math.isclose(model.probability({"unknown": 5.0}), 0.5)
