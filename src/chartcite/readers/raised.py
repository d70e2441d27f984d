"""Superscript and subscript as plain characters, so that no number ever runs into another.

`10` with a raised `9` is `10^9`, `m` with a raised `2` is `m2`, `4.5` with a raised `12`, a reference, is `4.5 [12]`,
and `CO` with a lowered `2` is `CO2`. Which is meant is told by what stands before, never by what is meant medically.
"""

from __future__ import annotations

import re

_POWER = re.compile(r"(?<![\d.,])10$")
_NUMBER = re.compile(r"\d$")
_NEGATIVE = re.compile(r"[-−–][ ]?\d+$")
_DIGITS = re.compile(r"[\d\s,;–-]*\d[\d\s,;–-]*[a-z]?$")
_LETTERS = re.compile(r"[^\W\d_]+$")
_ORDINALS = frozenset(("st", "nd", "rd", "th", "er", "º", "ª"))
_NOTES = "abcdefgh"
"""Letters by which notes of tables are called; `n` and `x` are powers."""
_SHORT_UNIT_CHARS = 2
"""`m`, `cm`, `mm`: a raised number behind so few letters is a power, behind a word it is a reference."""


def raised(before: str, inside: str) -> str:
    """What a superscript adds to the text before it.

    >>> [raised(*pair) for pair in (("x 10", "9"), ("kg/m", "2"), ("4.5", "12"), ("stable", "3"), ("n", "a"))]
    ['^9', '2', ' [12]', ' [3]', ' [a]']
    """
    mark = inside.strip()
    if len(mark) == 1 and mark.islower() and not before.strip():
        return f"[{mark}] "  # the mark in front of a note
    if not before or before[-1:].isspace() or not any(c.isalnum() for c in mark):
        return inside
    if _NEGATIVE.match(mark) or (_POWER.search(before) and _DIGITS.match(mark)):
        return f"^{mark}"
    if _NUMBER.search(before):
        return mark if mark.lower() in _ORDINALS else f" [{mark}]"
    if len(mark) == 1 and mark in _NOTES and before[-1:].isalpha():
        return f" [{mark}]"
    word = _LETTERS.search(before)
    behind_words = before[-1:] in ".,;:)%" if word is None else len(word[0]) > _SHORT_UNIT_CHARS
    return f" [{mark}]" if behind_words and _DIGITS.match(mark) else inside


def lowered(before: str, inside: str) -> str:
    """What a subscript adds to the text before it: a digit under a digit is kept apart.

    >>> lowered("CO", "2"), lowered("HbA", "1c"), lowered("5", "2")
    ('2', '1c', '_2')
    """
    return f"_{inside.strip()}" if _NUMBER.search(before) and inside.strip()[:1].isdigit() else inside
