"""Courses of drugs: from which day a dose holds, what ends it, and what is no dose of the patient's."""

from __future__ import annotations

import pytest
from tests.unit.records.reading import courses

from chartcite.records.doses_stated import doses_stated
from chartcite.records.entries import Source
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader


def periods(*notes: tuple[str, str], of: str = "lisinopril") -> list[tuple[str, str | None, str]]:
    return [
        (p.since, p.until, str(p.amount)) for c in courses(*notes, of=of) for e in c.episodes for p in e.periods
    ]  # fmt: skip


def test_a_dose_holds_until_another_is_stated() -> None:
    found = periods(
        ("2020-01-01", "Started lisinopril 10 mg daily."), ("2020-02-01", "Lisinopril 10 mg daily."),
        ("2020-03-01", "Lisinopril increased from 10 mg to 20 mg daily."),
    )  # fmt: skip
    assert found == [("2020-01-01", "2020-03-01", "10 mg"), ("2020-03-01", None, "20 mg")]


def test_a_course_ends_and_begins_again() -> None:
    (course,) = courses(
        ("2020-01-01", "Lisinopril 10 mg daily."), ("2020-02-01", "Lisinopril was held."),
        ("2020-03-01", "Lisinopril 10 mg daily was resumed."), ("2020-04-01", "Stopped lisinopril because of cough."),
        of="lisinopril",
    )  # fmt: skip
    assert [(e.start, e.end, e.ended) for e in course.episodes] == [
        ("2020-01-01", "2020-02-01", "held"), ("2020-03-01", "2020-04-01", "stopped"),
    ]  # fmt: skip
    first, second = course.episodes
    assert not first.start_is_stated
    assert first.dose_on("2020-01-31") is not None
    assert first.dose_on("2020-02-01") is None
    assert second.dose_on("2019-12-31") is None


def test_what_later_lists_leave_out_is_no_longer_taken() -> None:
    drugs = ["Lisinopril 10 mg daily", "Metformin 500 mg BID", "Atorvastatin 20 mg daily", "Aspirin 81 mg daily"]
    full, without = ("Medications:\n" + "\n".join(f"- {d}" for d in rows) for rows in (drugs, drugs[1:]))
    once = [("2020-01-01", full), ("2020-02-01", without)]
    (kept,) = courses(*once, of="lisinopril")
    assert kept.episodes[0].end is None  # one list may have forgotten it
    (course,) = courses(*once, ("2020-03-01", without), of="lisinopril")
    assert (course.episodes[0].end, course.episodes[0].ended) == ("2020-02-01", "left_out")


NOT_TAKEN = {
    "a neighbor's": "Her neighbor takes lisinopril 30 mg once a day and swears by it.",
    "proposed": "We would consider lisinopril 10 mg daily.",
    "denied": "He is not taking lisinopril 10 mg.",
    "suggested": "Suggestion: lisinopril 10 mg daily.",
    "an allergy": "ALLERGIES\nLisinopril 10 mg: cough.",
    "previous": "Previously on lisinopril 20 mg.",
    "too much": "Lisinopril 80 mg would be too much.",
    "avoided": "Avoid lisinopril doses above 40 mg.",
    "an error": "Pharmacy error: lisinopril 80 mg was dispensed.",
    "years ago": "Was on lisinopril 10 mg in 2015.",
    "not done": "Told to take lisinopril 20 mg but did not.",
    "a donor's": "Donor received lisinopril 5 mg.",
    "a study's": "The trial showed lisinopril 20 mg superior.",
    "the highest dose": "Max dose of lisinopril is 80 mg.",
    "once": "Given: lisinopril 10 mg x 1.",
}


@pytest.mark.parametrize("name", NOT_TAKEN)
def test_what_is_no_dose_of_the_patients(name: str) -> None:
    assert periods(("2020-01-01", NOT_TAKEN[name])) == []


ONE_DOSE = {
    "the old one in brackets": ("Restart lisinopril 10 mg daily (was 20 mg).", "10 mg"),
    "what was dispensed": ("Lisinopril 5 mg daily, 30 tablets, no refill.", "5 mg"),
    "steps of a taper": ("Lisinopril 10 mg daily, down by 2.5 mg every two weeks.", "10 mg"),
    "a weight behind it": ("Lisinopril 10 mg daily and left at 77.4 kg.", "10 mg"),
}


@pytest.mark.parametrize("name", ONE_DOSE)
def test_a_sentence_states_one_dose_of_a_drug(name: str) -> None:
    text, amount = ONE_DOSE[name]
    assert [a for *_, a in periods(("2020-01-01", text))] == [amount]


def test_a_stop_that_is_yet_to_come_ends_nothing() -> None:
    (course,) = courses(("2020-01-01", "Lisinopril 10 mg daily for 5 more days, then stop."), of="lisinopril")
    assert course.episodes[0].end is None


def test_a_change_that_is_retold_belongs_to_its_day() -> None:
    found = periods(("2020-05-01", "Last adjustment of lisinopril was 2020-02-03: 10 mg daily to 20 mg daily."))
    assert found[0][0] == "2020-02-03"


