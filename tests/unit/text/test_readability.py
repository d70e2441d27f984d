"""Readability: the formulas worked out by hand, syllables of words, and texts that are too short for a figure."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.text.readability import readability, syllables

ENGLISH = {
    1: "dose twice stopped pulse weight taste once raised a",
    2: "pressure table tablet kidney bleeding cancer doctor treated",
    3: "warfarin injection hospital diagnosed",
    4: "medication abdominal penicillin diagnosis elevated operation",
    5: "examination",
}
PORTUGUESE = {
    1: "dor mal quer pão",
    2: "água pressão sangue noite queixa",
    3: "coração remédio saúde potássio hospital",
    4: "diabetes alergia comprimidos",
    5: "avaliação",
}


@pytest.mark.parametrize(
    ("word", "count", "language"),
    [
        *((w, n, "en") for n, ws in ENGLISH.items() for w in ws.split()),
        *((w, n, "pt") for n, ws in PORTUGUESE.items() for w in ws.split()),
        ("follow-up", 3, "en"), ("médico-cirúrgico", 7, "pt"), ("mg", 1, "en"),
    ],
)  # fmt: skip
def test_syllables(word: str, count: int, language: str) -> None:
    assert syllables(word, language) == count  # type: ignore[arg-type]


def test_the_formulas() -> None:
    text = "The doctor raised the dose. You take one pill at night. Operations and medications are separate."
    found = readability(text)
    counts = [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 1, 4, 1, 3]
    assert (found.sentences, found.words, found.syllables) == (3, 16, sum(counts))
    assert found.long_words == 3
    assert found.reading_ease == round(206.835 - 1.015 * 16 / 3 - 84.6 * sum(counts) / 16, 2)
    assert found.grade == round(0.39 * 16 / 3 + 11.8 * sum(counts) / 16 - 15.59, 2)
    assert found.smog == round(1.0430 * math.sqrt(3 * 30 / 3) + 3.1291, 2)


def test_the_portuguese_formula() -> None:
    text = "A médica aumentou a dose do remédio. O senhor toma um comprimido à noite."
    found = readability(text, "pt")
    assert found.reading_ease == round(248.835 - 1.015 * found.words / 2 - 84.6 * found.syllables / found.words, 2)
    assert (found.grade, found.smog) == (None, None)
    assert dict(found.reasons) == {"grade": "a formula for English", "smog": "a formula for English"}


@pytest.mark.parametrize("text", ["", "   ", "Stop.", "5 mg, 10 mg, 15 mg, 20 mg.", "One two three four five."])
def test_too_short_is_null_with_a_reason(text: str) -> None:
    found = readability(text)
    assert (found.reading_ease, found.grade, found.smog) == (None, None, None)
    assert set(dict(found.reasons)) == {"reading_ease", "grade", "smog"}


def test_few_sentences_have_no_smog() -> None:
    found = readability("The new tablet for the heart is taken once a day with a glass of water.")
    assert found.reading_ease is not None
    assert found.smog is None


def test_abbreviations_end_no_sentence() -> None:
    assert readability("Dr. Alder saw her at 9 in the morning and gave her 2.5 mg of the drug.").sentences == 1


@given(st.text(max_size=400), st.sampled_from(["en", "pt"]))
def test_any_text_has_counts_and_finite_figures(text: str, language: str) -> None:
    found = readability(text, language)  # type: ignore[arg-type]
    assert found.words <= found.syllables or not found.words
    assert 0 <= found.long_words <= found.words
    figures = (found.reading_ease, found.grade, found.smog)
    assert all(f is None or math.isfinite(f) for f in figures)
    named = {name for name, f in zip(("reading_ease", "grade", "smog"), figures, strict=True) if f is None}
    assert named == set(dict(found.reasons))
