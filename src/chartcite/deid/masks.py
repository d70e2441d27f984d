"""Places where a name or number was taken out already: `[**Last Name 12**]`, `<DATE>`, `___`, and marks of prompts.

Brackets alone say nothing: what stands between them must be made of words that placeholders are made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Final

from chartcite.deid.vocabulary import placeholders
from chartcite.text.folding import fold

FENCES: Final = ("sources", "notes", "message", "answer", "options", "sentences", "record")
"""Names of the marks around data in a prompt, `<sources-1a2b3c4d>`."""
_MASK = re.compile(
    r"\[\*\*(?P<stars>[^\n]{0,120}?)\*\*\]|_{3,}|<(?P<angle>[A-Za-z][A-Za-z0-9_ -]{1,29})>"
    rf"|</?(?:{'|'.join(FENCES)})-[0-9a-f]{{8}}>"
)
_WORD = re.compile(r"[^\W\d_]+")
_REAL_NUMBER = re.compile(r"(?<!\d)(?:19\d\d|20[0-4]\d)(?!\d)|\d{6}|(?<!\d)\d\d?[/.-]\d\d?[/.-]\d\d(?!\d)")
"""A year of our time, a long number or a date with a short year: placeholders have later years and short numbers."""


def find_masks(text: str, names: Set[str]) -> Iterator[tuple[int, int]]:
    """Spans that stay as they are; none of them holds one of `names` (folded)."""
    for found in _MASK.finditer(text):
        inside = found["stars"] if found["stars"] is not None else found["angle"]
        if inside is None or _is_placeholder(inside, names):
            yield found.span()


def _is_placeholder(inside: str, names: Set[str]) -> bool:
    words = [fold(word) for word in _WORD.findall(inside)]
    return all(w in placeholders() and w not in names for w in words) and not _REAL_NUMBER.search(inside)
