"""Questions of presence by their closed words: in any order, one open place is the thing; anything else is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartcite.cascade.presence.asked import read_question
from chartcite.cascade.presence.slots import by_slot

_QUESTIONS = Path(__file__).parents[4] / "benchmarks" / "questions"
_UNREAD = 2
_TAKEN = 0


def _rows(name: str) -> list[list[str]]:
    lines = (_QUESTIONS / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def _is_read(question: str) -> bool:
    thing = question[question.find("[") + 1 : question.find("]")].lower() if "[" in question else ""
    found = read_question(question.replace("[", "").replace("]", ""))
    return found is not None and bool(found.period) == ("2014" in question) and thing in ("", found.thing.lower())


def test_own_questions_in_many_registers_are_read() -> None:
    unread = [q for *_, q in (*_rows("presence_registers.tsv")[::2], *_rows("presence_more.tsv")) if not _is_read(q)]
    assert len(unread) <= _UNREAD, unread


_THINGS = {
    ("condition", "en"): ("gout", "benign prostatic hyperplasia", "heart failure with reduced ejection fraction"),
    ("condition", "pt"): ("gota", "transtorno depressivo maior", "doença de Addison", "fascite plantar"),
    ("drug", "en"): ("apixaban", "levetiracetam"), ("drug", "pt"): ("apixabana", "levotiroxina"),
    ("procedure", "en"): ("colonoscopy", "splenectomy"),
    ("procedure", "pt"): ("transplante", "endoscopia digestiva alta"),
    ("allergen", "en"): ("latex",), ("allergen", "pt"): ("látex", "dipirona"),
    ("test", "en"): ("ferritin",), ("test", "pt"): ("ferritina",),
    ("symptom", "en"): ("dizziness",), ("symptom", "pt"): ("tontura", "dormência nos pés"),
}  # fmt: skip
_UNREAD_THINGS = {"en": 1, "pt": 3}


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_wordings_are_read_of_names_that_hold_closed_words(lang: str) -> None:
    asked = [
        (wording.replace("{x}", thing), thing)
        for kind, own, wording in _rows("presence_things.tsv")
        for thing in _THINGS[kind, own]
        if own == lang
    ]
    unread = [q for q, thing in asked if (found := read_question(q)) is None or found.thing != thing]
    assert len(asked) > 300
    assert len(unread) <= _UNREAD_THINGS[lang], unread


def test_questions_of_other_kinds_are_not_taken() -> None:
    taken = [question for _, question in _rows("presence_others.tsv")[::2] if read_question(question)]
    assert len(taken) <= _TAKEN, taken


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("any hx gout", ("thing", "gout")),
        ("gout, did any of the doctors note it in him", ("thing", "gout")),
        ("Is she diabetic", ("thing", "diabetes")),
        ("on apixaban", ("drug", "apixaban")),
        ("does anyone in her family suffer from gout", ("own_or_family", "gout")),
        ("has ferritin ever been sent", ("test", "ferritin")),
        ("any blood pressure documented", ("thing", "blood pressure")),
    ],
    ids=["telegraphic", "behind the thing", "who has it", "on a drug", "family", "test", "closed word in a name"],
)
def test_the_open_place_is_the_thing(question: str, asked: tuple[str, str]) -> None:
    assert by_slot(question, "en") == asked


@pytest.mark.parametrize(
    "question",
    [
        "why does she have gout", "is the gout hereditary", "did the gout begin after the fall", "gout or pseudogout",
        "did she see cardiology", "did her mother say that she has gout", "who in the family has gout",
        "was the dose of allopurinol noted", "is her gout controlled", "does gout cause kidney stones",
    ],
    ids=[
        "why", "a property", "order", "two things", "a clinic", "mother tells", "who", "dose", "course", "what it does",
    ],
)  # fmt: skip
def test_what_asks_something_else_is_none(question: str) -> None:
    assert by_slot(question, "en") is None


def test_hostile_length_is_quick_to_refuse() -> None:
    assert by_slot("was it noted or denied and then " * 40 + "gout", "en") is None


def test_a_measured_thing_of_a_day_is_the_timelines() -> None:
    assert read_question("TSH on 2014-05-06?") is None
