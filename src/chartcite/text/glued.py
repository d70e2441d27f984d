"""Finds a sentence that ends without a space behind its full stop: `pain.She`, `risk.[3] The`, `120/80.No edema`."""

from __future__ import annotations

import re

from chartcite.text.around import CLOSERS, LOOK_CHARS, word_before
from chartcite.text.stops import abbreviations
from chartcite.text.wordlists import load_words

_REFERENCE = re.compile(r"\[[0-9]{1,3}(?:[,–-] ?[0-9]{1,3}){0,20}\]")
FULL_WIDTH = "。！？"


def glued_end(text: str, begin: int, at: int, stop: int, end: int) -> int:
    """Return where the sentence ends that has the marks `text[at:stop]` and no space behind them; 0 if it goes on."""
    if text[at] in FULL_WIDTH:
        return stop
    if text[stop] == "[":
        reference = _REFERENCE.match(text, stop, end)
        after = reference.end() if reference else end
        return after if after < end and text[after].isspace() else 0
    if not text[stop].isupper() or not text[stop + 1 : stop + 2].islower():
        return 0
    tail = text[stop : stop + LOOK_CHARS].split(None, 1)[0]
    if "." in tail[:-1] or "/" in tail or "@" in tail:
        return 0
    return stop if _may_close(word_before(text, begin, at).rstrip(CLOSERS), tail.rstrip(".,;:")) else 0


def _may_close(word: str, following: str) -> bool:
    """Whether a word may close a sentence that another follows without a space: no abbreviation, address or version."""
    if not word or word.lower() in abbreviations():
        return False
    if len(word) > 2 and word.isalpha() and word.islower():
        return True
    # After a number or capitals only before a word that opens sentences.
    plain = "." not in word.replace(",", "") or word.replace(".", "").isdigit()
    return plain and not word.islower() and following in load_words("abbreviations.txt", "starters")
