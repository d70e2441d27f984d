from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.cascade.interpret.rules import MAX_QUERY_WORDS, interpret


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What is the latest warfarin dose?", "What is the latest warfarin dose"),
        ("Hello, could you please tell me why metformin was stopped?", "why metformin was stopped"),
        ('Question: "Which knee was replaced?"', "Which knee was replaced"),
        ("Has Maria Castello had breast cancer?", "Has the patient had breast cancer"),
        ("Does Mr. Osei take lisinopril?", "Does the patient take lisinopril"),
    ],
)
def test_a_short_question_is_its_own_query(question: str, query: str) -> None:
    assert interpret(question).query == query


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the latest warfarin dose?", "latest"),
        ("What was his most recent ejection fraction?", "latest"),
        ("When was her last colonoscopy?", "latest"),
        ("What happened last week?", "fact"),
        ("Is she still taking prednisone?", "latest"),
        ("What was the first INR?", "first"),
        ("When was insulin started?", "first"),
        ("Does she have a pacemaker?", "absence"),
        ("Is there any record of gout?", "absence"),
        ("Has he ever smoked?", "absence"),
        ("Why was metformin stopped?", "fact"),
    ],
)
def test_kinds(question: str, kind: str) -> None:
    assert interpret(question).kind == kind


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("What was the creatinine on 7 September 2021?", "2021-09-07"),
        ("What was the HbA1c in June 2020?", "2020-06"),
        ("Why was levothyroxine lowered in 2022?", "2022"),
        ("Was 2500 mg given?", ""),
        ("What is the INR?", ""),
    ],
)
def test_the_period_a_question_names(question: str, period: str) -> None:
    found = interpret(question)
    assert found.period == period
    assert not {"2020", "2021", "2022", "june", "september"} & set(found.focus)


def test_a_long_story_becomes_its_asking_sentence_of_at_most_fifteen_words() -> None:
    story = (
        "I have been very worried about my mother since she came home on Tuesday with a bag of new tablets. "
        "She was given warfarin and something else by the heart doctor, and nobody explained to us at all what to do "
        "when she forgets one of them in the evening. Why was the dose of warfarin lowered when she left the hospital?"
    )
    found = interpret("", narrative=story)
    assert len(found.query.split()) <= MAX_QUERY_WORDS
    assert "warfarin" in found.query
    assert "lowered" in found.query


def test_the_focus_holds_no_word_that_any_question_may_have() -> None:
    assert interpret("What is the latest warfarin dose of the patient?").focus == ("warfarin",)


@given(st.text(min_size=1).filter(str.strip), st.text())
def test_any_text_gives_a_bounded_query_of_its_own_words(question: str, narrative: str) -> None:
    query = interpret(question, narrative).query
    assert len(query.split()) <= MAX_QUERY_WORDS
    allowed = set((question + " " + narrative + " the patient").split())
    assert all(any(word in whole for whole in allowed) for word in query.split())
