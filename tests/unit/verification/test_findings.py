"""Which findings of two documents cannot both be right, and which only look alike. All sentences are invented."""

from __future__ import annotations

import pytest

from chartcite.core.conflict import Statement
from chartcite.verification.findings import between_documents, finding_conflicts, findings

OPPOSITE = [
    ("30 mL/kg of crystalloid lowered mortality compared with early vasopressors.",
     "In septic shock, giving 30 mL/kg of crystalloid early did not lower mortality."),
    ("Dexamethasone reduced mortality.", "Dexamethasone had no effect on mortality."),
    ("Dexamethasone reduced mortality.", "Mortality did not differ with dexamethasone."),
    ("Mortality was lower with dexamethasone than with placebo.", "Dexamethasone raised mortality."),
    ("Vitamin D supplements reduced the risk of falls.", "Vitamin D supplements did not prevent falls."),
    ("Bridging with heparin increased bleeding.", "Heparin bridging never increased bleeding."),
    ("Zinc lozenges shortened colds.", "Zinc lozenges prolonged colds."),
    ("Daily weighing improved survival.", "Daily weighing did not improve survival."),
    ("Statin use was not associated with cataract.", "Statin use increased cataract risk."),
    ("Fever was less common after paracetamol.", "Paracetamol did not prevent fever."),
    ("Early feeding reduced infections but not deaths.", "Infections were similar with early feeding."),
]  # fmt: skip
NO_CONFLICT = [
    # another thing was done
    ("Calcium supplements reduced falls.", "Vitamin D supplements did not reduce falls."),
    ("Norepinephrine lowered mortality in septic shock.", "Crystalloid did not lower mortality in septic shock."),
    # another outcome
    ("Dexamethasone reduced mortality.", "Dexamethasone did not reduce length of stay."),
    ("Metformin lowered weight.", "Metformin did not lower blood pressure."),
    ("Variants diminished regulatory cell function.", "The variants promoted development of regulatory cells."),
    # the lack of it
    ("Aire deficiency decreases thymic expression.", "Aire promotes thymic expression."),
    ("Stopping aspirin increased bleeding.", "Aspirin lowered bleeding."),
    # the same way
    ("Dexamethasone reduced mortality.", "Mortality was lower with dexamethasone."),
    ("Dexamethasone did not reduce mortality.", "There was no difference in mortality with dexamethasone."),
    # no finding
    ("Dexamethasone is a corticosteroid.", "Mortality was the primary outcome."),
    ("Guidelines have long asked for 30 mL/kg of crystalloid.", "Crystalloid did not lower mortality."),
    ("Stop metformin below an eGFR of 30.", "Metformin lowers glucose."),
    # figures of two studies differ, and both can be right
    ("Death occurred in 21.0 % of the large-volume group.", "Death occurred in 24.1 % of the liberal group."),
    ("Lower doses of warfarin were used.", "Warfarin doses were higher after surgery."),
]


@pytest.mark.parametrize(("one", "other"), OPPOSITE)
def test_opposite_findings(one: str, other: str) -> None:
    for claim, said in ((one, other), (other, one)):
        (found,) = finding_conflicts(claim, [Statement("Nothing of the sort."), Statement(said)])
        assert (found.index, found.kind) == (1, "direction")
        assert 0 <= found.span.start < found.span.end <= len(said)
        assert not any(word in found.why for word in said.lower().split() if len(word) > 7)


@pytest.mark.parametrize(("one", "other"), NO_CONFLICT)
def test_what_can_both_be_right(one: str, other: str) -> None:
    for claim, said in ((one, other), (other, one)):
        assert between_documents(claim, "2019", [Statement(said, (), "2019")]) == []


def test_the_parts_of_a_finding() -> None:
    (found,) = findings(
        "For adults without diabetes, early feeding did not reduce wound infections compared with fasting."
    )
    assert (found.effect, sorted(found.outcome)) == ("none", ["infection", "wound"])
    assert "fasting" not in found.exposure
    assert "diabetes" not in found.exposure


def test_what_lasts_is_compared_too_and_each_statement_once() -> None:
    found = between_documents("Penicillin allergy.", "", [Statement("No penicillin allergy."), Statement("Well.")])
    assert [(one.index, one.kind) for one in found] == [(0, "negation")]


def test_a_wall_of_text_holds_no_finding() -> None:
    assert findings("Dexamethasone reduced mortality. " * 30) == ()
