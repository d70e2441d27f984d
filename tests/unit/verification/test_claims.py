"""Cutting a text into claims: spans are exact, pieces without a claim are named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.verification.claims import count_claims, split_claims

WORDS = st.sampled_from(["He", "was", "given", ",", "and", ";", "5", "mg", ".", "No", "fever", "but", "denies"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The patient has a fever.", ["assertion: The patient has a fever."]),
        (
            "Warfarin was stopped, and apixaban was started at 5 mg.",
            ["assertion: Warfarin was stopped", "assertion: apixaban was started at 5 mg"],
        ),
        (
            "The patient has a fever and denies chest pain.",
            ["assertion: The patient has a fever and denies chest pain."],
        ),
        ("Sodium 138, potassium 4.2.", ["assertion: Sodium 138, potassium 4.2."]),
        ("No evidence of pneumonia.", ["assertion: No evidence of pneumonia."]),
        ("Summary:", ["fragment: Summary:"]),
        ("There is not enough evidence to answer.", ["no_answer: There is not enough evidence to answer."]),
        ("The dose is not documented.", ["no_answer: The dose is not documented."]),
        ("O prontuário: não há informações suficientes.", ["no_answer: O prontuário: não há informações suficientes."]),
        ("She improved. Overall.", ["assertion: She improved.", "fragment: Overall."]),
    ],
)
def test_split(text: str, expected: list[str]) -> None:
    assert [f"{c.sort}: {text[c.span.start : c.span.end]}" for c in split_claims(text)] == expected


@given(st.text(max_size=120) | st.lists(WORDS, max_size=14).map(" ".join))
def test_spans_are_in_order_and_inside(text: str) -> None:
    end = 0
    for claim in split_claims(text):
        assert end <= claim.span.start < claim.span.end <= len(text)
        end = claim.span.end
    assert sum(count_claims(text).values()) == len(split_claims(text))
