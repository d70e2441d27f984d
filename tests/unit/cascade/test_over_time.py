"""Answers computed from the timeline: of the right day, in the wording's form, never of a later one, or none."""

from __future__ import annotations

import pytest
from tests.unit.records.reading import Notes

from chartcite.cascade.over_time.chosen import told
from chartcite.cascade.over_time.told import Record, Told
from chartcite.core.answer import Citation
from chartcite.text.analyser import Analyser
from chartcite.verification.answers import verify

Notices = list[tuple[str, int]]
NOTES = Notes((
    ("2020-01-01", "Creatinine 1.0 mg/dL. Hemoglobin 12.1 g/dL."),
    ("2020-02-01", "Started metformin 500 mg BID. Creatinine 1.2 mg/dL."),
    ("2020-03-01", "Creatinine 1.4 mg/dL. Medications:\n- Metformin 500 mg BID\n- Lisinopril 10 mg daily"),
    ("2020-04-01", "Stopped metformin. Creatinine 1.6 mg/dL."),
))  # fmt: skip


def asked(query: str, notes: Notes = NOTES, lang: str = "en", notices: Notices | None = None) -> Told | None:
    today = max(day for day, _ in notes.notes)
    tell = (notices if notices is not None else []).append
    record = Record(notes, Analyser(lang).terms, lambda *one: tell(one), today, lang)  # type: ignore[arg-type]
    return told([query], record)


def lines(query: str, notes: Notes = NOTES, lang: str = "en", notices: Notices | None = None) -> list[str]:
    """What is said; of quotes the quote. Nothing where it says that there is nothing."""
    found = asked(query, notes, lang, notices)
    if found is None or found.is_silent:
        return []
    return [s.said.text if s.said else s.sources[0].quote for s in found.sentences]


SAID = {
    "What is the latest creatinine?": ["The latest creatinine was 1.6 mg/dL (2020-04-01)."],
    "What was the first creatinine?": ["The first creatinine was 1.0 mg/dL (2020-01-01)."],
    "As of 2020-03-15, what was the most recent creatinine?": ["Creatinine was 1.4 mg/dL (2020-03-01)."],
    "What was the creatinine on 2020-02-01?": ["Creatinine was 1.2 mg/dL (2020-02-01)."],
    "What was the last creatinine before the start of metformin?": [
        "Creatinine was 1.0 mg/dL (2020-01-01).", "Started metformin 500 mg BID.",
    ],
    "What was the first creatinine after the start of metformin?": [
        "Creatinine was 1.4 mg/dL (2020-03-01).", "Started metformin 500 mg BID.",
    ],
    "What was the first creatinine after 2020-03-01?": ["Creatinine was 1.6 mg/dL (2020-04-01)."],
    "How much did the creatinine change between 2020-01-01 and 2020-04-01?": [
        "Creatinine rose from 1.0 mg/dL (2020-01-01) to 1.6 mg/dL (2020-04-01), by 0.6 mg/dL.",
    ],
    "How did the creatinine develop from 2020-01-01 until 2020-03-01?": [
        "Creatinine rose from 1.0 mg/dL (2020-01-01) to 1.4 mg/dL (2020-03-01), by 0.4 mg/dL.",
        "The lowest creatinine was 1.0 mg/dL (2020-01-01) and the highest 1.4 mg/dL (2020-03-01).",
    ],
    "How many times in 2020 was the creatinine above 1.3 mg/dL?": [
        "Creatinine was above 1.3 mg/dL on 2 days in 2020: 1.4 mg/dL (2020-03-01), 1.6 mg/dL (2020-04-01).",
    ],
    "How long was the course of metformin that began on 2020-02-01?": [
        "Metformin was begun on 2020-02-01 and ended on 2020-04-01, 60 days later.",
    ],
    "Which came first: the end of metformin or the start of metformin?": [
        "The start of metformin (2020-02-01) came before the end of metformin (2020-04-01).",
    ],
    "What dose of metformin was the patient taking on 2020-03-10?": ["Metformin 500 mg BID (2020-03-01)."],
    "Which medications was the patient taking on 2020-03-10?": [
        "Lisinopril 10 mg daily (2020-03-01).", "Metformin 500 mg BID (2020-03-01).",
    ],
}  # fmt: skip


