"""Two numbers that are one measurement: blood pressures (`120/80`) and heights (`5 ft 10 in`)."""

from __future__ import annotations

import re
from fractions import Fraction

from chartcite.core.documents import Span
from chartcite.facts.comparators import led_by
from chartcite.facts.quantities import Quantity
from chartcite.facts.taken import claim
from chartcite.facts.units import parse_unit

_PRESSURE = re.compile(
    r"(?<![\w.,/-])(\d{2,3})(?:\s?/\s?|\s+over\s+)(\d{2,3})(?:\s?mm\s?hg)?(?![\w/]|[.,]\d)", re.IGNORECASE | re.ASCII
)
_HEIGHT = re.compile(
    r"(?<![\w.,/-])(?P<ft>\d)\s?(?:ft\.?|feet|foot|['’])\s?(?P<in>\d{1,2})"
    r"(?:\s?(?:in\b\.?|inch(?:es)?\b|[\"”]|['’]['’]))?(?!\w)",
    re.IGNORECASE,
)


def find_heights(text: str, taken: bytearray) -> list[Quantity]:
    """`5'10"`, `5 ft 10 in` as inches."""
    out = []
    for found in _HEIGHT.finditer(text):
        total = Fraction(12 * int(found["ft"]) + int(found["in"]))
        if int(found["in"]) < 12 and claim(taken, *found.span()):
            out.append(Quantity(Span(*found.span()), "value", total, total, unit=parse_unit("inches")))
    return out


def find_pressures(text: str, taken: bytearray) -> list[Quantity]:
    """`120/80`, `over 140/90 mmHg`."""
    out = []
    for found in _PRESSURE.finditer(text):
        systolic, diastolic = int(found[1]), int(found[2])
        # A fraction such as 5/5 or 20/40 is a strength or an acuity.
        if systolic > diastolic and systolic >= 50 and diastolic >= 20 and claim(taken, *found.span()):
            start, comparator = led_by(text, found.start(), taken)
            low, high, unit = Fraction(systolic), Fraction(diastolic), parse_unit("mmhg")
            out.append(Quantity(Span(start, found.end()), "pressure", low, high, comparator, unit))
    return out
