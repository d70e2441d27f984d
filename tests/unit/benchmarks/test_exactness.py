"""`benchmarks/exactness.py`: what counts as the right value, unit and day, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from exactness import Sentence, amounts, day_forms, is_exact

VALUE = {"type": "value", "value": "1.9", "unit": "mg/dL", "date": "2019-01-10"}
CHANGE = {"type": "change", "from": {**VALUE, "value": "1.1", "date": "2018-03-02"}, "to": VALUE}
TREND = {**CHANGE, "type": "trend", "direction": "rose"}
DOSE = {"type": "dose", "drug": "metoprolol succinate", "amount": "50", "unit": "mg", "since": "2011-01-10"}
ORDER = {"type": "order", "first": "the start of metoprolol", "second": "the total knee arthroplasty"}
COUNT = {"type": "count", "count": 2, "dates": ["2013-05-15", "2013-05-18"]}
RIGHT: dict[str, tuple[dict[str, Any], str, str]] = {
    "computed": (VALUE, "The latest creatinine was 1.9 mg/dL (2019-01-10).", ""),
    "a row of a note of that day": (VALUE, "| Creatinine | 1.90 | mg/dL | H | 0.6-1.2 |", "2019-01-10"),
    "a date in words": (VALUE, "On January 10, 2019 creatinine was 1,9 mg/dL.", "2020-01-01"),
    "change": (CHANGE, "Creatinine rose from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10), by 0.8 mg/dL.", ""),
    "trend": (TREND, "Creatinine rose from 1.1 mg/dL (3/2/18) to 1.9 mg/dL (1/10/19).", ""),
    "trend with its extremes": (
        TREND,
        "Creatinine rose from 1.1 mg/dL (3/2/18) to 1.9 mg/dL (1/10/19), by 0.8 mg/dL. "
        "The lowest creatinine was 0.9 mg/dL (2018-05-01) and the highest 2.4 mg/dL (2018-06-01).",
        "",
    ),
    "dose": (DOSE, "Metoprolol succinate 50 mg daily.", "2011-01-10"),
    "duration": ({"type": "duration", "days": 14}, "It ended 2 weeks later.", ""),
    "count": (COUNT, "ALT was above 40 U/L on 2 days in 2013: 52 U/L (2013-05-15), 61 U/L (2013-05-18).", ""),
    "order": (ORDER, "The start of metoprolol (2011-01-10) came before the total knee arthroplasty (2013-03-06).", ""),
    "order the other way round": (ORDER, "The total knee arthroplasty came after the start of metoprolol.", ""),
    "list": ({"type": "list", "items": [DOSE]}, "Metoprolol 50 mg daily (2011-02-01).", ""),
}
WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "another day": (VALUE, "Creatinine was 1.9 mg/dL (2019-01-11).", "2019-01-11"),
    "another value": (VALUE, "Creatinine was 1.8 mg/dL (2019-01-10).", ""),
    "another digit in front": (VALUE, "Creatinine was 11.9 mg/dL (2019-01-10).", ""),
    "another unit": (VALUE, "Creatinine was 1.9 mg/L (2019-01-10).", ""),
    "two values": (VALUE, "Creatinine was 1.9 mg/dL (2019-01-10), after 1.7 mg/dL.", ""),
    "one end only": (CHANGE, "Creatinine was 1.9 mg/dL (2019-01-10).", ""),
    "no direction": (TREND, "Creatinine: 1.1 mg/dL (2018-03-02), 1.9 mg/dL (2019-01-10).", ""),
    "the other direction": (TREND, "Creatinine fell from 1.1 mg/dL (2018-03-02) to 1.9 mg/dL (2019-01-10).", ""),
    "another drug": (DOSE, "Apixaban 50 mg daily.", ""),
    "two doses": (DOSE, "Metoprolol was raised from 50 mg to 100 mg.", ""),
    "other days": ({"type": "duration", "days": 14}, "It ended 13 days later.", ""),
    "another count": (COUNT, "ALT was above 40 U/L on 3 days: (2013-05-15), (2013-05-18).", ""),
    "a day missing": (COUNT, "ALT was above 40 U/L on 2 days, one of them 2013-05-15.", ""),
    "order reversed": (ORDER, "The total knee arthroplasty came before the start of metoprolol.", ""),
    "one drug more": ({"type": "list", "items": [DOSE]}, "Metoprolol 50 mg and apixaban 5 mg. Apixaban 5 mg.", ""),
    "none of the list": ({"type": "list", "items": [DOSE]}, "Nothing is listed.", ""),
}


@pytest.mark.parametrize(("gold", "text", "day"), RIGHT.values(), ids=RIGHT.keys())
def test_exact(gold: dict[str, Any], text: str, day: str) -> None:
    assert is_exact(gold, [Sentence(text, (day,))], is_first=True)


@pytest.mark.parametrize(("gold", "text", "day"), WRONG.values(), ids=WRONG.keys())
def test_not_exact(gold: dict[str, Any], text: str, day: str) -> None:
    assert not is_exact(gold, [Sentence(s, (day,)) for s in text.split(". ")])


def test_an_abstention_is_never_exact() -> None:
    for gold, _, _ in RIGHT.values():
        assert not is_exact(gold, [])


def test_amounts_in_other_forms() -> None:
    assert [n for n, _ in amounts("WBC 7,9 x10^9/L, later 7900 /uL", "x10^3/uL")] == ["79/10", "79/10"]
    assert [n for n, _ in amounts("BP 131/78 mmHg", "mmHg")] == ["131/78"]
    assert [n for n, _ in amounts("eGFR    35  L    mL/min/1.73m2   >=60", "mL/min/1.73m2")] == ["35"]


@pytest.mark.parametrize(
    "form", ["2019-03-02", "3/2/19", "03/02/2019", "02/03/2019", "2 Mar 2019", "March 2, 2019", "2 de março de 2019"]
)
def test_forms_of_a_day(form: str) -> None:
    assert day_forms("2019-03-02").search(f"on {form}.")
    assert not day_forms("2019-03-12").search(f"on {form}.")
