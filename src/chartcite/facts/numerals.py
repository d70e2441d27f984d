"""Numbers as they are written: in digits with points and commas, in words. Knows no unit."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.patterns import alternatives

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d|,\d|\.\d)|\d+(?:\.\d+|,\d{1,2})?(?![\d,.]*\d)|\.\d+(?![\d.]*\d))"


@lru_cache(maxsize=1)
def _number_words() -> dict[str, Fraction]:
    return {w: Fraction(value) for value, words in read_rows(FACTS, "number_words.tsv") for w in words.split("|")}


@lru_cache(maxsize=1)
def worded_number() -> str:
    """A pattern for numbers in words: `five`, `twenty-five`, `a hundred and ten`, `two thousand`, `a dozen`."""
    known = _number_words()
    names = alternatives(w for w in known if w not in ("hundred", "thousand", "one"))
    tens = alternatives(w for w, n in known.items() if 20 <= n <= 90 and n % 10 == 0)
    ones = alternatives(w for w, n in known.items() if 1 <= n <= 9)
    pair = rf"(?:{tens}(?:[\s-]|\se\s){ones}|{names}|one(?!\s+of\b))"
    hundreds = rf"(?:(?:an?|{pair})\s+hundred(?:\s+(?:and\s+)?{pair})?)"
    thousands = rf"(?:(?:an?|{hundreds}|{pair})\s+thousand(?:\s+(?:and\s+)?(?:{hundreds}|{pair}))?)"
    dozens = r"half\s+a\s+dozen|a\s+dozen|a\s+couple(?:\s+of)?|a\s+pair\s+of|(?<=\ba\s)single(?=\s)"
    return rf"(?:{thousands}|{hundreds}|{pair}|{dozens})(?![^\W_])"


_FIXED = {"half a dozen": 6, "a dozen": 12, "a couple": 2, "a couple of": 2, "a pair of": 2, "single": 1}


def last_digit(number: str) -> Fraction:
    """The worth of the last digit written; trailing zeros of a whole number are taken as exact."""
    _, point, decimals = number.replace(",", ".").rpartition(".")
    is_grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+", number) is not None
    return Fraction(1, 10 ** len(decimals)) if point and not is_grouped else Fraction(1)


def _from_words(text: str) -> Fraction | None:
    fixed = _FIXED.get(re.sub(r"\s+", " ", text.lower()))
    if fixed is not None:
        return Fraction(fixed)
    known, total, thousands = _number_words(), Fraction(0), Fraction(0)
    for word in re.split(r"[\s-]+", text.lower()):
        if word in ("and", "e"):
            continue
        value = Fraction(1) if word in ("a", "an") else known.get(word)
        if value is None:
            return None
        if value == 1000:
            thousands, total = max(total, Fraction(1)) * 1000, Fraction(0)
        else:
            total = max(total, Fraction(1)) * 100 if value == 100 else total + value
    return thousands + total


@lru_cache(maxsize=4096)
def read_number(text: str) -> Fraction | None:
    """The number that a text of digits or words is; None when it is none, or not written plainly."""
    if not any(char.isdigit() for char in text):
        return _from_words(text)
    if not text.isascii() or len(text) > 40:
        # Digits of other scripts and endless digit runs stay words, compared letter by letter.
        return None
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        return Fraction(text.replace(",", ""))
    return Fraction(text.replace(",", "."))
