"""Folds a text for matching: case, accents, width and compatibility forms. The stored text is never changed."""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate

from chartcite.core.unseen import UNSEEN

# A degree or ordinal sign is a separator, not a letter o or a.
_SEPARATORS = "ºª°"
_NOTHING = re.compile(f"[{UNSEEN}]")


class _Folding(dict[int, str]):
    """Code point -> what it becomes. Filled on demand, at most once a code point."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in _SEPARATORS:
            folded = " "
        elif _NOTHING.match(char):
            folded = ""
        else:
            once = unicodedata.normalize("NFKD", char).casefold()
            plain = unicodedata.normalize("NFKD", once).replace("ı", "i")
            folded = "".join(part for part in plain if not unicodedata.combining(part))
        self[code] = folded
        return folded


_FOLDING = _Folding()


def fold(text: str) -> str:
    """Return the folded text. Composed and decomposed forms become equal.

    >>> fold("Função 40 µg") == fold("FUNC\u0327A\u0303O 40 μg")
    True
    """
    return text.lower() if text.isascii() else text.translate(_FOLDING)


def folded_starts(text: str) -> list[int]:
    """Return where each character of `text`, and its end, lies in `fold(text)`."""
    return [0, *accumulate(len(_FOLDING[ord(char)]) for char in text)]