@pytest.mark.parametrize("query", SAID)
def test_what_is_said(query: str) -> None:
    assert lines(query) == SAID[query]


@pytest.mark.parametrize("query", SAID)
def test_what_is_said_is_borne_out_by_its_sources(query: str) -> None:
    found = asked(query)
    assert found is not None
    for sentence in found.sentences:
        if sentence.said is None:
            continue
        citations = tuple(
            Citation(s.doc_id, s.sentence, s.start, s.end, s.quote, "", "", s.written, None, "")
            for s in sentence.sources
        )
        checked = verify([(sentence.said.text, citations)])[0]
        assert checked.verified, (sentence.said.text, checked.why)


@pytest.mark.parametrize("query", SAID)
def test_every_point_has_its_place_and_its_citation(query: str) -> None:
    found = asked(query)
    assert found is not None
    for sentence in (s for s in found.sentences if s.said is not None):
        assert sentence.said is not None
        text, places = sentence.said.text, sentence.said.places
        assert {index for _, index in places} == set(range(len(sentence.sources)))
        assert all(text[at - 1] in ")0123456789" for at, _ in places)
        cited = {n for point in sentence.computed["points"] for n in point["citations"]}
        assert cited == set(range(1, len(sentence.sources) + 1))
        assert all(point["day"] in text or point["day"] == "" for point in sentence.computed["points"])


def test_portuguese_is_said_in_portuguese() -> None:
    notes = Notes(
        (("2020-01-01", "Creatinina 1,1 mg/dL."), ("2020-04-01", "Creatinina 1,9 mg/dL.")), "pt"
    )  # fmt: skip
    assert lines("Qual foi o último valor de creatinina?", notes, "pt") == [
        "Creatinina, valor mais recente: 1,9 mg/dL (2020-04-01)."
    ]
    assert lines("Quanto a creatinina mudou entre 01/01/2020 e 01/04/2020?", notes, "pt") == [
        "Creatinina subiu de 1,1 mg/dL (2020-01-01) para 1,9 mg/dL (2020-04-01), em 0,8 mg/dL."
    ]


def silent(query: str, notes: Notes = NOTES) -> list[str] | None:
    """What is there instead, where the answer says that there is nothing for that time."""
    found = asked(query, notes)
    return [s.sources[0].quote for s in found.sentences] if found is not None and found.is_silent else None


def test_another_days_value_is_no_value_of_this_day() -> None:
    assert silent("What was the creatinine on 2020-02-15?") == ["Creatinine 1.2 mg/dL.", "Creatinine 1.4 mg/dL."]
    assert silent("How much did the creatinine change between 2020-01-01 and 2020-04-02?") == ["Creatinine 1.0 mg/dL."]
    assert silent("What was the latest creatinine in 2019?") == ["Creatinine 1.0 mg/dL."]


def test_no_value_on_that_side_of_a_known_event_is_said() -> None:
    assert silent("What was the first hemoglobin after the start of metformin?") == [
        "Started metformin 500 mg BID.", "Hemoglobin 12.1 g/dL.",
    ]  # fmt: skip


def test_two_values_of_one_day_are_both_shown_and_told() -> None:
    notes = Notes((("2020-01-01", "Creatinine 1.0 mg/dL."), ("2020-01-01", "Creatinine 1.9 mg/dL.")))
    notices: Notices = []
    assert lines("What is the latest creatinine?", notes, notices=notices) == [
        "The latest creatinine was 1.0 mg/dL (2020-01-01).", "The latest creatinine was 1.9 mg/dL (2020-01-01).",
    ]  # fmt: skip
    assert notices == [("several_values_of_one_day", 2)]


