"""Spans cut by rules: by kind of question, English and Portuguese; always a slice, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.span.kinds import wants
from chartcite.cascade.span.llm import find_verbatim
from chartcite.cascade.span.rules import cut
from chartcite.cascade.statements import wanted

CASES = [
    ("What is the warfarin dose?", "Warfarin 5 mg every evening, INR weekly.", "5 mg every evening"),
    ("What is the warfarin dose?", "Warfarin was raised from 4 mg to 5 mg daily.", "5 mg daily"),
    ("What is the warfarin dose?", "Aspirin 81 mg daily and warfarin 5 mg nightly.", "5 mg nightly"),
    ("What dose of metoprolol does she take?", "Metoprolol stays at 100 mg daily.", "100 mg daily"),
    ("What was the INR?", "INR was 2.1 on 2020-01-03.", "2.1"),
    ("What was the HDL cholesterol?", "| HDL cholesterol | 52 | mg/dL |  | >40 |", "52 | mg/dL"),
    ("When was the knee replaced?", "Right knee replaced on 12 March 2011 by Dr. Alder.", "12 March 2011"),
    ("In which year was asthma diagnosed?", "Asthma, known since 2003.", "2003"),
    ("Which side was operated?", "Left inguinal hernia repair.", "Left"),
    ("Who did the colonoscopy?", "Colonoscopy performed by Dr. Zimmer.", "Dr. Zimmer"),
    ("Which relative had colon cancer?", "Her maternal uncle had colon cancer.", "maternal uncle"),
    ("Why was lisinopril stopped?", "Lisinopril was stopped because of a dry cough.", "dry cough"),
    ("Why was apixaban held?", "Given hemoglobin at just 8.9 g/dL, apixaban is held.", "hemoglobin at just 8.9 g/dL"),
    ("Why was diltiazem stopped?", "Diltiazem was discontinued (puffy ankles by evening).", "puffy ankles by evening"),
    ("How long did the operation last?", "The operation lasted 46 min.", "46 min"),
    ("At what age did the father get gout?", "His father got gout at 52.", "52"),
    ("What is the patient allergic to?", "Allergies: penicillin", "penicillin"),
    ("Qual a dose de varfarina?", "Varfarina 5 mg à noite.", "5 mg à noite"),
    ("Por que a dose foi aumentada?", "Dose aumentada por causa de dor torácica.", "dor torácica"),
    ("Quando foi a mamografia?", "Mamografia em 27/04/2010.", "27/04/2010"),
    ("De que lado foi a cirurgia?", "Herniorrafia inguinal à direita.", "direita"),
    ("Quanto tempo durou a cirurgia?", "Duração de 49 minutos.", "49 minutos"),
]  # fmt: skip


HEART = "When was the heart attack?"
WHOLE_OR_PART = [
    ("What drug allergies does she have?", "No known drug allergies.", None),
    ("What are the allergies?", "No known drug allergies.", "No known drug allergies"),
    ("What did the culture grow?", "The culture grew no organism.", "grew no organism"),
    ("What did the scan show?", "The scan showed a stone without obstruction.", "showed a stone without obstruction"),
    ("What is the warfarin dose?", "She did not take warfarin 5 mg daily.", None),
    ("Why was warfarin stopped?", "Warfarin was not stopped because of bleeding.", None),
    ("What is the warfarin dose?", "No bleeding, warfarin 5 mg daily.", "5 mg daily"),
    ("O que mostrou a cultura?", "Cultura sem crescimento.", "sem crescimento"),
    (HEART, "Had a stroke in 2018 and a heart attack in 2012.", "2012"),
    (HEART, "In 2018 he had a stroke and in 2012 a heart attack.", "2012"),
    (HEART, "In 2012 he had a heart attack, in 2018 a stroke.", "2012"),
    (HEART, "Heart attack in 2012 and stroke in 2018.", "2012"),
    (HEART, "Heart attack in 2012 and a second heart attack in 2018.", None),
    (HEART, "Stroke on 3 May 2018 and heart attack in 2012.", "2012"),
    (HEART, "Given 2000 mg on the day of the heart attack 2012-05-01.", "2012-05-01"),
    (HEART, "Stroke in 2018 and bleeding in 2012.", None),
    (HEART, "Heart failure in 2018 and a heart attack in 2012.", "2012"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sentence", "span"), WHOLE_OR_PART, ids=[f"{q} {s}" for q, s, _ in WHOLE_OR_PART])
def test_no_denial_is_cut_off_and_a_date_is_of_its_clause(question: str, sentence: str, span: str | None) -> None:
    want = wanted(question)
    found = cut(sentence, wants(question, want), want, interpret(question).focus)
    assert (sentence[found.start : found.end] if found else None) == span


@pytest.mark.parametrize(("question", "sentence", "span"), CASES, ids=[q for q, *_ in CASES])
def test_the_part_that_answers(question: str, sentence: str, span: str) -> None:
    want = wanted(question)
    found = cut(sentence, wants(question, want), want, interpret(question).focus)
    assert found is not None
    assert sentence[found.start : found.end] == span


KINDS = ["value", "dose", "drug", "date", "side", "person", "reason", "duration", "age", "rest"]


@given(st.text(max_size=300), st.sampled_from(KINDS), st.lists(st.text(min_size=1, max_size=8), max_size=3))
def test_any_text_gives_a_slice_or_nothing(text: str, kind: str, words: list[str]) -> None:
    found = cut(text, kind, wanted("warfarin dose and INR"), words)  # type: ignore[arg-type]
    assert found is None or 0 <= found.start < found.end <= len(text)


@settings(max_examples=40)
@given(
    st.lists(
        st.sampled_from(["warfarin", "5 mg", "daily", "because of", "2.1", "INR", "left", "2011", "\n", "."]),
        max_size=12,
    )
)
def test_words_of_notes_give_a_slice_without_white_space_around(parts: list[str]) -> None:
    text = " ".join(parts)
    for kind in KINDS:
        found = cut(text, kind, wanted("warfarin dose and INR"), ["warfarin"])  # type: ignore[arg-type]
        if found is not None:
            piece = text[found.start : found.end]
            assert piece == piece.strip()
            assert piece


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("5 mg daily", "Warfarin 5 mg\n   daily.", "5 mg\n   daily"),
        ("5 mg", "Warfarin 2.5 mg", None),
        ("5", "Warfarin 5.5 mg", None),
        ("2.5 mg", "Warfarin 2.5 mg.", "2.5 mg"),
        ("no bleeding", "She has bleeding.", None),
        ("bleed", "She has bleeding.", None),
        ("", "She has bleeding.", None),
        ("Bleeding", "She has bleeding.", None),
    ],
)
def test_a_copy_is_found_letter_by_letter(text: str, quote: str, found: str | None) -> None:
    span = find_verbatim(text, quote)
    assert (quote[span.start : span.end] if span else None) == found
