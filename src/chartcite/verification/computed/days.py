"""Days and the time between them: order, and whether so many days, weeks, months or years lie between two.

A number of days is exact. Weeks, months and years are what a reader would say: as near as a quarter of the unit and an
eighth of the number, or half the unit where the claim says `about`; a fraction (`1.5 years`) as near as it is written.
"""

from __future__ import annotations

import calendar
from datetime import date
from fractions import Fraction

from chartcite.facts.quantities import Quantity

_DAYS = {"d": Fraction(1), "wk": Fraction(7), "mo": Fraction(1461, 48), "a": Fraction(1461, 4)}
_NEAR, _NEAR_SHARE = Fraction(1, 4), Fraction(13, 100)
_ABOUT, _ABOUT_SHARE = Fraction(1, 2), Fraction(34, 100)


def bounds(day: str) -> tuple[date, date] | None:
    """First and last day that an ISO date of any precision may mean; None for what is no date.

    >>> bounds("2019-02")
    (datetime.date(2019, 2, 1), datetime.date(2019, 2, 28))
    """
    parts = day.split("-")
    if not 1 <= len(parts) <= 3 or not all(part.isdigit() for part in parts) or len(parts[0]) != 4:
        return None
    numbers = [int(part) for part in parts]
    try:
        if len(numbers) == 3:
            one = date(*numbers)
            return one, one
        if len(numbers) == 2:
            last = calendar.monthrange(numbers[0], numbers[1])[1]
            return date(numbers[0], numbers[1], 1), date(numbers[0], numbers[1], last)
        return date(numbers[0], 1, 1), date(numbers[0], 12, 31)
    except ValueError:  # 30 February
        return None


def is_before(first: str, second: str) -> bool | None:
    """Whether one day lies before another; None where their precision leaves it open."""
    one, other = bounds(first), bounds(second)
    if one is None or other is None:
        return None
    if one[1] < other[0]:
        return True
    return False if other[1] < one[0] or (first == second and one[0] == one[1]) else None


def days_between(first: str, second: str) -> int | None:
    """How many days lie between two whole days, whichever comes first."""
    one, other = bounds(first), bounds(second)
    if one is None or other is None or one[0] != one[1] or other[0] != other[1]:
        return None
    return abs((other[0] - one[0]).days)


def is_so_long(span: Quantity, days: int) -> bool | None:
    """Whether a written span of time is one of so many days; None where its unit is no day, week, month or year."""
    unit = _DAYS.get(span.unit.name)
    if unit is None:
        return None
    exact, low = days / unit, span.low
    if low != span.high:
        return not span.comparator and low <= exact <= span.high
    return _is_as_written(span, exact) if span.comparator else _is_nearly(span, exact)


def _is_as_written(span: Quantity, exact: Fraction) -> bool:
    """With a word before it: `more than 2 months`, `about 2 months`, `nearly 2 months`."""
    low = span.low
    reach = max(Fraction(1), low / 10) if span.unit.name == "d" else min(_ABOUT, _ABOUT_SHARE * low)
    return {
        ">": exact > low, ">=": exact >= low, "<": exact < low, "<=": exact <= low,
        "~<": low - _ABOUT <= exact < low, "~>": low < exact <= low + _ABOUT,
        "~": abs(exact - low) <= (reach if span.step >= 1 else span.step),
    }[span.comparator]  # fmt: skip


def _is_nearly(span: Quantity, exact: Fraction) -> bool:
    if span.step < 1:
        return abs(exact - span.low) <= span.step / 2
    return exact == span.low if span.unit.name == "d" else abs(exact - span.low) <= min(_NEAR, _NEAR_SHARE * span.low)
