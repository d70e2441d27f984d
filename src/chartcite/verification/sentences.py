"""Cuts a cited text into sentences for checking. Simple on purpose: a cut too many only makes a check stricter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """A sentence `[start, end)` of a text; `is_family` when it stands under a family history header."""

    start: int
    end: int
    is_family: bool


_BREAK = re.compile(
    r"(?<=[.!?])(?<!\.{4})[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9À-Þ<>~])|\n[^\S\n]*(?=\n)|\n(?=\s*(?:[-*•]|\d+[.)]\s|[A-Z0-9À-Þ]))"
)
_SHORT = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|vs|approx|no|st|etc|e\.g|i\.e|q\.?[a-z]?|b\.i\.d|t\.i\.d|p\.o|i\.v|p\.r\.n|sr|sra|dra|drs|srta|prof|profa|enf|aprox|máx|mín|masc|fem|tel)|^\s*\d{1,2})\.\s*$",
    re.IGNORECASE,
)
_FAMILY = re.compile(
    r"\s*(?:family\s+(?:medical\s+)?(?:history|hx)|fhx?|história\s+familiar|antecedentes\s+familiares)\b\s*:?",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\s*[A-Z][\w /&-]{1,40}:")


def is_family(section: Sequence[str]) -> bool:
    """Whether a path of headers leads to the family's history."""
    return any(_FAMILY.match(header) for header in section)


def pieces(text: str, section: Sequence[str] = ()) -> Iterator[Piece]:
    """Yield the sentences that are not blank, in order; `section` holds the headers that the text stood under."""
    under_family = is_family(section)
    start = 0
    for end, after in _cuts(text):
        piece = text[start:end]
        if piece.strip():
            if _FAMILY.match(piece) and (":" in piece or len(piece.split()) <= 3):
                under_family = True
            elif _HEADER.match(piece):
                under_family = False
            yield Piece(start, end, under_family)
        if text[end:after].count("\n") > 1:
            under_family = False
        start = after


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BREAK.finditer(text):
        before = text[start : found.start()]
        if before.rstrip().endswith(":") or ("\n" not in found.group() and _SHORT.search(before)):
            continue
        yield found.start(), found.end()
        start = found.end()
    yield len(text), len(text)
