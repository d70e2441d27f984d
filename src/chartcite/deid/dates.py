"""Dates to be moved: those that the fact rules know, and years, decades and date-times that they leave alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chartcite.facts.dates import find_dates, readings

_YEAR = re.compile(
    r"(?<![\w.,/:#-])(?P<y>(?:19[0-9]|20[0-2])\d)(?P<decade>['’]?s\b)?(?![\w/-]|[.,:]\d|\s*(?:mg|mcg|ml|cc|kcal|cal|units?|"
    r"copies|cells|IU|UI|steps|ng|pg|g\b|L\b|%|h\b|hrs?\b|hours\b|equation|criteria|guidelines?\b))",
    re.IGNORECASE,
)
_NOT_A_YEAR = re.compile(r"(?:\b(?:at|@|às|CKD-EPI|room|rm|ACR|EULAR|ext)\s*|[$£€]\s?)$", re.IGNORECASE)
_COMPACT = re.compile(r"(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)")
_IN_A_NAME = re.compile(
    r"(?<![\d.,/-])(?P<d>(?:19|20)\d\d-\d\d-\d\d)(?=T\d\d|_|Z)|(?<=_)(?P<d2>(?:19|20)\d\d-\d\d-\d\d)(?![\d-])"
)
_BEFORE_SHORT_YEAR = re.compile(r"\s*['’](?P<y>\d\d)(?!\w)")
_SCORE = re.compile(r"\bapgars?(?:\s+scores?)?[\s:]*$", re.IGNORECASE)
_IS_CLOCK = re.compile(r"\d\d:\d\d(?::\d\d)?")


@dataclass(frozen=True, slots=True)
class FoundDate:
    """Where a date stands and what it says (see `facts.dates`; one reading)."""

    start: int
    end: int
    form: str


def find_all(text: str, *, day_first: bool) -> Iterator[FoundDate]:
    """Every date, overlaps left to the caller; `day_first` decides of numeric ones that could be read two ways."""
    found = [
        d for d in find_dates(text)
        if not _IS_CLOCK.fullmatch(d[2]) and not _SCORE.search(text[max(0, d[0] - 10) : d[0]])
    ]  # fmt: skip
    for start, end, form in found:
        if form.startswith("?"):
            form = readings(form)[1 if day_first else 0]  # noqa: PLW2901
        short = _BEFORE_SHORT_YEAR.match(text, end) if form.startswith("--") else None
        if short:
            year = 2000 + int(short["y"]) - (100 if int(short["y"]) > 50 else 0)
            yield FoundDate(start, short.end(), f"{year}{form[1:]}")
            continue
        yield FoundDate(start, end, form)
    for match in _IN_A_NAME.finditer(text):
        group = "d" if match["d"] else "d2"
        yield FoundDate(*match.span(group), match[group])
    for match in _COMPACT.finditer(text):
        digits = match.group()
        yield FoundDate(*match.span(), f"{digits[:4]}-{digits[4:6]}-{digits[6:]}")
    for match in _YEAR.finditer(text):
        if not _NOT_A_YEAR.search(text[max(0, match.start() - 12) : match.start()]):
            yield FoundDate(*match.span("y"), match["y"])


def day_first_votes(text: str) -> int:
    """Positive where the text writes days before months in numbers (`25/12/2019`), negative where after."""
    votes = 0
    for match in re.finditer(r"(?<![\w./-])(\d\d?)/(\d\d?)/(?:\d{4}|\d\d)(?![\w/])", text):
        first, second = int(match[1]), int(match[2])
        votes += (first > 12 >= second) - (second > 12 >= first)
    return votes
