"""What is planned for a drug is not done; what is no longer taken has ended; a day of a month is no dose."""

from __future__ import annotations

import pytest
from tests.unit.records.reading import courses

BEFORE = {"en": ("2020-01-01", "Metformin 500 mg BID."), "pt": ("2020-01-01", "Metformina 500 mg 2x/dia.")}


def after(text: str, lang: str) -> tuple[str | None, list[str]]:
    """How the only course of metformin ends, and the numbers of its doses."""
    (course,) = courses(BEFORE[lang], ("2020-03-01", text), of="metformin", lang=lang)
    (episode,) = course.episodes
    return episode.ended, [str(period.amount) for period in episode.periods]


PLANNED = [
    ("en", "Hold metformin if Cr > 2."),
    ("en", "Plan: hold metformin 48 h before colonoscopy 3/25."),
    ("en", "Increase metformin to 1000 mg BID if A1c > 8."),
    ("en", "Increase metformin to 1000 mg BID in 2 weeks."),
    ("en", "Told to stop metformin if vomiting."),
    ("en", "Stop metformin on 2020-03-10."),
    ("en", "Stop metformin tomorrow."),
    ("en", "Metformin 500 mg BID, hold for SBP < 100."),
    ("en", "Metformin never stopped."),
    ("en", "Resume metformin 3/10."),
    ("pt", "Suspender metformina se Cr > 2."),
    ("pt", "Suspender metformina 48 h antes da tomografia."),
    ("pt", "Aumentar metformina para 1 g 12/12h se HbA1c > 8."),
]
ENDED = [
    ("en", "Off metformin x 1 month."),
    ("en", "She is off metformin."),
    ("en", "No longer taking aspirin or metformin."),
    ("en", "Not taking metformin."),
    ("en", "Patient quit taking metformin."),
    ("en", "Stop metformin, call if vomiting."),
    ("en", "Stop metformin and start insulin glargine 10 units next week."),
    ("en", "Stopped metformin when Cr was 2."),
    ("pt", "Não usa mais metformina."),
    ("pt", "Parou de tomar metformina."),
    ("pt", "Suspendo metformina."),
]


@pytest.mark.parametrize(("lang", "text"), PLANNED, ids=lambda v: v)
def test_a_plan_changes_nothing(lang: str, text: str) -> None:
    assert after(text, lang) == (None, ["500 mg"])


@pytest.mark.parametrize(("lang", "text"), ENDED, ids=lambda v: v)
def test_what_is_no_longer_taken_has_ended(lang: str, text: str) -> None:
    assert after(text, lang)[0] == "stopped"


def test_a_hold_is_done_though_the_restart_is_planned() -> None:
    assert after("Hold metformin, restart in 2 weeks.", "en") == ("held", ["500 mg"])


@pytest.mark.parametrize(
    "text",
    ["Start metformin 1000 mg BID before meals.", "Increase metformin to 1000 mg BID, recheck labs in 2 weeks."],
    ids=["meals", "recheck"],
)
def test_what_else_is_planned_does_not_undo_a_dose(text: str) -> None:
    assert after(text, "en") == (None, ["500 mg", "1000 mg"])


def test_a_unit_of_blood_is_no_medicine() -> None:
    assert courses(("2020-01-01", "Received 2 u PRBC.")) == []


def test_a_pair_of_numbers_of_a_combination_is_a_dose() -> None:
    assert [c.drug for c in courses(("2020-01-01", "Percocet 5/325 q6h prn."))] != []


def test_the_drug_that_takes_its_place_is_taken() -> None:
    found = courses(
        ("2020-01-01", "Warfarin 5 mg daily."), ("2020-03-01", "Not taking warfarin: now apixaban 5 mg BID.")
    )
    assert {c.drug: c.episodes[-1].ended for c in found} == {"apixaban": None, "warfarin": "stopped"}
