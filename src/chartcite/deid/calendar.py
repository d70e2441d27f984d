"""Dates moved by one secret shift, in the spelling they were written in.

A full date moves by whole weeks, so weekdays and every interval stay as they are. A date of a month or year alone moves
by the months or years nearest to that, so that the order within each precision stays as well. A date without a year is
reckoned in the year that its text names.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

_WEEKS = range(60, 520)
"""Between a year and ten years back."""
_MOST_DAYS_OFF = 4.0
"""How far the shift may be from whole months."""
_MONTH_DAYS: Final = 30.436875
_YEAR_DAYS: Final = 365.2425

_NAMES = tuple(
    tuple(names.split())
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "jan fev mar abr mai jun jul ago set out nov dez",
    )
)
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shift:
    """How far the dates of one partition are moved: days (whole weeks), and the nearest months and years."""

    days: int
    months: int
    years: int

    @classmethod
    def of(cls, secret: bytes) -> Shift:
        """The shift that belongs to a secret: into the past, close to whole months, never close to whole years."""
        fitting = [shift for weeks in _WEEKS if (shift := cls._back(7 * weeks)) is not None]
        number = int.from_bytes(hashlib.sha256(b"dates" + secret).digest()[:8], "big")
        return fitting[number % len(fitting)]

    @classmethod
    def _back(cls, days: int) -> Shift | None:
        months = round(days / _MONTH_DAYS)
        near = abs(days - months * _MONTH_DAYS) <= _MOST_DAYS_OFF
        return cls(-days, -months, -round(days / _YEAR_DAYS)) if near and months % 12 else None

    def back(self) -> Shift:
        """The shift that undoes this one."""
        return Shift(-self.days, -self.months, -self.years)


def moved(form: str, shift: Shift, year: int) -> str | None:
    """A date form (`2019-03-02`, `2019-03`, `2019`, `--03-02`) after the shift; None where it is not in the calendar.

    `year` stands in where the date has none.
    """
    parts = [int(part) for part in form.lstrip("-").split("-")]
    try:
        if form.startswith("-"):
            when = _day(year, *parts) + timedelta(days=shift.days)
            return f"--{when.month:02}-{when.day:02}"
        if len(parts) == 3:
            return (date(*parts) + timedelta(days=shift.days)).isoformat()
    except (ValueError, OverflowError):
        return None
    if len(parts) == 2:
        months = parts[0] * 12 + parts[1] - 1 + shift.months
        return f"{months // 12:04}-{months % 12 + 1:02}" if months >= 12 else None
    return f"{parts[0] + shift.years:04}" if parts[0] + shift.years > 0 else None


def _day(year: int, month: int, day: int) -> date:
    """29 February is reckoned in a leap year."""
    return date(2000 if (month, day) == (2, 29) else year, month, day)


def respelt(written: str, old: str, new: str) -> str | None:
    """`written`, which says the form `old`, made to say `new`; None where its parts cannot be told apart.

    >>> respelt("March 3rd, 2018", "2018-03-03", "2016-08-21")
    'August 21st, 2016'
    """
    if re.fullmatch(r"\d{8}", written):
        return new.replace("-", "")
    missing, wanted = _values(old), _values(new)
    padded = _is_padded(written)
    out: list[str] = []
    last = 0
    for piece in _PIECE.finditer(written):
        text = piece.group()
        part = _part(text, missing, written[piece.end() :])
        if part is None:
            if text.isdigit():
                return None
            continue
        del missing[part]
        out += [written[last : piece.start()], _spelt(text, part, wanted[part], padded=padded)]
        last = piece.end()
    if missing:
        return None
    out.append(written[last:])
    return _ORDINAL.sub(_with_ending, "".join(out))


def _is_padded(written: str) -> bool:
    """Whether days and months of one digit are written with two."""
    if re.match(r"\d{4}-\d\d(?!\d)", written):
        return True
    short = re.findall(r"(?<!\d)\d{1,2}(?!\d)", written)
    named = re.search(r"[^\W\d_]{3}", written) is not None
    return any(n[0] == "0" for n in short) or (not named and all(len(n) == 2 for n in short[:2]))


def _values(form: str) -> dict[str, int]:
    names = ("month", "day") if form.startswith("-") else ("year", "month", "day")
    return dict(zip(names, (int(part) for part in form.lstrip("-").split("-")), strict=False))


def _part(text: str, missing: dict[str, int], rest: str) -> str | None:
    """Which of the missing parts of a date a piece of its spelling is."""
    if not text.isdigit():
        number = _month_number(text)
        return "month" if number is not None and missing.get("month") == number else None
    number = int(text)
    if len(text) == 4:
        return "year" if missing.get("year") == number else None
    month_is_named = any(_month_number(word) is not None for word in re.findall(r"[^\W\d_]+", rest))
    for part in ("day",) if month_is_named and "day" in missing else ("month", "day"):
        if missing.get(part) == number:
            return part
    return "year" if len(text) == 2 and "year" in missing and missing["year"] % 100 == number else None


def _month_number(word: str) -> int | None:
    low = word.lower()
    low = "sep" if low == "sept" else low
    return next((names.index(low) + 1 for names in _NAMES if low in names), None)


def _spelt(old: str, part: str, value: int, *, padded: bool) -> str:
    if old.isdigit():
        if part == "year":
            return f"{value % 100:02}" if len(old) == 2 else f"{value:04}"
        return f"{value:02}" if padded else str(value)
    low = "sep" if old.lower() == "sept" else old.lower()
    name = next(names for names in _NAMES if low in names)[value - 1]
    if old.isupper():
        return name.upper()
    return name.capitalize() if old[0].isupper() else name


def _with_ending(found: re.Match[str]) -> str:
    number, ending = int(found[1]), found[2]
    right = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return found[1] + (right.upper() if ending.isupper() else right)
