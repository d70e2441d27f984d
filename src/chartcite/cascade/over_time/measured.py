"""Values as they are said: the number and the unit as the record writes them, and differences that may be computed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from chartcite.cascade.over_time.asked import OverTime
from chartcite.cascade.over_time.told import Point
from chartcite.cascade.over_time.wording import Cited, Language, at_day, number
from chartcite.facts.analytes import convert
from chartcite.facts.tokens import fold
from chartcite.facts.units import parse_unit, unit_pattern
from chartcite.records.entries import Value

_NUMBER = re.compile(
    r"\s*(?P<number>[<>≤≥=~]{0,2}\s*\d+(?:[.,]\d+)*(?:\s*/\s*\d+(?:[.,]\d+)*)?)\s*(?P<unit>[^\s].*)?\Z", re.DOTALL
)
_UNIT = re.compile(rf"(?P<unit>{unit_pattern()})(?:\s*/\s*1[.,]73\s*m(?:2|²|\^2))?", re.IGNORECASE)
_DECIMALS = re.compile(r"[.,](\d+)\Z")


def point_of(value: Value) -> Point:
    """A value of the timeline, with the first sentence that states it, and what the day rests on that it counts."""
    text, unit = _written(value)
    rests = (value.rests.source,) if value.rests and value.rests.source and value.rests.source.quote else ()
    sources = (*value.sources[:1], *rests)
    return Point(f"{text}{'' if unit in ('', '%') else ' '}{unit}", value.day, sources, value.amount.unit)


def _written(value: Value) -> tuple[str, str]:
    """The number and the unit as the sentence has them; the unit may stand in a column of its own.

    Where the timeline read another number than the digits say (`8,1 mil/mm3` is 8100), the text stays whole.
    """
    found = _NUMBER.match(value.text)
    if found is None or not _is_read_so(found["number"], value):
        return " ".join(value.text.split()), ""
    digits, behind = " ".join(found["number"].split()), " ".join((found["unit"] or "").split())
    if not value.amount.unit:
        return digits, ""
    quote = value.sources[0].quote
    start = max(quote.find(value.text), 0) + len(found["number"])
    for unit in _UNIT.finditer(quote, start):
        if parse_unit(unit["unit"]).name == value.amount.unit:
            return digits, " ".join(unit[0].split())
    return digits, behind if behind and parse_unit(behind).name == value.amount.unit else value.amount.unit


def _is_read_so(digits: str, value: Value) -> bool:
    numbers = [n.replace(",", ".") for n in re.findall(r"\d+(?:[.,]\d+)*", digits)]
    try:
        return Fraction(numbers[0]) == value.amount.low and Fraction(numbers[-1]) == value.amount.high
    except ValueError:  # 1,234.5
        return False


@dataclass(frozen=True, slots=True)
class Difference:
    """From one value to another: `amount` as a number of `unit` as written; `sign` -1, 0, 1.

    `is_converted`: the units differ; the amount is that after the conversion, rounded as the second value is.
    """

    first: Cited
    second: Cited
    sign: int
    amount: Fraction
    text: str
    is_converted: bool = False


def difference(lang: Language, one: Value, other: Value) -> Difference | None:
    """The change between two values; None where numbers cannot tell it.

    That is so of pressures, ranges and limits (`<0.01`), of units of which one is missing or that do not convert, and
    where the rounding of a converted number is as large as the difference.
    """
    a, b = point_of(one), point_of(other)
    plain = all(
        v.amount.low == v.amount.high and not v.amount.is_pair and not v.amount.comparator for v in (one, other)
    )
    is_read = _is_read_so(_split(a.value)[0], one) and _is_read_so(_split(b.value)[0], other)
    if not plain or not is_read or bool(one.amount.unit) != bool(other.amount.unit):
        return None
    decimals = max(_decimals(a.value), _decimals(b.value))
    first, second = at_day(lang, a.value, a.day, a.sources), at_day(lang, b.value, b.day, b.sources)
    digits, unit = _split(b.value)
    start, is_converted = one.amount.low, one.amount.unit != other.amount.unit
    if is_converted:
        names = [fold(word) for word in one.analyte.split()]
        have, want = parse_unit(one.amount.unit), parse_unit(other.amount.unit)
        exact, most = convert(start, have, want, names), convert(start + _step(a.value) / 2, have, want, names)
        if exact is None or most is None:
            return None
        decimals = _decimals(digits)
        start = _rounded(exact, decimals)
        if abs(other.amount.low - exact) <= abs(most - exact) + _step(b.value) / 2:
            return None
    delta = other.amount.low - start
    sign = (delta > 0) - (delta < 0)
    return Difference(first, second, sign, abs(delta), f"{number(lang, abs(delta))}{_gap(unit)}{unit}", is_converted)


def units_differ(one: Value, other: Value) -> bool:
    """Whether two values cannot be compared for their units."""
    if one.amount.unit == other.amount.unit:
        return False
    if not one.amount.unit or not other.amount.unit:
        return True
    names = [fold(word) for word in one.analyte.split()]
    return convert(one.amount.low, parse_unit(one.amount.unit), parse_unit(other.amount.unit), names) is None


def _gap(unit: str) -> str:
    return "" if unit in ("", "%") else " "


def _split(value: str) -> tuple[str, str]:
    found = _NUMBER.match(value)
    return (found["number"], found["unit"] or "") if found else (value, "")


def _decimals(value: str) -> int:
    found = _DECIMALS.search(_split(value)[0])
    return len(found[1]) if found else 0


def _step(value: str) -> Fraction:
    return Fraction(1, 10 ** _decimals(value))


def _rounded(value: Fraction, decimals: int) -> Fraction:
    scale = 10**decimals
    return Fraction((value * scale + Fraction(1, 2)).__floor__(), scale)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit as a question names it: `form` is the wording for what lies beyond."""

    number: Fraction
    unit: str
    text: str
    form: str

    def is_passed(self, value: Fraction) -> bool:
        """Whether a value lies beyond, or at it where the form says so."""
        if self.form.startswith("at_"):
            return value >= self.number if self.form == "at_or_above" else value <= self.number
        return value > self.number if self.form == "above" else value < self.number


def limit_of(asked: OverTime) -> Limit | None:
    """The limit that counts: of a range the end on the side asked for; what lies outside `<150` is 150 and more."""
    named = asked.limit
    if named is None or named.quantity is None or not asked.side:
        return None
    q = named.quantity
    is_range = q.low != q.high
    is_upper = asked.side == "above"
    if is_range:
        number, form = (q.high, "above") if is_upper else (q.low, "below")
    elif not named.text.startswith(tuple("<>≤≥")):
        number, form = q.low, "above" if is_upper else "below"
    elif q.comparator.startswith("<") == is_upper:  # the range is `<150` or `<=150`; beyond it is the other side
        is_open = not q.comparator.endswith("=")
        number, form = q.low, ("at_or_" if is_open else "") + ("above" if is_upper else "below")
    else:  # `on how many days was it > 5`
        number, form = q.low, ("at_or_" if q.comparator.endswith("=") else "") + asked.side
    digits = re.findall(r"\d+(?:[.,]\d+)*", named.text)
    at = named.text.rfind(digits[1] if is_range else digits[0]) + len(digits[1] if is_range else digits[0])
    unit = named.text[at:].strip() if q.unit.name else ""
    shown_number = digits[1 if is_range and is_upper else 0]
    return Limit(number, q.unit.name, f"{shown_number}{_gap(unit)}{unit}", form)
