"""Abbreviations of several meanings: the words of the sentence decide, or nothing is said."""

from __future__ import annotations

import pytest

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.verification.concepts import sense_keys


def meaning(short: str, words: list[str]) -> str:
    """The spellings of the meanings that the words speak for."""
    rows = read_rows(FACTS, "abbreviations_ambiguous.tsv")
    return " ".join(rows[int(key.removeprefix("amb:"))][1] for key in sense_keys(short, frozenset(words)))


@pytest.mark.parametrize(
    ("short", "sentence", "expected"),
    [
        ("MS", "relapsing ms on interferon", "multiple sclerosis"),
        ("MS", "ms with mitral valve gradient", "mitral stenosis"),
        ("RA", "sat 96 on ra", "room air"),
        ("RA", "ra on methotrexate", "rheumatoid arthritis"),
        ("PT", "pt inr 1.2", "prothrombin time"),
        ("PT", "home pt", "physical therapy"),
        ("SBP", "sbp #", "systolic blood pressure"),
        ("SBP", "sbp with ascites", "spontaneous bacterial peritonitis"),
    ],
)
def test_context_decides(short: str, sentence: str, expected: str) -> None:
    assert expected in meaning(short, sentence.split())


@pytest.mark.parametrize("sentence", ["ms", "ms gradient relapsing", "ms stable"])
def test_without_or_with_crossed_context_no_meaning_is_chosen(sentence: str) -> None:
    assert len(sense_keys("MS", frozenset(sentence.split()))) != 1
