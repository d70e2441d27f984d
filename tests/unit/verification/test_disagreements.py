"""Which statements of a record cannot be true together, and which only differ in time."""

from __future__ import annotations

import pytest

from chartcite.core.conflict import Statement
from chartcite.verification.disagreements import disagreements

DAY, LATER = "2020-01-01", "2021-06-30"


@pytest.mark.parametrize(
    ("claim", "other", "date", "kind"),
    [
        ("Penicillin allergy.", "No penicillin allergy.", LATER, "negation"),
        ("Allergic to sulfa.", "Allergies: NKDA", LATER, "negation"),
        ("Allergies: NKDA", "Allergic to latex.", LATER, "negation"),
        ("The patient has a history of diabetes.", "Denies diabetes.", LATER, "negation"),
        ("Left nephrectomy in 2012.", "Right nephrectomy in 2012.", LATER, "side"),
        ("Splenectomy in 2001.", "Splenectomy in 2006.", LATER, "date"),
        ("Smoking history of 41 pack-years.", "Smoking history of 22 pack-years.", LATER, "number"),
        ("Denies fever.", "Reports fever.", DAY, "negation"),
        ("Reports fever.", "Denies fever.", LATER, None),
        ("Potassium 5.9 mmol/L.", "Potassium 4.1 mmol/L.", LATER, None),
        ("Left knee injection on 2014-02-19.", "Left knee injection on 2012-08-15.", LATER, None),
        ("Penicillin allergy.", "No known allergies to food.", LATER, None),
        ("Penicillin allergy.", "Takes lisinopril for hypertension.", LATER, None),
        ("Penicillin allergy.", "Penicillin allergy, hives as a child.", LATER, None),
    ],
)
def test_disagreement(claim: str, other: str, date: str, kind: str | None) -> None:
    found = disagreements(claim, DAY, [Statement("Nothing of the sort."), Statement(other, (), date)])
    assert [(d.index, d.kind) for d in found] == ([(1, kind)] if kind else [])
    assert all(0 <= d.span.start < d.span.end <= len(other) for d in found)
    assert not any(word in d.why for d in found for word in other.lower().split() if len(word) > 7)


def test_a_wall_of_text_is_passed_over() -> None:
    assert disagreements("Penicillin allergy. " * 100, DAY, [Statement("No penicillin allergy.")]) == []
    assert disagreements("Penicillin allergy.", DAY, [Statement("No penicillin allergy. " * 100)]) == []
