"""Parts of a whole: `6/10`, `3 of 4 doses`, `three quarters of breakfast`, `24/26 mg`."""

from __future__ import annotations

import re
from fractions import Fraction

from chartcite.core.documents import Span
from chartcite.facts.comparators import led_by
from chartcite.facts.dates import short_date
from chartcite.facts.numerals import read_number
from chartcite.facts.quantities import Quantity
from chartcite.facts.taken import claim
from chartcite.facts.units import parse_unit

_FEW = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_RATIO = re.compile(
    rf"(?<![\w.,/-])(?P<a>\d{{1,3}}|{_FEW})(?:\s?(?P<slash>/)\s?|"
    rf"\s+(?:out\s+)?of\s+(?:(?:the|his|her|their|its)\s+)?(?:(?:last|past)\s+)?)"
    rf"(?P<b>\d{{1,3}}|{_FEW})(?![\w/%]|[.,]\d|\s?(?:mm|mg|mcg)\b)"
    r"|(?<![\w.,/-])(?P<c>\d+(?:\.\d+)?)/(?P<d>\d+(?:\.\d+)?)\s?(?P<u>mg|mcg|units)(?![^\W_])",
    re.IGNORECASE | re.ASCII,
)
_FRACTIONS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
_PART = re.compile(
    r"(?<!\w)(?:(?P<n>an?|one|two|three|four)[\s-]+)?(?P<part>half|thirds?|quarters?|fourths?|fifths?)\s+"
    r"(?:of\s+an?\s+(?P<u>minute|hour|day|year)\b|(?=of\s+(?:the|his|her|its|their|each|all|an?|[a-z]+)\b))",
    re.IGNORECASE,
)


def find_shares(text: str, taken: bytearray) -> list[Quantity]:
    """`three quarters of breakfast` is 75 %, `a quarter of an hour` a time."""
    out = []
    for found in _PART.finditer(text):
        name = found["part"].lower().removesuffix("s")
        if not found["n"] and name != "half":
            continue
        count = {"two": 2, "three": 3, "four": 4}.get((found["n"] or "").lower(), 1)
        end = found.end() if found["u"] else found.start("part") + len(found["part"])
        if count >= _FRACTIONS[name] or not claim(taken, found.start(), end):
            continue
        share = Fraction(count, _FRACTIONS[name])
        start, comparator = led_by(text, found.start(), taken)
        comparator = comparator or ("~" if name == "third" else "")
        if found["u"]:
            unit = parse_unit(found["u"])
            out.append(Quantity(Span(start, end), "duration", share, share, comparator, unit, is_word=True))
        else:
            unit, share = parse_unit("%"), share * 100
            out.append(Quantity(Span(start, end), "value", share, share, comparator, unit, is_word=True))
    return out


def find_ratios(text: str, taken: bytearray) -> list[Quantity]:
    """`6/10`, `3 of the last 4`; of `24/26 mg` the strengths of two drugs."""
    out = []
    for found in _RATIO.finditer(text):
        part, whole = read_number(found["a"] or found["c"]), read_number(found["b"] or found["d"])
        # "24/26 mg" is one strength of two drugs, in the order of their names.
        if part is not None and whole and (part <= whole or found["u"]) and claim(taken, *found.span()):
            when = short_date(int(part), int(whole)) if found["slash"] else ""
            unit = parse_unit(found["u"] or "")
            out.append(Quantity(Span(*found.span()), "ratio", part, whole, unit=unit, when=when))
    return out