def test_units_are_converted_or_both_are_shown() -> None:
    notes = Notes((
        ("2020-01-01", "Creatinine 1.0 mg/dL."), ("2020-02-01", "Creatinine 150 umol/L."),
        ("2020-03-01", "Creatinine 1.7 mg/dL."),
    ))  # fmt: skip
    notices: Notices = []
    assert lines("How much did the creatinine change between 2020-01-01 and 2020-02-01?", notes, notices=notices) == [
        "Creatinine rose from 1.0 mg/dL (2020-01-01) to 150 umol/L (2020-02-01)."
    ]
    assert notices == [("units_were_converted", 1)]
    # 150 umol/L is 1.697 mg/dL: within the rounding of 1.7
    assert lines("How much did the creatinine change between 2020-02-01 and 2020-03-01?", notes) == [
        "Creatinine was 150 umol/L (2020-02-01).", "Creatinine was 1.7 mg/dL (2020-03-01).",
    ]  # fmt: skip


def test_a_unit_with_a_factor_keeps_its_text() -> None:
    notes = Notes((("2020-01-01", "Leucócitos 8,1 mil/mm3."), ("2020-02-01", "Leucócitos 9,4 mil/mm3.")), "pt")
    assert lines("Qual foi o último valor de leucócitos?", notes, "pt") == [
        "Leucócitos, valor mais recente: 9,4 mil/mm3 (2020-02-01)."
    ]


def test_a_value_of_the_events_own_day_is_on_a_side_only_if_a_word_says_so() -> None:
    notes = Notes((
        ("2020-01-01", "Potassium 4.0 mEq/L."), ("2020-02-01", "Started metformin 500 mg BID. Potassium 3.5 mEq/L."),
    ))  # fmt: skip
    notices: Notices = []
    query = "What was the last potassium before the start of metformin?"
    assert lines(query, notes, notices=notices)[0] == "Potassium was 4.0 mEq/L (2020-01-01)."
    assert notices == [("values_of_the_day_itself", 1)]


def test_a_dose_of_a_day_after_the_end_is_none() -> None:
    assert silent("What dose of metformin was the patient taking on 2020-05-01?") == ["Stopped metformin."]
    assert lines("What is the current metformin dose?") == ["Stopped metformin."]
    assert lines("At what dose was metformin last taken?") == [
        "Metformin 500 mg BID (2020-03-01).",
        "Stopped metformin.",
    ]


def test_a_pause_ends_where_the_drug_is_taken_again() -> None:
    notes = Notes((
        ("2020-01-01", "Apixaban 5 mg BID."), ("2020-02-01", "Apixaban was held."),
        ("2020-02-11", "Apixaban was resumed at 5 mg BID."),
    ))  # fmt: skip
    assert lines("How long was apixaban on hold after 2020-02-01?", notes) == [
        "Apixaban was held on 2020-02-01 and resumed on 2020-02-11, 10 days later."
    ]
    assert lines("How often was apixaban held?", notes) == ["Apixaban was held 1 time: 2020-02-01."]


def test_medicines_of_a_day_hold_what_is_taken_then() -> None:
    assert lines("Which medications was the patient taking on 2020-05-01?") == ["Lisinopril 10 mg daily (2020-03-01)."]
    assert lines("Which medications was the patient taking on 2019-05-01?") == []


def test_medicines_at_an_event_are_those_of_its_day_and_a_stay_has_no_one_day() -> None:
    notes = Notes((*NOTES.notes, ("2020-05-01", "Started apixaban 5 mg BID."), ("2020-06-01", "Seen in clinic.")))
    assert lines("What medicines was she on at the time of the start of apixaban?", notes) == [
        "Started apixaban 5 mg BID.",
        "Lisinopril 10 mg daily (2020-03-01).",
    ]
    assert asked("What medicines was she on at the time of the colectomy?", notes) is None
    assert asked("What medicines was she on at the time of the stay for pneumonia?", notes) is None


