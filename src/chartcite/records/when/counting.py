"""Numbers and units of time in words, in two languages, and how far away so many of them are.

`2 weeks ago` is no day: half a unit on each side is as far as it goes.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from chartcite.facts.patterns import alternatives
from chartcite.records.when.resolved import Precision, days_from, months_before

_NUMBERS = {
    word: n
    for n, words in enumerate(
        (
            "a an one um uma", "two dois duas", "three três tres", "four quatro", "five cinco", "six seis",
            "seven sete",
            "eight oito", "nine nove", "ten dez", "eleven onze", "twelve doze",
        ),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
_ORDINALS = {
    word: n
    for n, words in enumerate(
        (
            "first primeiro primeira", "second segundo segunda", "third terceiro terceira", "fourth quarto quarta",
            "fifth quinto quinta", "sixth sexto sexta", "seventh sétimo sétima", "eighth oitavo oitava",
            "ninth nono nona", "tenth décimo décima",
        ),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
_UNITS = {
    word: unit
    for unit, words in {
        "hour": "hours hour hrs hr h horas hora",
        "day": "days day d dias dia",
        "week": "weeks week wks wk semanas semana",
        "month": "months month mos mo meses mês mes",
        "year": "years year yrs yr anos ano",
    }.items()
    for word in words.split()
}
NUMBER = rf"(?:\d{{1,3}}|{alternatives(_NUMBERS)})"
ORDINAL = alternatives(_ORDINALS)
UNIT = alternatives(_UNITS)
LONG_UNIT = alternatives(word for word in _UNITS if len(word) > 2 and word not in ("hrs", "mos", "yrs", "wks"))


class Count(NamedTuple):
    """So many units, or from `least` to `most`."""

    least: int
    most: int
    unit: str


def count_of(least: str, most: str | None, unit: str) -> Count:
    """Read what the patterns `NUMBER` and `UNIT` matched."""
    low = number_of(least)
    high = number_of(most) if most else low
    return Count(min(low, high), max(low, high), _UNITS[unit.lower()])


def number_of(text: str) -> int:
    """A number in digits or a word of this file."""
    word = text.lower()
    return int(word) if word.isdigit() else _NUMBERS.get(word) or _ORDINALS[word]


_HALF = {"day": 0, "week": 3, "month": 15, "year": 182}


def away(count: Count, day: date, sign: int) -> tuple[date, date, Precision]:
    """The days that lie so many units before a day (`sign` -1) or after it (1).

    Raises:
        ValueError: outside the calendar.
    """
    ends = sorted(shifted(day, n, count.unit, sign) for n in (count.least, count.most))
    half = _HALF[count.unit]
    first, last = days_from(ends[0], -half), days_from(ends[1], half)
    precision: Precision = {"day": "day", "week": "week", "month": "month", "year": "year"}[count.unit]  # type: ignore[assignment]
    return first, last, precision if first != last or precision == "day" else "day"


def shifted(day: date, n: int, unit: str, sign: int) -> date:
    """The day `n` units before or after another.

    Raises:
        ValueError: outside the calendar.
    """
    if unit in ("day", "week"):
        return days_from(day, sign * n * (7 if unit == "week" else 1))
    return months_before(day, -sign * n * (12 if unit == "year" else 1))
