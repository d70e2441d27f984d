"""Whether two index terms are as good as one word. Stems part `smoked` from `smoker`, `allergy` from `allergic`.

Used only to decide what a text is about, never to verify it.
"""

from __future__ import annotations

from collections.abc import Collection

AKIN_CHARS = 4


def akin(term: str, terms: Collection[str]) -> bool:
    """Whether a term, or one that differs from it only in a short ending, is among the terms.

    >>> akin("smoke", {"smoker"}), akin("allerg", {"allergi"}), akin("2.5", {"2.55"}), akin("heart", {"hearing"})
    (True, True, False, False)
    """
    if term in terms:
        return True
    if len(term) < AKIN_CHARS or not term.isalpha():
        return False
    return any(_same_word(term, other) for other in terms)


def _same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= AKIN_CHARS and other.isalpha() and len(long) - len(short) <= 3 and long.startswith(short)
