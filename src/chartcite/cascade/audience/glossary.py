"""The glossary of plain words: abbreviations spelt out, terms explained; one list a language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

Language = Literal["en", "pt"]
Kind = Literal["say", "gloss"]


_AMOUNT = re.compile(
    r"(?:\d\s*(?:mg|m?cg|ug|g|ml|mEq|U|units?|UI|IU)|\b(?:tablets?|tabs?|caps?(?:ules?)?|comp(?:rimidos?)?))[\s(]*\Z",
    re.I,
)
_NOT_HIGH = re.compile(r"\b(?:intracranial|portal|pulmonary|ocular|venous)(?:\s+\w+)?\s+\Z", re.IGNORECASE)
_NO_SCAN = re.compile(r"\s+(?:output|surg\w+|drain\w*|tubes?|to\s+suction)\b", re.IGNORECASE)
_ROUTES = frozenset(("IM", "SL", "SQ", "PO"))
_PRESSURES = frozenset(("hypertension", "htn"))


class Entry(NamedTuple):
    """A row of the list: plain words that are said instead, or put behind in brackets."""

    kind: Kind
    plain: str
    spellings: tuple[str, ...]


class Found(NamedTuple):
    """Where a spelling stands in a text."""

    start: int
    end: int
    entry: Entry


@lru_cache(maxsize=2)
def entries(language: Language) -> tuple[Entry, ...]:
    """All rows; `*` behind a spelling means that it must be written just so."""
    text = files("chartcite.cascade.audience").joinpath(f"data/plain.{language}.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(Entry(kind, plain, tuple(spellings.split("|"))) for kind, plain, spellings in rows)  # type: ignore[arg-type]


def find_terms(text: str, language: Language, kinds: Sequence[Kind]) -> list[Found]:
    """Spellings of the list in a text, left to right, without overlaps; no part of a word counts."""
    pattern, by_spelling = _pattern(language, tuple(kinds))
    found = []
    for match in pattern.finditer(text):
        entry = by_spelling.get(f"{match[0]}*") or by_spelling.get(match[0].casefold())
        if entry is not None and _is_meant(text, match):
            found.append(Found(match.start(), match.end(), entry))
    return found


def _is_meant(text: str, match: re.Match[str]) -> bool:
    """Whether letters with another sense have that of the list here: `IM nail`, `CT output`, `portal hypertension`."""
    if match[0] in _ROUTES:
        return _AMOUNT.search(text, 0, match.start()) is not None
    if match[0].casefold() in _PRESSURES:
        return _NOT_HIGH.search(text, 0, match.start()) is None
    return match[0] != "CT" or _NO_SCAN.match(text, match.end()) is None


@lru_cache(maxsize=8)
def _pattern(language: Language, kinds: tuple[Kind, ...]) -> tuple[re.Pattern[str], dict[str, Entry]]:
    by_spelling: dict[str, Entry] = {}
    for entry in entries(language):
        if entry.kind in kinds:
            for spelling in entry.spellings:
                by_spelling.setdefault(spelling if spelling.endswith("*") else spelling.casefold(), entry)
    bare = sorted({s.removesuffix("*") for s in by_spelling}, key=lambda s: (-len(s), s))
    inside = "|".join(re.escape(s).replace(r"\ ", r"\s+") for s in bare)
    return re.compile(rf"(?<![\w/.-])(?:{inside})(?![\w/]|[.-]\w)", re.IGNORECASE), by_spelling