def test_a_limit_with_its_sign_alone_is_a_side() -> None:
    said = "Creatinine was above 1.3 mg/dL on 2 days: 1.4 mg/dL (2020-03-01), 1.6 mg/dL (2020-04-01)."
    assert lines("Number of days with creatinine > 1.3 mg/dL?") == [said]
    assert lines("Number of days with creatinine < 1.2 mg/dL?") == [
        "Creatinine was below 1.2 mg/dL on 1 day: 1.0 mg/dL (2020-01-01).",
    ]


def test_medicines_that_nobody_spoke_of_for_a_year_are_counted_and_not_listed() -> None:
    notices: Notices = []
    assert lines("Which medications was the patient taking on 2021-09-01?", notices=notices) == []
    assert ("medicines_not_spoken_of_lately", 1) in notices
    course = Notes((("2020-01-01", "Lisinopril 10 mg daily."), ("2020-01-01", "Cephalexin 500 mg QID for 5 days.")))
    assert lines("Which medications was the patient taking on 2020-03-01?", course) == [
        "Lisinopril 10 mg daily (2020-01-01)."
    ]


def test_listed_medicines_without_a_dose_are_counted() -> None:
    notices: Notices = []
    notes = Notes((("2020-01-01", "Medications:\n- Lisinopril 10 mg daily\n- Fluticasone as needed\n- Insulin\n"),))
    assert lines("What medications is she taking?", notes, notices=notices) == ["Lisinopril 10 mg daily (2020-01-01)."]
    assert notices == [("medicines_without_a_dose", 2)]


def test_an_event_with_two_days_is_not_guessed() -> None:
    twice = Notes((*NOTES.notes, ("2020-05-01", "Started metformin 500 mg BID again. Creatinine 1.1 mg/dL.")))
    assert asked("What was the last creatinine before the start of metformin?", twice) is None


@pytest.mark.parametrize(
    "query",
    [
        "What was the last creatinine before the start of digoxin?",
        "What was the last creatinine before the colectomy?",
        "What is the latest ferritin?",
        "Which came first: the start of metformin or the colectomy?",
        "How long was the course of lisinopril that began on 2020-03-01?",
        "How many times did the patient have a colonoscopy?",
        "How many hospital admissions are there in the record?",
    ],
)
def test_what_the_timeline_does_not_know_is_left_to_the_ranking(query: str) -> None:
    assert asked(query) is None


TAKEN = Notes((
    ("2021-01-05", "Medications:\n- Atorvastatin 40 mg daily\n- Lisinopril 20 mg daily\n- Metformin 500 mg BID"),
    ("2021-02-01", "Started metoprolol tartrate 25 mg BID."),
    ("2021-03-01", "Increase metoprolol to 50 mg BID. Started apixaban 5 mg BID."),
    ("2021-04-01", "Pt stopped atorvastatin about 3 weeks ago. Prednisone 40 mg x 3 d, 20 mg x 3 d then stop."),
    (
        "2021-06-01",
        "Metformin 500 mg BID; lisinopril 20 mg daily; apixaban 5 mg BID; allopurinol 100 mg daily to start.",
    ),
    ("2021-06-20", "Held lisinopril."),
))  # fmt: skip
LEFT = {
    "salts": "Which came first, the start of apixaban or the start of metoprolol?",
    "first of an increase": "What was the first dose of metoprolol?",
    "taken before the record": "How long was the course of atorvastatin?",
    "begun before the record": "What was the creatinine before the start of atorvastatin?",
    "a taper long ago": "What is the current dose of prednisone?",
}


@pytest.mark.parametrize("query", LEFT.values(), ids=LEFT)
def test_a_day_or_dose_that_is_not_known_is_not_said(query: str) -> None:
    assert asked(query, TAKEN) is None


def test_a_quote_with_an_ended_drug_is_no_entry_of_what_is_taken() -> None:
    notices: Notices = []
    said = lines("What medications is the patient currently taking?", TAKEN, notices=notices)
    assert "Apixaban 5 mg BID (2021-06-01)." in said
    assert not any("lisinopril" in line.lower() for line in said)
    assert ("medicines_beside_an_ended_one", 1) in notices


