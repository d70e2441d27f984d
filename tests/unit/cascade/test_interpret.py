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
        ("Has Maria Castello had breast cancer?", "Has Maria Castello had breast cancer"),
        ("Is INR stable?", "Is INR stable"),
        ("Has Warfarin been stopped?", "Has Warfarin been stopped"),
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


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("Has Maria Castello had breast cancer?", ("breast", "cancer")),
        ("Does Mr. Osei take lisinopril?", ("lisinopril",)),
        ("Is INR stable?", ("inr", "stable")),
        ("Was MRI performed in 2020?", ("mri",)),
        ("Has Warfarin been stopped?", ("warfarin",)),
        ("Did Lisinopril cause cough?", ("lisinopril", "cough")),
        ("Is Marfan syndrome inherited?", ("marfan", "syndrome", "inherited")),
    ],
)
def test_names_of_people_are_no_focus_and_names_of_drugs_are(question: str, focus: tuple[str, ...]) -> None:
    assert interpret(question).focus == focus


@pytest.mark.parametrize(
    "question", ["Which operations since 2015?", "What changed after March 2019?", "Any fall before 2019-03-02?"]
)
def test_the_begin_or_end_of_a_range_is_no_period(question: str) -> None:
    found = interpret(question)
    assert (found.period, found.is_open_range) == ("", True)


def test_other_questions_and_the_story_are_not_lost_silently() -> None:
    found = interpret(
        "Does she have diabetes? What is the warfarin dose?", narrative="She fell on the stairs on Monday."
    )
    assert found.query == "What is the warfarin dose"
    assert found.other_questions == 1
    assert "stairs" in found.story


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
    allowed = set((question + " " + narrative).split())
    assert all(any(word in whole for whole in allowed) for word in query.split())
