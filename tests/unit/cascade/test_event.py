"""Events that a question ties its time to: read from it, and put into the question as a day."""

from __future__ import annotations

import pytest

from chartcite.cascade.choose.event import Event, read_event

EVENTS = [
    ("Just before the sigmoid colectomy, how high was the INR?", "before", "the sigmoid colectomy", ""),
    ("What was the last weight prior to the end of warfarin?", "before", "warfarin", "stop"),
    ("Once the start of amlodipine was over, how high was the weight?", "after", "amlodipine", "start"),
    ("What was the dose at the time of the hospital stay for stroke?", "at", "the hospital stay for stroke", ""),
    ("Qual foi o primeiro HDL depois de biópsia de pele?", "after", "biópsia de pele", ""),
    ("Antes de início de levetiracetam, qual o sódio?", "before", "levetiracetam", "start"),
    ("Que dose usava na época da cirurgia?", "at", "cirurgia", ""),
]


@pytest.mark.parametrize(("question", "relation", "noun", "kind"), EVENTS, ids=[q for q, *_ in EVENTS])
def test_events_are_read(question: str, relation: str, noun: str, kind: str) -> None:
    found = read_event(question)
    assert found is not None
    assert (found.relation, found.noun, found.kind) == (relation, noun, kind)
    assert noun not in found.rest


@pytest.mark.parametrize(
    "question",
    ["What was the INR before 2020-01-01?", "When did it start?", "What was the dose on 3 May 2011?", "", "before?"],
)
def test_no_event(question: str) -> None:
    assert read_event(question) is None


def test_questions_about_it() -> None:
    stop = Event("before", "warfarin", "What was the INR", "stop")
    assert stop.words == "end of warfarin"
    said = stop.asking("INR", "2012-03-01", is_drug=False, is_portuguese=False)
    assert said == "As of 2012-02-29, what was the most recent INR?"
    at = Event("at", "a cirurgia", "Que dose de varfarina usava")
    assert at.asking("varfarina", "2012-03-01", is_drug=True, is_portuguese=True) == (
        "Que dose de varfarina usava em 2012-03-01?"
    )