NOT_ONE_AMOUNT = {
    "days of the week": "Warfarin 5 mg Mon/Wed/Fri and 2.5 mg other days",
    "the rest unbound": "Warfarin 5 mg Monday, Wednesday, Friday; 2.5 mg all other days",
    "Portuguese": "Varfarina 5 mg seg/qua/sex e 2,5 mg nos outros dias",
    "in turn": "Warfarin 5 mg alternating with 7.5 mg",
    "step by step": "Warfarin 6 mg x 5 d then 4 mg x 5 d then 2 mg",
    "two times of a day": "Warfarin 5 mg in the morning and 2 mg at night",
}


@pytest.mark.parametrize("name", NOT_ONE_AMOUNT)
def test_a_dose_that_is_not_one_amount_is_given_in_its_words(name: str) -> None:
    said = NOT_ONE_AMOUNT[name]
    (course,) = courses(("2020-01-01", f"{said}."), ("2020-01-02", f"He takes {said}."), of="warfarin")
    (period,) = course.episodes[0].periods
    assert (period.amount, period.per_day, period.text, period.varies) == (None, None, said, True)
    assert len(period.sources) == 2
    assert period.to_dict()["varies"] is True
    assert "value" not in period.to_dict()


def test_a_taper_that_ends_is_no_stop_today() -> None:
    (course,) = courses(("2020-01-01", "Warfarin 6 mg x 5 d then 4 mg x 5 d then stop."), of="warfarin")
    assert [(e.end, e.periods[0].text) for e in course.episodes] == [(None, "Warfarin 6 mg x 5 d then 4 mg x 5 d")]


def test_a_plain_dose_after_a_schedule_is_another_period() -> None:
    (course,) = courses(
        ("2020-01-01", "Warfarin 5 mg alternating with 7.5 mg."), ("2020-02-01", "Warfarin 5 mg daily."), of="warfarin"
    )
    assert [(p.since, p.varies, str(p.amount)) for p in course.episodes[0].periods] == [
        ("2020-01-01", True, "None"), ("2020-02-01", False, "5 mg"),
    ]  # fmt: skip


LABELS = {
    "continue below stopped ones": "Stopped medications\nMetformin 500 mg BID\n\nContinue:\nLisinopril 10 mg daily\n",
    "continue behind stop": "STOP taking:\nMetformin 500 mg BID\nCONTINUE:\nLisinopril 10 mg daily\n",
    "Portuguese": "Suspender:\nMetformina 500 mg 12/12h\nManter:\nLisinopril 10 mg 1x/dia\n",
}  # fmt: skip


@pytest.mark.parametrize("name", LABELS)
def test_a_label_says_what_is_done_with_what_stands_below(name: str) -> None:
    notes = [("2020-01-01", "Metformin 500 mg BID. Lisinopril 10 mg daily."), ("2020-02-01", LABELS[name])]
    found = {c.drug: [(e.start, e.end) for e in c.episodes] for c in courses(*notes)}
    assert found == {"metformin": [("2020-01-01", "2020-02-01")], "lisinopril": [("2020-01-01", None)]}


def test_start_as_a_label_is_a_start() -> None:
    (course,) = courses(("2020-01-01", "Start taking:\nLisinopril 10 mg daily\n"), of="lisinopril")
    assert course.episodes[0].start_is_stated


def test_gaps_between_episodes() -> None:
    (course,) = courses(
        ("2020-01-01", "Lisinopril 10 mg daily."), ("2020-02-01", "Lisinopril was held."),
        ("2020-03-01", "Lisinopril 10 mg daily was resumed."), of="lisinopril",
    )  # fmt: skip
    assert course.gaps == (("2020-02-01", "2020-03-01"),)
    assert course.to_dict()["gaps"] == [{"from": "2020-02-01", "to": "2020-03-01"}]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Warfarin (4 mg every evening) was taken off the list secondary to nosebleeds.", "stop"),
        ("[ ] Warfarin - not taking (stopped 1/3/13, nosebleeds)", "stop"),
        ("Warfarin 4 mg daily (no longer taking)", "stop"),
        ("Took warfarin off the list.", "stop"),
        ("Varfarina 4 mg - não usa mais", "stop"),
        ("Varfarina 4 mg foi retirada da lista.", "stop"),
        ("Not taking warfarin as prescribed; takes 2 mg.", ""),
        ("Warfarin should be taken off the list.", ""),
        ("Was warfarin taken off the list?", ""),
        ("Warfarin was not taken off the list.", ""),
        ("Vitamin D under 30 ng/mL.", ""),
    ],
    ids=[
        "off the list", "not taking", "no longer", "took", "nao usa", "retirada", "as prescribed", "should", "asked",
        "not done", "a result",
    ],
)  # fmt: skip
def test_what_stands_behind_a_drug_may_end_it(text: str, action: str) -> None:
    line = Line(text, Source(0, "", 0, 0, len(text), "2013-01-03", quote=text), "2013-01-03")
    assert next((one.action for one in doses_stated(line, FactsReader())), "") == action


def test_only_the_drug_that_is_ended_is_ended() -> None:
    text = "Metoprolol 50 mg bid, lisinopril 10 mg (no longer taking), aspirin 81 mg"
    line = Line(text, Source(0, "", 0, 0, len(text), "2013-01-03", quote=text), "2013-01-03")
    found = {one.drug: one.action for one in doses_stated(line, FactsReader())}
    assert found == {"metoprolol": "dose", "lisinopril": "stop", "aspirin": "dose"}