UNREAD = {
    "a range later": ("What is the latest ejection fraction?", "LVEF 55%.", "Echo: EF 30-35%."),
    "a range earlier": ("What was the first ejection fraction?", "LVEF 30-35%.", "EF 55%."),
    "a year only": ("What was the first ejection fraction?", "Seen.", "EF 55% in 2018. LVEF 45%."),
    "two days": ("What is the latest creatinine?", "Cr 1.4.", "Cr 1.8 yesterday, 1.6 today."),
}


@pytest.mark.parametrize(("query", "one", "other"), UNREAD.values(), ids=UNREAD)
def test_a_number_that_was_not_read_makes_another_no_latest_and_no_first(query: str, one: str, other: str) -> None:
    assert asked(query, Notes((("2020-01-01", one), ("2020-06-01", other)))) is None


def test_goals_and_earlier_values_do_not() -> None:
    notes = Notes((("2020-01-01", "Cr 1.4."), ("2020-06-01", "Last Cr 1.4. Goal Cr 1. Recheck Cr in 3 months.")))
    assert lines("What is the latest creatinine?", notes) == ["The latest creatinine was 1.4 (2020-01-01)."]


def test_of_a_list_only_the_drug_for_some_days_is_over() -> None:
    notes = Notes((
        ("2020-01-01", "Meds: amoxicillin 500 mg TID for 7 days; atorvastatin 20 mg daily; metformin 500 mg BID."),
        ("2020-06-01", "Seen for a cold."),
    ))  # fmt: skip
    said = lines("What medications is the patient currently taking?", notes)
    assert said == ["Atorvastatin 20 mg daily (2020-01-01).", "Metformin 500 mg BID (2020-01-01)."]


_DATED = "Sodium was 134 mmol/L (2031-01-01)."
LATER: dict[str, tuple[str, list[str], int]] = {
    "a week ago": ("Sodium last week 138. Well.", [_DATED, "Sodium last week 138."], 1),
    "it was": ("Her sodium was 129 earlier.", [_DATED, "Her sodium was 129 earlier."], 1),
    "a peak": ("Sodium peaked at 151.", [_DATED, "Sodium peaked at 151."], 1),
    "retold": ("Previous sodium was 134.", ["The latest sodium was 134 mmol/L (2031-01-01)."], 0),
    "an aim": ("Sodium goal was 140.", ["The latest sodium was 134 mmol/L (2031-01-01)."], 0),
    "a relative's": ("Mother's sodium last week was 120.", ["The latest sodium was 134 mmol/L (2031-01-01)."], 0),
    "and its own": ("Sodium 140 today.", ["The latest sodium was 140 (2031-02-01)."], 0),
}  # fmt: skip


@pytest.mark.parametrize("case", LATER)
def test_beside_a_later_number_without_a_day_nothing_is_the_latest(case: str) -> None:
    text, said, told_of = LATER[case]
    notices: Notices = []
    notes = Notes((("2031-01-01", "Sodium 134 mmol/L."), ("2031-02-01", text)))
    assert lines("What is the latest sodium?", notes, notices=notices) == said
    assert notices == ([("later_mention_without_a_day", told_of)] if told_of else [])


def test_beside_a_later_number_without_a_day_nothing_is_the_latest_in_portuguese() -> None:
    notes = Notes((("2031-01-01", "Sódio 134 mmol/L."), ("2031-02-01", "Sódio na semana passada 138.")), "pt")
    assert lines("Qual o último sódio?", notes, "pt") == [
        "Sódio: 134 mmol/L (2031-01-01).",
        "Sódio na semana passada 138.",
    ]


