"""Cutting notes into units: a table of styles, and notes modelled on faults that users of splitters reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chartcite.core.documents import Sentence
from chartcite.text.sentences import split_sentences

_TABLE = Path(__file__).with_name("sentence_cases.txt").read_text(encoding="utf-8")
_MARK = re.compile(r"\{([shir])\}")
CASES = dict(case.split("\n", 1) for case in _TABLE.split("=== ")[1:])


def units_of(text: str) -> list[tuple[str, str]]:
    return [(unit.kind[0], text[unit.start : unit.end]) for unit in split_sentences(text)]


def quotes_of(text: str) -> list[str]:
    return [text[unit.start : unit.end] for unit in split_sentences(text)]


def test_table_is_large() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("name", CASES)
def test_units(name: str) -> None:
    _, *marked = _MARK.split(CASES[name])
    expected = [(kind, unit.strip()) for kind, unit in zip(marked[::2], marked[1::2], strict=True)]
    assert units_of(_MARK.sub("", CASES[name])) == expected


@pytest.mark.parametrize("name", CASES)
def test_line_ends_change_nothing(name: str) -> None:
    text = _MARK.sub("", CASES[name])
    expected = units_of(text)
    for end in ("\r\n", "\r\r\n"):
        assert [(k, unit.replace(end, "\n")) for k, unit in units_of(text.replace("\n", end))] == expected


CONSULT = """\
WOUND CLINIC NOTE
Reason:
-3-week history of ulcer on left heel
-Yesterday: no discharge
-diabetes since 1998\x20
-Numbness: present
-Claudication: absent
  \t
HISTORY OF PRESENT ILLNESS: Mr. Aalto is a 74 year old
farmer who noticed a blister after a long walk in new
boots. It broke within a week and did not heal. He reports no
fever.

LABS
        HbA1c   CRP    WBC
07:30   8.4     12     9.1
19:30   8.4     15     10.2

MEDICATIONS ON ADMISSION:
1. Metformin 1000 mg twice daily with food
2. Dressing change every second day.
   Keep the heel off the bed.
"""


def test_wrapped_and_listed_note() -> None:
    quotes = quotes_of(CONSULT)
    for whole in (
        "-3-week history of ulcer on left heel",
        "-Claudication: absent",
        "Mr. Aalto is a 74 year old\nfarmer who noticed a blister after a long walk in new\nboots.",
        "He reports no\nfever.",
        "HbA1c   CRP    WBC",
        "07:30   8.4     12     9.1",
        "2. Dressing change every second day.",
        "Keep the heel off the bed.",
    ):
        assert whole in quotes
    assert not {"1.", "2.", "-"} & set(quotes)


def test_units_know_their_section() -> None:
    sections = {CONSULT[unit.start : unit.end]: unit.section for unit in split_sentences(CONSULT)}
    assert sections["He reports no\nfever."] == ("HISTORY OF PRESENT ILLNESS",)
    assert sections["19:30   8.4     15     10.2"] == ("LABS",)
    assert sections["Keep the heel off the bed."] == ("MEDICATIONS ON ADMISSION",)


def test_paragraph_of_abbreviations() -> None:
    sentences = [
        "Pt. reviewed by Dr. Silva at 7 p.m. for f/u of COPD.",
        "Began prednisone 30 mg p.o. q.d. on hospital day no. 4.",
        "Given saline 500 ml.",
        "Sats rose from 88/100 to 94/100.",
        "CRP 41.2 vs. 18.5 on Monday, i.e. doubled.",
        "Hx of pneumonia in Nov. 2017.",
        "Walked with O.T. and P.T. twice.",
        "?DVT ruled out by ultrasound.",
        "Goes home in a.m. if stable.",
    ]
    assert quotes_of(" ".join(sentences)) == sentences


def test_units_are_numbered_slices() -> None:
    units = split_sentences("Fever. Cough.")
    assert units == (Sentence(1, 0, 6), Sentence(2, 7, 13))
    assert split_sentences("") == split_sentences(" \n\t ") == ()


def test_offsets_count_code_points() -> None:
    text = "Dor 😀 e\u0301. Sem febre."
    assert quotes_of(text) == ["Dor 😀 e\u0301.", "Sem febre."]
