"""Reads one person's name at a place of a text: initials, particles, capitalised words; where it ends."""

from __future__ import annotations

import re
from typing import Final, Literal

from chartcite.deid.vocabulary import eponyms, first_names, is_word, surnames
from chartcite.text.folding import fold

Trust = Literal["title", "cue", "list"]
"""What stands before a name: a title (any word may be a name), another cue (no known word), or nothing but lists."""

WORD: Final = r"[A-ZÀ-Þ][^\W\d_]{0,30}(?:['’](?!s\b|S\b)[^\W\d_]{1,30})?(?:-[A-ZÀ-Þ][^\W\d_]{0,30}){0,3}"
INITIALS: Final = r"(?:[A-ZÀ-Þ]\.[ ]?){0,3}[A-ZÀ-Þ]\."
PARTICLE: Final = r"(?:van|von|der|den|de|da|do|dos|das|del|della|di|du|la|le|el|al|bin|ibn|ter|ten|af)"
_WORD = re.compile(WORD)
_STEP = re.compile(
    rf"(?P<initials>{INITIALS}(?=[ ]?[A-ZÀ-Þ]|[ ]*(?:[,;)(/|]|$|\n)|[ ]+(?!\S))|[A-Z](?=[ ][A-ZÀ-Þ][a-zà-ÿ]))"
    rf"|(?P<particles>(?:{PARTICLE}[ ])+(?={WORD}))|(?P<saint>St\.[ ](?={WORD}))|(?P<word>{WORD})"
)
_GAP = re.compile(r"[ ]{0,2}")
_MOST_WORDS = 6


def read_name(text: str, start: int, trust: Trust, *, upper: bool = False) -> int:
    """Where the name that begins at `start` ends; `start` itself where none does.

    Args:
        text: any text.
        start: offset of its first character.
        trust: see `Trust`.
        upper: whether words in capitals may belong to it.
    """
    place, end, words = start, start, 0
    while words < _MOST_WORDS:
        step = _STEP.match(text, place)
        if step is None:
            break
        if step["word"]:
            if not _fits(step["word"], trust if words == 0 else "cue", upper=upper):
                break
            end = step.end()
            words += 1
        elif step["initials"] and step["initials"][-1] == "." and words:
            end = step.end()  # "Lindqvist A."
        place = _GAP.match(text, step.end()).end()  # type: ignore[union-attr]
    return end if words else start


def is_listed(word: str) -> bool:
    """Whether a list of names has the word, as a first name or surname that is no everyday word."""
    parts = [fold(part) for part in re.split(r"[-'’]", word) if len(part) > 1]
    return any(part in surnames() or first_names().get(part, ("", False))[1] for part in parts)


def _fits(word: str, trust: Trust, *, upper: bool) -> bool:
    """Whether a capitalised word may be part of a name."""
    if word.isupper() and len(word) > 1 and not (upper and len(word) > 2):
        return False
    if trust == "title":
        return len(word) > 1
    folded = fold(word)
    if is_word(folded) and not any(is_listed(part) and not is_word(part) for part in word.split("-")):
        return False
    return trust == "cue" or is_listed(word) or folded in first_names() or folded in eponyms()


def first_word(text: str, start: int) -> str:
    """The capitalised word at a place, empty where there is none."""
    found = _WORD.match(text, start)
    return found.group() if found else ""
