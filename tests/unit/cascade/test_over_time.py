"""Questions over time: which they are, and that the sentences taken are of the right day, never of a later one."""

from __future__ import annotations

import pytest
from tests.unit.records.reading import Notes

from chartcite.cascade.over_time.asked import over_time
from chartcite.cascade.over_time.chosen import stating
from chartcite.cascade.statements import wanted
from chartcite.text.analyser import Analyser

TODAY = "2022-01-01"
ASKED = {
    "How much did the ALT change between 2020-01-02 and 2020-03-04?": ("between", ("2020-01-02", "2020-03-04"), ""),
    "What was the last creatinine before the start of metformin?": ("before", (), "the start of metformin"),
    "Just before the colectomy, how high was the hemoglobin?": ("before", (), "the colectomy"),
    "Which INR was the next one after the end of warfarin?": ("after", (), "the end of warfarin"),
    "Once the start of apixaban was over, how high was the creatinine?": ("after", (), "the start of apixaban"),
    "What was the first creatinine after 2020-01-02?": ("after", ("2020-01-02",), ""),
    "Qual foi o último potássio antes da cirurgia?": ("before", (), "cirurgia"),
    "Which medications was the patient taking on 2020-01-02?": ("medicines", ("2020-01-02",), ""),
    "What is on her current medication list?": ("medicines", (), ""),
    "Quais medicamentos ela usa atualmente?": ("medicines", (), ""),
    "The drug regimen as it stood on 2020-01-02?": ("medicines", ("2020-01-02",), ""),
}
NOT_ASKED = (
    "What is the latest creatinine?",
    "What was the creatinine on 2020-01-02?",
    "Why were her medications changed?",
    "Which medicines is she allergic to?",
    "Which drugs are taken for blood pressure?",
    "Which drugs were given on 2020-01-02?",
    "What medications was she taking before the operation?",
    "What medications was she taking in January 2020?",
    "What medications is her husband taking?",
    "What medications is she no longer taking?",
    "Which medications should she avoid taking?",
    "How often does she take her medications?",
    "Was the patient seen before the operation?",
    "How was the atorvastatin dose changed on 2020-01-02?",
    "What was the highest creatinine after the start of metformin?",
    "What was the latest creatinine after the start of metformin?",
    "What was the first creatinine before the start of metformin?",
    "What was the creatinine since 2020-01-02?",
)
NOTES = Notes((
    ("2020-01-01", "Creatinine 1.0 mg/dL. Hemoglobin 12.1 g/dL."),
    ("2020-02-01", "Started metformin 500 mg BID. Creatinine 1.2 mg/dL."),
    ("2020-03-01", "Creatinine 1.4 mg/dL. Medications:\n- Metformin 500 mg BID\n- Lisinopril 10 mg daily"),
    ("2020-04-01", "Stopped metformin. Creatinine 1.6 mg/dL."),
))  # fmt: skip


@pytest.mark.parametrize("query", ASKED)
def test_questions_for_the_timeline(query: str) -> None:
    kind, days, event = ASKED[query]
    found = over_time(query, wanted(query), TODAY)
    assert found is not None
    assert (found.kind, found.days) == (kind, days)
    assert found.event.removeprefix("a ") == event


@pytest.mark.parametrize("query", NOT_ASKED)
def test_questions_for_the_ranking(query: str) -> None:
    assert over_time(query, wanted(query), TODAY) is None


def quotes(query: str, notes: Notes = NOTES) -> list[str]:
    return [s.quote for s in stating(query, wanted(query), notes, Analyser("en").terms)]  # type: ignore[arg-type]


def test_the_last_value_before_and_the_first_after_an_event() -> None:
    assert quotes("What was the last creatinine before the start of metformin?") == [
        "Creatinine 1.0 mg/dL.", "Started metformin 500 mg BID.",
    ]  # fmt: skip
    assert quotes("What was the first creatinine after the start of metformin?")[0] == "Creatinine 1.4 mg/dL."
    assert quotes("What was the first creatinine after 2020-03-01?") == ["Creatinine 1.6 mg/dL."]


def test_both_ends_of_a_change_or_neither() -> None:
    both = quotes("How much did the creatinine change between 2020-01-01 and 2020-04-01?")
    assert both == ["Creatinine 1.0 mg/dL.", "Creatinine 1.6 mg/dL."]
    assert quotes("How much did the creatinine change between 2020-01-01 and 2020-04-02?") == []


def test_medicines_of_a_day_hold_what_is_taken_then() -> None:
    assert quotes("Which medications was the patient taking on 2020-03-10?") == [
        "- Lisinopril 10 mg daily", "- Metformin 500 mg BID",
    ]  # fmt: skip
    assert quotes("Which medications was the patient taking on 2020-05-01?") == ["- Lisinopril 10 mg daily"]
    assert quotes("Which medications was the patient taking on 2019-05-01?") == []


def test_medicines_that_nobody_spoke_of_for_a_year_are_counted_and_not_listed() -> None:
    told: list[tuple[str, int]] = []
    query = "Which medications was the patient taking on 2021-09-01?"
    found = stating(query, wanted(query), NOTES, Analyser("en").terms, lambda *one: told.append(one))  # type: ignore[arg-type]
    assert found == []
    assert told == [("medicines_not_spoken_of_lately", 1)]
    course = Notes((("2020-01-01", "Lisinopril 10 mg daily."), ("2020-01-01", "Cephalexin 500 mg QID for 5 days.")))
    assert quotes("Which medications was the patient taking on 2020-01-04?", course) == [
        "Cephalexin 500 mg QID for 5 days.", "Lisinopril 10 mg daily.",
    ]  # fmt: skip
    assert quotes("Which medications was the patient taking on 2020-03-01?", course) == ["Lisinopril 10 mg daily."]


def test_listed_medicines_without_a_dose_are_counted() -> None:
    told: list[tuple[str, int]] = []
    notes = Notes((("2020-01-01", "Medications:\n- Lisinopril 10 mg daily\n- Fluticasone as needed\n- Insulin\n"),))
    query = "What medications is she taking?"
    found = stating(query, wanted(query), notes, Analyser("en").terms, lambda *one: told.append(one))  # type: ignore[arg-type]
    assert [s.quote for s in found] == ["- Lisinopril 10 mg daily"]
    assert told == [("medicines_without_a_dose", 2)]


def test_an_event_with_two_days_is_not_guessed() -> None:
    twice = Notes((*NOTES.notes, ("2020-05-01", "Started metformin 500 mg BID again. Creatinine 1.1 mg/dL.")))
    assert quotes("What was the last creatinine before the start of metformin?", twice) == []


def test_an_unknown_event_leaves_the_question_to_the_ranking() -> None:
    assert quotes("What was the last creatinine before the start of digoxin?") == []
    assert quotes("What was the last creatinine before the colectomy?") == []
