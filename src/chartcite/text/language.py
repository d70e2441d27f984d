"""Tells English from Portuguese by the small words of a text. Deterministic; unsure means no answer."""

from __future__ import annotations

import re
from typing import Literal

from chartcite.text.folding import fold
from chartcite.text.wordlists import load_words

_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT_CHARS = 5_000
_LEAST_WORDS = 2
_CLEAR_RATIO = 2


def detect(text: str) -> Literal["en", "pt", ""]:
    """Return the language, or `` when the text is too short, mixed, or in neither.

    >>> detect("Paciente com dor no peito há dois dias."), detect("He has had pain for two days."), detect("BP 120/80")
    ('pt', 'en', '')
    """
    english, portuguese = small_words(text)
    if english >= _LEAST_WORDS and english > _CLEAR_RATIO * portuguese:
        return "en"
    if portuguese >= _LEAST_WORDS and portuguese > _CLEAR_RATIO * english:
        return "pt"
    return ""


def small_words(text: str) -> tuple[int, int]:
    """How many English and Portuguese small words a text has at its beginning."""
    words = _WORD.findall(fold(text[:_LOOKED_AT_CHARS]))
    english = sum(map(load_words("language_words.txt", "en").__contains__, words))
    return english, sum(map(load_words("language_words.txt", "pt").__contains__, words))
