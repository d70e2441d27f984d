"""How often something is given: frequencies, days of the week, and the amounts that they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from chartcite.core.documents import Span
from chartcite.facts.quantities import Quantity
from chartcite.facts.taken import claim, free
from chartcite.facts.units import parse_unit

_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_WEEKDAYS = re.compile(
    rf"(?<![\w/])(?:(?P<code>(?-i:MWF|M/W/F|TTS|TThS|TTHS|T/Th/S(?:at)?|T/R/S))"
    rf"|(?:on\s+)?(?P<each>(?:every|each)\s+)?(?P<days>{_DAY}s?(?:\s*(?:,|/|&|\band\b)\s*(?:and\s+)?{_DAY}s?)*))(?![\w/])",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(_DAY, re.IGNORECASE)
_WEEKDAY_HINT = re.compile(r"mon|tue|wed|thu|fri|sat|sun|MWF|T/|M/|TT", re.IGNORECASE)
_OFTEN = 3
"""So many days of the week in a row are a habit, not dates."""


def find_weekdays(text: str, taken: bytearray) -> list[Quantity]:
    """`MWF`, `Mon/Wed/Fri`, `every Sunday`: how often a week, and on which days."""
    out: list[Quantity] = []
    if not _WEEKDAY_HINT.search(text):
        return out
    for found in _WEEKDAYS.finditer(text):
        if found["code"]:
            days = ["mon", "wed", "fri"] if found["code"].startswith("M") else ["tue", "thu", "sat"]
        else:
            days = [day[:3].lower() for day in _WEEKDAY.findall(found["days"])]
        is_habit = found["code"] or found["each"] or len(days) >= _OFTEN or found["days"].lower().endswith("days")
        if is_habit and claim(taken, *found.span()):
            rate = Fraction(len(set(days)), 7)
            out.append(Quantity(Span(*found.span()), "frequency", rate, rate, when=",".join(sorted(set(days)))))
    return out


_TOTAL = re.compile(r"\b(?:total|cumulative|combined)\s+$", re.IGNORECASE)


def as_frequencies(
    text: str, taken: bytearray, found: Iterable[tuple[int, int, tuple[Fraction, Fraction]]]
) -> list[Quantity]:
    """The frequencies found (start, end, lowest and highest times a day) as quantities; `sort` of a daily total."""
    return [
        Quantity(Span(start, end), "frequency", low, high, sort="total" if _TOTAL.search(text, 0, start) else "")
        for start, end, (low, high) in free(found, taken)
    ]


_PER_DAY = {"kg", "g", "mg", "ug", "ng", "U", "mU", "mL", "L", "meq", "mmol", "[tsp_us]", "[tbs_us]", "h", "min", ""}


def with_rates(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """Say of an amount how often a day it is given; under "total daily" it becomes an amount a day."""
    out = list(found)
    is_total = any(q.sort == "total" and q.low == q.high == 1 for q in found)
    for i, here in enumerate(out):
        if here.kind not in ("value", "duration") or here.unit.name not in _PER_DAY:
            continue
        after = next((q for q in found[i + 1 :] if q.kind not in ("duration", "count", "date")), None)
        if is_total and here.kind == "value" and here.unit.name:
            out[i] = replace(here, unit=parse_unit(f"{_spelled(here.unit.name)}/d"))
        elif after is not None and after.kind == "frequency" and after.low == after.high:
            between = text[here.span.end : after.span.start]
            reach = _RATE_REACH if here.kind == "value" and here.unit.name else _COUNT_REACH
            if len(between) > reach or _STOP.search(between):
                continue
            at = found.index(after)
            is_pace = after.low == 1 and _A_DAY.fullmatch(text, after.span.start, after.span.end) is not None
            if is_pace and here.kind == "value" and here.unit.name in _PER_DAY - {""}:
                # "16 mg of dexamethasone a day" says nothing of how often.
                out[i] = replace(here, unit=parse_unit(f"{_spelled(here.unit.name)}/d"))
                out[at] = replace(out[at], sort="total")
            else:
                out[i] = replace(here, rate=after.low)
    return tuple(out)


_A_DAY = re.compile(r"(?:(?:an?|per|each)\s+|/\s?)day", re.IGNORECASE)
_RATE_REACH = 60
_COUNT_REACH = 24
_STOP = re.compile(r"[;:()]|\.\s|->|=>|→|\b(?:to|from|then|and|but)\b")


def _spelled(name: str) -> str:
    return {"[tsp_us]": "tsp", "[tbs_us]": "tbsp"}.get(name, name)
