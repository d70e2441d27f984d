"""Values by day: which day a number belongs to, what is no result, corrections, units."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.records.reading import one, told, values

NOTE = "2021-06-14"
DAYS = {
    "the note's": ("Creatinine 1.3 mg/dL.", [(NOTE, "1.3 mg/dL")]),
    "its own": ("Creatinine was 1.3 mg/dL on 2021-05-02.", [("2021-05-02", "1.3 mg/dL")]),
    "behind a comma": ("Creatinine 1.3 mg/dL, reached 05/29/2021.", [("2021-05-29", "1.3 mg/dL")]),
    "the head's": ("2021-06-10 creatinine 1.3 mg/dL.", [("2021-06-10", "1.3 mg/dL")]),
    "a head without a year": ("Labs 6/10: creatinine 1.3 mg/dL, K 4.5.", [("2021-06-10", "1.3 mg/dL")]),
    "a head of last year": ("Labs 12/20: creatinine 1.3 mg/dL.", [("2020-12-20", "1.3 mg/dL")]),
    "both of a comparison": (
        "Creatinine 1.3 mg/dL against 1.1 mg/dL on 2020-01-23.",
        [("2020-01-23", "1.1 mg/dL"), (NOTE, "1.3 mg/dL")],
    ),
    "since": (
        "Since 7 Sep 2020 the creatinine went from 0.9 mg/dL to 1.3 mg/dL.",
        [("2020-09-07", "0.9 mg/dL"), (NOTE, "1.3 mg/dL")],
    ),
    "a reason of what was done": (
        "Last change of lisinopril was 19 Oct 2020: 10 mg to 5 mg, for a creatinine of 1.9 mg/dL.",
        [("2020-10-19", "1.9 mg/dL")],
    ),
    "a month": ("Creatinine 1.3 mg/dL (1.1 in February).", [("2021-02", "1.1 mg/dL"), (NOTE, "1.3 mg/dL")]),
    "between name and number": ("Creatinine on 2021-05-02 was 1.3 mg/dL.", [("2021-05-02", "1.3 mg/dL")]),
    "a month with its year": ("Creatinine 1.9 mg/dL in March 2018.", [("2018-03", "1.9 mg/dL")]),
    "a year": ("Creatinine 1.9 mg/dL in 2015.", [("2015", "1.9 mg/dL")]),
    "a cell of a row": (
        "Test: Creatinine | 1.3 mg/dL | 0.5-1.2 | Collected: 2021-05-02 13:54", [("2021-05-02", "1.3 mg/dL")]
    ),
    "brackets in a cell": (
        "Creatinine [0.5-1.2] | 1.3 mg/dL; (05/29/2021 22:25:00 America/Chicago)", [("2021-05-29", "1.3 mg/dL")]
    ),
    "a cell of what comes": ("Creatinine | 1.3 mg/dL | 0.5-1.2 | Next date: 2021-05-02", [(NOTE, "1.3 mg/dL")]),
    "yesterday": ("Creatinine yesterday 1.3 mg/dL.", [("2021-06-13", "1.3 mg/dL")]),
    "a weekday of the week before": ("Creatinine 1.9 mg/dL last Friday.", [("2021-06-11", "1.9 mg/dL")]),
    "a month of last year": ("Creatinine 1.1 mg/dL (October).", [("2020-10", "1.1 mg/dL")]),
}  # fmt: skip
NOTHING = {
    "a goal": "Goal creatinine below 1.3 mg/dL.",
    "a condition": "Call if creatinine is above 2.0 mg/dL.",
    "until": "Continue until creatinine is 1.3 mg/dL or below.",
    "another time": "Creatinine 1.3 mg/dL two weeks ago.",
    "the worst": "Creatinine 2.4 mg/dL at its worst.",
    "arrival": "On arrival creatinine was 2.4 mg/dL.",
    "a relative's": "Her brother had a creatinine of 5.0 mg/dL.",
    "a count of days": "Check creatinine on day 3 of any antibiotic.",
    "her sister's": "Creatinine 7.7 mg/dL was her sister's.",
    "a donor's": "Donor creatinine 0.8 mg/dL.",
    "another patient's": "The creatinine of 7.1 mg/dL belongs to another patient.",
    "months ago": "Creatinine 1.9 mg/dL 3 months ago.",
    "a laboratory's error": "Lab error: creatinine 9.9 mg/dL.",
    "entered in error": "Creatinine of 70 mg/dL was entered in error.",
    "a range": "Creatinine has been 1.1-1.3 mg/dL.",
    "a day that no calendar has": "On 30 Feb 2020 creatinine was 1.3 mg/dL.",
    "another": "Creatinine 1.3 mg/dL on 31/04/2020.",
}


@pytest.mark.parametrize("name", DAYS)
def test_the_day_of_a_value(name: str) -> None:
    text, expected = DAYS[name]
    assert told((NOTE, text)) == expected


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_no_result_of_a_day(name: str) -> None:
    assert told((NOTE, NOTHING[name])) == []


def test_a_family_section_is_not_the_patients() -> None:
    assert told((NOTE, "FAMILY HISTORY\nMother, creatinine 4.0 mg/dL.")) == []


def test_an_undated_note_places_nothing() -> None:
    assert told(("", "Creatinine 1.3 mg/dL.")) == []


def test_a_report_speaks_of_its_specimen() -> None:
    report = "Collected: 3 Aug 2021 07:31\n\nPANEL\nCreatinine ............... 1.30 mg/dL (0.60-1.20) *H*\n"
    (value,) = one(("2021-08-04", report))
    assert (value.day, str(value.amount), value.flag) == ("2021-08-03", "1.3 mg/dL", "high")


def test_a_specimen_holds_for_its_panel_only() -> None:
    note = (
        "Collected: 2024-03-01\nCreatinine 1.1 mg/dL\nOn 2024-03-08 creatinine was 1.4 mg/dL.\n\n"
        "EXAM\nCreatinine 1.6 mg/dL today."
    )
    assert told(("2024-03-10", note)) == [
        ("2024-03-01", "1.1 mg/dL"), ("2024-03-08", "1.4 mg/dL"), ("2024-03-10", "1.6 mg/dL"),
    ]  # fmt: skip


def test_what_is_put_right_in_the_patient_corrects_no_result() -> None:
    found = one(
        ("2024-03-10T08:00", "Potassium 2.9 mmol/L."),
        ("2024-03-10T18:00", "Hypokalemia corrected, potassium 4.0 mmol/L."),
        of="potassium",
    )
    assert [v.standing for v in found] == ["stated", "stated"]


def test_columns_have_their_own_days() -> None:
    table = (
        "Test          2016-02-26     2016-05-11     unit       reference\n"
        "Creatinine    68             66             umol/L     45-90\n"
        "Sodium        140            141            mmol/L     137-145\n"
    )
    assert told(("2016-05-12", table)) == [("2016-02-26", "68 umol/L"), ("2016-05-11", "66 umol/L")]


def test_a_limit_beside_a_result_is_no_result() -> None:
    for row in (
        "| Creatinine | 1.3 | mg/dL | H | <1.2 |",
        "Creatinine     1.3  H    mg/dL      <1.2",
        "Creatinine     1.3 mg/dL          <1.2",
    ):
        (value,) = one((NOTE, row))
        assert (str(value.amount), value.reference) == ("1.3 mg/dL", "<1.2"), row


def test_a_flag_letter_is_no_unit() -> None:
    (value,) = one((NOTE, "INR                 2.0  H              0.9-1.1"), of="INR")
    assert (value.amount.unit, value.flag) == ("", "high")


def test_what_is_retold_joins_its_day() -> None:
    notes = (("2021-06-10", "Creatinine 1.3 mg/dL."), ("2021-06-14", "Creatinine was 1.3 mg/dL on 2021-06-10."))
    (value,) = one(*notes)
    assert value.standing == "stated"
    assert [s.written for s in value.sources] == ["2021-06-10", "2021-06-14"]
    (alone,) = one(notes[1])
    assert alone.standing == "retold"


def test_an_undated_number_that_the_days_report_denies_is_that_of_the_day_that_has_it() -> None:
    notes = (
        ("2021-06-01", "Collected: 2021-06-01\nCreatinine 2.4 mg/dL"),
        ("2021-06-09", "Collected: 2021-06-09\nCreatinine 1.3 mg/dL"),
        ("2021-06-09T15:00", "Came in with a creatinine of 2.4 mg/dL."),
    )
    assert told(*notes) == [("2021-06-01", "2.4 mg/dL"), ("2021-06-09", "1.3 mg/dL")]


def test_an_unchanged_value_is_there_on_both_days() -> None:
    note = (NOTE, "Creatinine 1.3 mg/dL, was 1.3 mg/dL on 2021-05-02.")
    assert told(note) == [("2021-05-02", "1.3 mg/dL"), (NOTE, "1.3 mg/dL")]
    apart = (NOTE, "Creatinine was 1.3 mg/dL on 2021-05-02. Today's creatinine is 1.3 mg/dL.")
    assert told(apart) == [("2021-05-02", "1.3 mg/dL"), (NOTE, "1.3 mg/dL")]


def test_a_correction_marks_what_it_corrects() -> None:
    named = one(
        ("2021-06-10", "Creatinine 5.3 mg/dL."),
        ("2021-06-11", "Creatinine for the 10 Jun 2021 specimen has been amended from 5.3 mg/dL to 1.3 mg/dL."),
    )
    assert [(v.day, v.amount.digits, v.standing) for v in named] == [
        ("2021-06-10", "5.3", "corrected"), ("2021-06-10", "1.3", "correction"),
    ]  # fmt: skip
    unnamed = one(
        ("2021-06-10", "Creatinine 5.3 mg/dL."), ("2021-06-11", "Corrected result, 10 Jun 2021: creatinine 1.3 mg/dL.")
    )
    assert {v.amount.digits: v.standing for v in unnamed} == {"5.3": "corrected", "1.3": "correction"}


def test_corrected_calcium_corrects_nothing() -> None:
    (value,) = one((NOTE, "Corrected calcium 9.1 mg/dL."), of="calcium")
    assert value.standing == "stated"


def test_units_are_converted_beside_what_was_written_or_not_at_all() -> None:
    (found,) = values(
        ("2021-01-01", "Creatinine 1.0 mg/dL."), ("2021-02-01", "Creatinine 1.1 mg/dL."),
        ("2021-03-01", "Creatinine 106 umol/L."), of="creatinine",
    )  # fmt: skip
    assert (found.unit, found.unit_conflict) == ("mg/dL", False)
    other = found.values[2]
    assert str(other.amount) == "106 umol/L"
    assert other.converted is not None
    assert other.converted.number == pytest.approx(1.199, abs=0.001)


def test_units_that_lead_nowhere_are_shown_as_a_conflict() -> None:
    (found,) = values(
        ("2021-01-01", "Troponin 0.8 ng/mL."), ("2021-02-01", "Troponin 12 U/L."), of="troponin"
    )  # fmt: skip
    assert found.unit_conflict == (len(found.units) > 1)
    assert all(v.converted is None for v in found.values)


def test_portuguese_days_come_first() -> None:
    assert told(("2009-11-09", "BNP 595 pg/mL (02/11/2009)."), of="BNP", lang="pt") == [("2009-11-02", "595 pg/mL")]


def test_an_american_record_shows_its_order() -> None:
    note = "DATE: 06/14/2021\nCreatinine was 1.3 mg/dL on 06/02/2021."
    assert told((NOTE, note)) == [("2021-06-02", "1.3 mg/dL")]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.dates(min_value=date(2001, 1, 1)), st.integers(1, 99)), max_size=8))
def test_every_stated_number_is_there_once_a_day_in_order(rows: list[tuple[object, int]]) -> None:
    notes = [(str(day), f"Creatinine {number / 10} mg/dL.") for day, number in rows]
    found = one(*notes)
    assert [v.day for v in found] == sorted(v.day for v in found)
    expected = {(str(day), Fraction(number, 10)) for day, number in rows}
    assert {(v.day, v.amount.low) for v in found} == expected
    assert len(found) == len(expected)


def test_of_two_units_written_as_often_the_one_is_taken_that_others_convert_into() -> None:
    (found,) = values(
        ("2020-01-01", "Creatinine 1.1 mg/dL."), ("2020-02-01", "Creatinine 97 umol/L."),
        ("2020-03-01", "Creatinine 1.2 mEq/L."), of="creatinine",
    )  # fmt: skip
    assert found.unit == "mg/dL"
    assert found.unit_conflict
    assert [str(v.converted)[:4] for v in found.values] == ["None", "1.09", "None"]


@pytest.mark.parametrize(
    "text",
    [
        "Last Cr 1.1.", "Most recent Cr 1.1.", "Copied forward: Cr 1.4 -> 1.8.", "Peak creatinine 3.4.",
        "Day of admission Cr 2.1.", "Admission Cr 2.1.", "Expected Cr 1.2.",
    ],
    ids=lambda text: text,
)  # fmt: skip
def test_a_value_of_another_time_is_none_of_the_notes_day(text: str) -> None:
    assert told(("2020-03-01", text)) == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Cr 1.1 on 2/3, 1.4 on 2/10 and 1.6 today.", ("2020-03-01", "1.6")),
        ("Outside labs 2/20 (Quest): Cr 1.5, K 5.4.", ("2020-02-20", "1.5")),
        ("Specimen collected 02/19/2020 07:45, resulted 02/20/2020\nCreatinine 1.2", ("2020-02-19", "1.2")),
        ("BMP 2/20: Cr 1.5.", ("2020-02-20", "1.5")),
        ("Exam normal.\nLabs (2/20):\nNa 138, Cr 1.2\n\nK 4.0", ("2020-02-20", "1.2")),
        ("LABS 2/20/2020:\n- Cr 1.2\n- K 4", ("2020-02-20", "1.2")),
        ("Labs 2/20:\nK 4.1\n\nToday Cr 1.2", ("2020-03-01", "1.2")),
        ("Labs 2/20:\nK 4.1\nToday: Cr 1.2", ("2020-03-01", "1.2")),
        ("Latest labs: Cr 1.2.", ("2020-03-01", "1.2")),
    ],
    ids=[
        "today",
        "outside labs",
        "collected and resulted",
        "head of results",
        "heading",
        "heading of a list",
        "behind the list",
        "today below",
        "latest labs",
    ],
)
def test_a_value_stands_on_the_day_that_its_words_name(text: str, right: tuple[str, str]) -> None:
    assert right in told(("2020-03-01", text))


COPIED = "At the clinic visit her creatinine was 1.9 mg/dL and she felt well."


def test_a_value_copied_forward_is_of_the_day_on_which_it_was_written_first() -> None:
    notes = ("2021-01-05", COPIED), ("2021-02-05", f"{COPIED} Walks more."), ("2021-03-05", f"Well. {COPIED.upper()}")
    assert told(*notes) == [("2021-01-05", "1.9 mg/dL")]
    assert len(one(*notes)[0].sources) == 3


def test_yesterday_of_a_copy_is_that_of_the_first_note() -> None:
    said = "Cr 1.9 yesterday."
    assert told(("2021-01-05", said), ("2021-02-05", said)) == [("2021-01-04", "1.9")]


AGAIN = {
    "a short line": ("creatinine", "Creatinine 1.9 mg/dL."),
    "a row": ("creatinine", "| Creatinine | serum or plasma | 1.9 mg/dL | as stated by the ward itself |"),
    "a vital sign": ("oxygen saturation", "Resting well in bed, SpO2 95% on room air, call light within reach."),
}


@pytest.mark.parametrize("name", AGAIN)
def test_what_may_be_measured_again_to_the_same_number(name: str) -> None:
    of, text = AGAIN[name]
    days = ["2021-01-05", "2021-02-05"]
    assert [day for day, _ in told(*((day, text) for day in days), of=of)] == days


def test_several_results_of_one_line_copied_later_are_of_the_first_note() -> None:
    line = "ABG today: pH 7.31, pCO2 52."
    found = told(("2020-01-01", line), ("2020-01-03", f"{line} Potassium 4.0 mmol/L."), of="pCO2")
    assert [day for day, _ in found] == ["2020-01-01"]
    labs = "Labs: sodium 134, potassium 4.1, creatinine 1.2."
    assert told(("2020-01-01", labs), ("2020-01-03", labs)) == [("2020-01-01", "1.2")]


def test_one_result_may_be_the_same_again() -> None:
    assert len(told(("2020-01-01", "Creatinine 1.2 today."), ("2020-01-03", "Creatinine 1.2 today."))) == 2
    assert (
        len(
            told(
                ("2020-01-01", "BP 120/80, HR 72, RR 16."), ("2020-01-03", "BP 120/80, HR 72, RR 16."), of="heart rate"
            )
        )
        == 2
    )
