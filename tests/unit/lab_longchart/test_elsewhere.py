"""The same questions in the other language: pairs ask the same, and keep the record's own gold."""

from __future__ import annotations

import pytest

from chartcite.facts.language import question_language
from chartcite.lab.longchart.generate import records
from chartcite.lab.longchart.questions.elsewhere import in_other_language


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_pairs_ask_the_same_in_two_languages(lang: str) -> None:
    ((life, notes),) = records(1, 5, {lang: 1.0}, scale=0.1)
    pairs = in_other_language(life, notes, None, 5)
    assert len(pairs) > 20
    for own, other in pairs:
        assert (own.lang, other.lang) == (lang, "pt" if lang == "en" else "en")
        assert (own.gold, own.answer, own.facts, own.as_of) == (other.gold, other.answer, other.facts, other.as_of)
        assert own.kind not in ("absent", "multiple_choice", "narrative")
        assert own.text != other.text
    told = sum(question_language(other.text) == other.lang for _, other in pairs)
    assert told > 0.8 * len(pairs)
