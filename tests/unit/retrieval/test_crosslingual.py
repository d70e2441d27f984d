"""Crossing to the language of the texts: when, with which weights, and what the encoder is given."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from chartcite.facts.cognates import Language
from chartcite.retrieval.crosslingual import (
    BESIDE_WEIGHT,
    OWN_WEIGHT,
    UNKNOWN_WEIGHT,
    Analyse,
    Crossing,
    crossing,
    gloss,
)
from chartcite.retrieval.synonyms import terms_in_all
from chartcite.text.analyser import Analyser

ANALYSERS: Mapping[Language, Analyse] = {"en": Analyser("en").terms, "pt": Analyser("pt").terms}
BOTH = ("en", "pt")


@pytest.mark.parametrize(
    ("asked_in", "share", "to", "is_beside"),
    [
        ("en", 0.0, None, False), ("pt", 1.0, None, False), ("en", 1.0, "pt", False), ("pt", 0.0, "en", False),
        ("en", 0.5, "pt", True), ("pt", 0.5, "en", True), ("en", 0.01, None, False), ("en", 0.9, "pt", False),
    ],
)  # fmt: skip
def test_a_question_crosses_where_there_are_texts_in_the_other_language(
    asked_in: Language, share: float, to: str | None, is_beside: bool
) -> None:
    found = crossing(asked_in, share, ANALYSERS, ())
    assert (found.to if found else None, bool(found and found.is_beside)) == (to, is_beside)


@pytest.mark.parametrize(
    ("asked_in", "languages", "by_words", "glossed"),
    [("pt", ("en",), True, True), ("en", ("en",), True, False), ("en", BOTH, False, False), ("en", (), True, False)],
)
def test_it_is_told_unless_the_encoder_knows_both(
    asked_in: Language, languages: tuple[str, ...], by_words: bool, glossed: bool
) -> None:
    found = crossing(asked_in, 1.0 if asked_in == "en" else 0.0, ANALYSERS, languages)
    assert found is not None
    assert (found.is_by_words, found.is_glossed) == (by_words, glossed)


def test_names_count_in_full_the_questions_own_words_little() -> None:
    query = "knee pain in 2019"
    across = Crossing("pt", ANALYSERS["pt"])
    found = terms_in_all(query, [ANALYSERS["en"]], 0.0, across)
    assert (found["joelh"], found["dor"]) == (1.0, 1.0)
    assert (found["knee"], found["2019"]) == (OWN_WEIGHT, UNKNOWN_WEIGHT)


def test_beside_texts_in_its_own_language_a_question_keeps_its_weights() -> None:
    own = terms_in_all("knee pain in 2019", [ANALYSERS["en"]], 0.0)
    found = terms_in_all("knee pain in 2019", [ANALYSERS["en"]], 0.0, Crossing("pt", ANALYSERS["pt"], is_beside=True))
    assert {term: found[term] for term in own} == dict(own)
    assert found["joelh"] == BESIDE_WEIGHT


def test_without_a_crossing_nothing_is_added() -> None:
    assert terms_in_all("knee pain", [ANALYSERS["en"]], 0.0) == {"knee": 1.0, "pain": 1.0}


@pytest.mark.parametrize(
    ("query", "to", "found"),
    [
        ("Qual a última creatinina?", "en", "latest creatinine"),
        ("???", "en", "???"),
        ("12/03/2019", "pt", "12 03 2019"),
    ],
)
def test_the_encoder_is_given_word_for_word(query: str, to: Language, found: str) -> None:
    assert gloss(query, to).removeprefix("Qual ") == found