_HB = (
    ("2031-01-01", "Hemoglobin 9.4 g/dL."),
    ("2031-01-03", "Hemoglobin 8.1 g/dL."),
    ("2031-01-09", "Hemoglobin 10.2 g/dL."),
)
_BOTH = "The lowest hemoglobin was 8.1 g/dL (2031-01-03) and the highest 10.2 g/dL (2031-01-09)."
_ALONE = "Hemoglobin was 8.1 g/dL (2031-01-03)."
EXTREMES: dict[str, tuple[str, list[str]]] = {
    "nothing more": ("Well.", [_BOTH]),
    "an aim": ("Hemoglobin goal 7.", [_BOTH]),
    "a relative's": ("Mother's hemoglobin was 5.0 g/dL last week.", [_BOTH]),
    "elsewhere": ("Hemoglobin nadir 6.9 elsewhere.", [_ALONE, "Hemoglobin nadir 6.9 elsewhere."]),
    "of a year": ("Hemoglobin was 6.9 g/dL in 2029.", [_ALONE, "Hemoglobin was 6.9 g/dL in 2029."]),
    "a range": ("Hemoglobin 6.5-7.0 last week.", [_ALONE, "Hemoglobin 6.5-7.0 last week."]),
    "on the other side": ("Hemoglobin last week was 12.0 g/dL.", [_BOTH]),
    "of its own day": ("Hemoglobin 7.0 g/dL.", [_BOTH.replace("8.1 g/dL (2031-01-03)", "7.0 g/dL (2031-02-01)")]),
    "far off without a unit": ("Hemoglobin 2.", []),
    "another unit": ("Hemoglobin <8 g/dL.", []),
}  # fmt: skip


@pytest.mark.parametrize("case", EXTREMES)
def test_nothing_is_the_lowest_beside_a_lower_number(case: str) -> None:
    text, said = EXTREMES[case]
    assert lines("What was the lowest hemoglobin?", Notes((*_HB, ("2031-02-01", text)))) == said


def test_the_lowest_and_highest_of_a_time_are_borne_out() -> None:
    for query in (
        "What was the peak hemoglobin since 2031-01-02?",
        "Qual foi a hemoglobina mais alta desde 2031-01-02?",
    ):
        found = asked(query, Notes(_HB), "pt" if query.startswith("Qual") else "en")
        assert found is not None
        (sentence,) = found.sentences
        assert sentence.said is not None
        assert [p["value"] for p in sentence.computed["points"]] == ["8.1 g/dL", "10.2 g/dL"]
        citations = tuple(
            Citation(s.doc_id, s.sentence, s.start, s.end, s.quote, "", "", s.written, None, "")
            for s in sentence.sources
        )
        assert verify([(sentence.said.text, citations)])[0].verified


YEARS: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "one year in the record": (("2030-12-01", "2031-03-08", "2031-06-01"), ["Creatinine was 1.1 (2031-03-08)."]),
    "one with a note": (("2029-01-01", "2030-03-08", "2032-01-01"), ["Creatinine was 1.1 (2030-03-08)."]),
    "two with a note": (("2029-03-08", "2030-03-08", "2032-01-01"), []),
    "none with a note": (("2029-01-01", "2030-03-07", "2032-01-01"), []),
    "soon after the last note": (("2030-03-01", "2030-03-08", "2031-02-01"), ["Creatinine was 1.1 (2030-03-08)."]),
}


@pytest.mark.parametrize("case", YEARS)
@pytest.mark.parametrize("query", ["What was the creatinine on March 8?", "What was the creatinine on 8 March?"])
def test_a_day_without_a_year_is_of_the_only_year_there_is(query: str, case: str) -> None:
    days, said = YEARS[case]
    notes = Notes(tuple((day, f"Creatinine 1.{n}.") for n, day in enumerate(days)))
    assert lines(query, notes) == said


def test_a_day_without_a_year_in_portuguese() -> None:
    notes = Notes((("2030-12-01", "Creatinina 1,0 mg/dL."), ("2031-03-08", "Creatinina 1,4 mg/dL.")), "pt")
    assert lines("Qual era a creatinina em 8 de março?", notes, "pt") == ["Creatinina: 1,4 mg/dL (2031-03-08)."]
