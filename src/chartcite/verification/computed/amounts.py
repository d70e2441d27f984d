"""Whether a number with its unit is the one that a source states, and how two of them differ."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from chartcite.facts.analytes import convert
from chartcite.facts.quantities import Quantity
from chartcite.facts.tokens import fold
from chartcite.facts.units import parse_unit
from chartcite.records.entries import Amount
from chartcite.verification.equality import is_about

_CONVERTED = Fraction(1, 40)
_IMPLIED = {
    "heart rate": "/min", "respiratory rate": "/min", "oxygen saturation": "%", "SpO2": "%", "ejection fraction": "%",
    "blood pressure": "mm[Hg]", "HbA1c": "%",
}  # fmt: skip
"""Units that go without saying; all others must be written."""


def is_stated(claimed: Quantity, stated: Amount, analyte: str) -> bool:
    """Whether a claim's number is a source's: equal, or converted exactly and rounded as the claim writes it."""
    is_about_it = claimed.comparator.startswith("~")
    if (claimed.comparator != stated.comparator and not is_about_it) or (claimed.kind == "pressure") != stated.is_pair:
        return False
    unit = claimed.unit.name
    if unit in ("", stated.unit) or (not stated.unit and _IMPLIED.get(analyte) == unit):
        return _equal(claimed, stated.low, stated.high)
    low, high = (in_unit(end, stated.unit, unit, analyte) for end in (stated.low, stated.high))
    if low is None or high is None:
        return False
    return _equal(claimed, low, high) or all(
        abs(ours - theirs) <= min(claimed.step * Fraction(51, 100), _CONVERTED * abs(theirs))
        for ours, theirs in ((claimed.low, low), (claimed.high, high))
    )


def _equal(claimed: Quantity, low: Fraction, high: Fraction) -> bool:
    if (claimed.low, claimed.high) == (low, high):
        return True
    return claimed.comparator.startswith("~") and is_about(claimed, low, high)


def in_unit(value: Fraction, unit: str, to: str, analyte: str) -> Fraction | None:
    """A value in another unit; None where nothing leads there."""
    if unit == to:
        return value
    if not unit or not to:
        return None
    return convert(value, parse_unit(unit), parse_unit(to), [fold(word) for word in analyte.split()])


def common_unit(amounts: Iterable[Amount], analyte: str, unit: str = "") -> list[tuple[Fraction, Fraction]] | None:
    """The amounts in one unit, by default that of the first; None where one of them cannot be."""
    amounts = list(amounts)
    unit = unit or next((a.unit for a in amounts if a.unit), "")
    out = []
    for amount in amounts:
        # A number without a unit is taken for one in the unit of the others.
        low, high = (in_unit(end, amount.unit or unit, unit, analyte) for end in (amount.low, amount.high))
        if low is None or high is None:
            return None
        out.append((low, high))
    return out


def is_difference(claimed: Quantity, by: Fraction) -> bool:
    """Whether two values lie as far apart as the claim says: exactly, or as near as its `about`."""
    return _compared(claimed, abs(by), exactly=claimed.low == abs(by))


def is_share(claimed: Quantity, by: Fraction, of: Fraction) -> bool:
    """Whether a percentage is the change from a first value, rounded as it is written."""
    if not of:
        return False
    percent = abs(by) * 100 / abs(of)
    return _compared(claimed, percent, exactly=abs(percent - claimed.low) <= claimed.step / 2)


def is_rounded(claimed: Quantity, exact: Fraction) -> bool:
    """Whether a computed number is the claim's, rounded as it is written."""
    return _compared(claimed, exact, exactly=abs(exact - claimed.low) <= claimed.step / 2)


def _compared(claimed: Quantity, value: Fraction, *, exactly: bool) -> bool:
    bound = claimed.low
    if claimed.low != claimed.high:
        return False
    if claimed.comparator in (">", ">=", "<", "<="):
        return {">": value > bound, ">=": value >= bound, "<": value < bound, "<=": value <= bound}[claimed.comparator]
    return is_about(claimed, value, value) if claimed.comparator else exactly


def is_multiple(factor: Fraction, hedge: str, first: Fraction, second: Fraction, step: Fraction | None) -> bool:
    """Whether the second value is so many times the first.

    Args:
        factor: 2 for `doubled`, 1/2 for `halved`.
        hedge: `~` about, `~<` nearly, `>` more than.
        first: the earlier value.
        second: the later one.
        step: worth of the last digit of a written factor; None for a word: a twentieth less to a fifth more.
    """
    if first <= 0 or second <= 0:
        return False
    ratio = second / first if factor >= 1 else first / second
    times = factor if factor >= 1 else 1 / factor
    if hedge == ">":
        return times < ratio < times + 1
    if hedge == "~<":
        return times * Fraction(4, 5) <= ratio < times
    if hedge:
        return abs(ratio - times) <= times / 8
    if step is not None:
        return abs(ratio - times) <= step / 2
    return times * Fraction(19, 20) <= ratio <= times * Fraction(6, 5)
