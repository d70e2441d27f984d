"""The words and marks around a full stop."""

from __future__ import annotations

from typing import Final

CLOSERS: Final = ")]}\"'”’»"
OPENERS: Final = "([{\"'“‘«¿¡"
UNSEEN: Final = "".join(
    map(chr, (0, 0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)))
)
"""Zero-width marks, marks of direction, soft hyphens and NUL: web pages and PDFs leave them behind a full stop."""
LOOK_CHARS: Final = 24
"""Words are looked at this far; longer ones are no abbreviations."""


def word_before(text: str, begin: int, at: int) -> str:
    """Return the word that ends at `at`, without opening brackets; empty after white space."""
    if at <= begin or text[at - 1].isspace():
        return ""
    word = text[max(begin, at - LOOK_CHARS) : at].rsplit(maxsplit=1)[-1]
    return word.lstrip(OPENERS + UNSEEN).rstrip(UNSEEN)


def next_word(text: str, at: int) -> str:
    """Return the word that starts at `at`, without marks around it."""
    words = text[at : at + LOOK_CHARS].split(None, 1)
    return words[0].strip(OPENERS + CLOSERS + ".,;:!?") if words else ""


def skip_back(text: str, at: int) -> int:
    """Return where the white space before `at` begins."""
    while at and text[at - 1].isspace():
        at -= 1
    return at


def crosses_line(text: str, start: int, end: int) -> bool:
    """Say whether a line ends in `text[start:end]`."""
    gap = text[start:end]
    return "\n" in gap or "\r" in gap


def is_small(text: str, at: int) -> bool:
    """Say whether a word in lower case starts at `at`; `eGFR`, `pH` and `hCG` open sentences as capitals do."""
    return text[at].islower() and not text[at + 1 : at + 2].isupper()
