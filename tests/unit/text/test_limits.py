"""Answers of at most 75 words, queries of at most 15."""

from __future__ import annotations

import pytest

from chartcite.text.limits import first_words, soft_cut


def words(count: int, letter: str = "w") -> str:
    return " ".join(f"{letter}{number}" for number in range(1, count + 1))


def test_exactly_the_limit_is_untouched() -> None:
    assert soft_cut(words(75) + ".") == words(75) + "."


def test_one_long_sentence_is_cut_hard_with_one_full_stop() -> None:
    assert soft_cut(words(80) + ".") == words(75) + "."
    assert soft_cut(words(75) + ", " + words(9, "c") + ".") == words(75) + "."
    assert soft_cut(words(74) + " ends. " + words(9, "c")) == words(74) + " ends."


@pytest.mark.parametrize(("kept", "expected"), [(61, 61), (45, 45), (44, 75)])
def test_cut_at_a_sentence_end_if_enough_remains(kept: int, expected: int) -> None:
    cut = soft_cut(f"{words(kept)}. {words(70, 'b')}.")
    assert len(cut.split()) == expected
    assert cut.endswith(".")
    assert not cut.endswith("..")


def test_abbreviations_and_decimals_are_no_sentence_ends() -> None:
    assert soft_cut(f"{words(50)}. Given by Dr. {words(60, 'b')}.") == words(50) + "."
    assert soft_cut(f"{words(48)}. Sodium was 3.9 mmol/L {words(60, 'b')}.") == words(48) + "."


def test_short_text_keeps_its_white_space() -> None:
    assert soft_cut(" a\n\tb  c. ") == "a\n\tb  c."


@pytest.mark.parametrize("empty", ["", "  \n"])
def test_empty_is_an_error(empty: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        soft_cut(empty)
    with pytest.raises(ValueError, match="empty"):
        first_words(empty)


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("Question: Why was she given heparin?", "Why was she given heparin?"),
        ('"Why was she given heparin?"', "Why was she given heparin?"),
        ("The clinician-interpreted question is: “When did it start?”", "When did it start?"),
        ("**Query:** sepsis source", "sepsis source"),
        ('What did Mr. X\'s "PE" mean?', 'What did Mr. X\'s "PE" mean?'),
        (words(20), words(15)),
        (words(14) + " w15, w16", words(15)),
        ("Pergunta: por que a heparina?", "por que a heparina?"),
    ],
)
def test_queries(reply: str, query: str) -> None:
    assert first_words(reply) == query


@pytest.mark.parametrize("nothing", ['""', "Question:", "``"])
def test_query_of_nothing_is_an_error(nothing: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        first_words(nothing)
