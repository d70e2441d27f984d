"""Under which spellings a thing is looked for, and where a text has one of them."""

from __future__ import annotations

import pytest

from chartcite.cascade.presence.forms import forms_of
from chartcite.cascade.presence.words import find
from chartcite.text.analyser import Analyser

ENGLISH = Analyser("en").terms
PORTUGUESE = Analyser("pt").terms


@pytest.mark.parametrize(
    ("thing", "spelling"),
    [
        ("MI", "heart attack"),
        ("Enbrel", "etanercept"),
        ("shortness of breath", "dyspnea"),
        ("high blood pressure", "HTN"),
        ("hemoglobin A1c", "HbA1c"),
    ],
)
def test_listed_spellings_are_looked_for_and_told(thing: str, spelling: str) -> None:
    assert spelling in forms_of(thing, ENGLISH).texts


def test_a_test_has_its_names_as_a_test_only() -> None:
    assert "psoriatic arthritis" not in forms_of("PSA", ENGLISH, is_test=True).texts


def test_kinds_of_a_class_are_looked_for() -> None:
    assert "metoprolol" in {kind.text for kind in forms_of("beta blocker", ENGLISH).kinds}


FOUND = [
    ("kidney biopsy", "Renal biopsy in 2011.", True),
    ("thyroid cancer", "Cancer of the thyroid, resected.", True),
    ("thyroid cancer", "Thyroid normal. Cancer screening done.", False),
    ("chest pain", "Chest clear, pain in the knee.", False),
    ("headache", "Head CT was normal.", False),
    ("headache", "Headaches every week.", True),
    ("creatine", "Creatinine 1.1 mg/dL.", False),
    ("coronary artery disease", "Known CAD.", True),
    ("aortic stenosis", "Seen as an outpatient.", False),
    ("influenza", "Got a flu shot.", False),
    ("flu shot", "Got a flu shot.", True),
    ("spirometry", "Taught use of the incentive spirometer.", False),
    ("MI", "Sent to MI last year.", True),
    ("MI", "mi casa", False),
    ("follow-up", "Follow up in May.", True),
    ("type 2 diabetes", "Type 1 diabetes.", False),
    ("BRCA1", "BRCA2 positive.", False),
]


@pytest.mark.parametrize(("thing", "text", "has"), FOUND, ids=[f"{t}: {s}" for t, s, _ in FOUND])
def test_where_a_text_has_a_thing(thing: str, text: str, has: bool) -> None:
    assert (find(forms_of(thing, ENGLISH), text, ENGLISH) is not None) is has


@pytest.mark.parametrize(
    ("text", "has"),
    [("FEVE 45%, sem derrame pericárdico", False), ("FEBRE há 2 dias", True), ("fever at home", True)],
    ids=["ejection fraction", "capitals", "English word"],
)
def test_a_measured_thing_in_capitals_is_no_word_with_its_stem(text: str, has: bool) -> None:
    analyse = Analyser("pt").terms
    assert (find(forms_of("febre", analyse, lang="pt"), text, analyse) is not None) == has


def test_portuguese_without_accents_and_in_plural() -> None:
    assert find(forms_of("convulsão", PORTUGUESE), "Teve convulsoes na infancia.", PORTUGUESE) is not None


def test_a_span_is_the_words_and_not_the_mark_behind_them() -> None:
    text = "Fever and cold intolerance: both denied."
    found = find(forms_of("cold intolerance", ENGLISH), text, ENGLISH)
    assert found is not None
    assert text[found.span.start : found.span.end] == "cold intolerance"


def test_names_of_the_other_language_are_looked_for_as_a_whole_and_by_word() -> None:
    named = {"cirrhosis": ["cirrose"], "lung": ["pulmão"], "cancer": ["câncer"]}
    texts = forms_of("cirrhosis", PORTUGUESE, named=lambda phrase: named.get(phrase, ())).texts
    assert "cirrose" in texts
    forms = forms_of("lung cancer", PORTUGUESE, named=lambda phrase: named.get(phrase, ()))
    assert find(forms, "Sem sinais de câncer no pulmão.", PORTUGUESE) is not None
