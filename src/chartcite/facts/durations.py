"""Spans of time and numbered days beside a number with its unit: `34w2d`, `POD2`, `in 6/52`, `for a week`."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from chartcite.core.documents import Span
from chartcite.facts.comparators import led_by
from chartcite.facts.quantities import Quantity, QuantityKind
from chartcite.facts.taken import claim
from chartcite.facts.units import parse_unit

_GESTATION = re.compile(
    r"(?<![\w.,/])(?P<w>[1-4]?\d)\s?(?:\+\s?(?P<d>[0-6])(?:/7)?(?:\s*(?:weeks?|wks?|semanas?))?"
    r"|w\s?(?P<d2>[0-6])d)(?![\w.])",
    re.IGNORECASE | re.ASCII,
)


def find_gestations(text: str, taken: bytearray) -> list[Quantity]:
    """`38+1 weeks`, `34w2d`: weeks and days as days."""
    out = []
    for found in _GESTATION.finditer(text):
        days = found["d"] or found["d2"]
        if days is not None and claim(taken, *found.span()):
            total = Fraction(7 * int(found["w"]) + int(days))
            out.append(Quantity(Span(*found.span()), "duration", total, total, unit=parse_unit("days")))
    return out


_NUMBERED_DAY = re.compile(r"(?<![\w/.-])(?:d|(?i:pod|hod|dol))(?P<n>\d{1,3})(?:/(?P<of>\d{1,2}))?(?![\w/]|[.,]\d|%)")


def find_numbered_days(text: str, taken: bytearray) -> list[Quantity]:
    """The number of `d12` and `POD2`; `d2/5` is day 2 of 5."""
    out = []
    for found in _NUMBERED_DAY.finditer(text):
        if claim(taken, found.start("n"), found.end()):
            number, whole = Fraction(found["n"]), found["of"]
            span = Span(found.start("n"), found.end())
            kind: QuantityKind = "ratio" if whole else "value"
            out.append(Quantity(span, kind, number, Fraction(whole) if whole else number))
    return out


_SLASHED = re.compile(
    r"(?<![\w.,/-])(?:(?<=\b(?:in|of)\s)|(?<=\bfor\s)|(?<=\b(?:last|past|next|over)\s)|(?<=\bevery\s)|(?<=\bafter\s)"
    r"|(?<=[x×]\s)|(?<=[x×])|(?=\d{1,2}/52)|(?=\d{1,2}/\d{1,2}\s+(?:ago|hx|history)\b))"
    r"(?P<n>\d{1,2})/(?P<of>52|12|7)(?![\w/]|[.,]\d)",
    re.IGNORECASE,
)


def find_slashed_durations(text: str, taken: bytearray) -> list[Quantity]:
    """`in 6/52`, `3/12 ago`, `for 5/7`: weeks, months and days as British notes write them."""
    out = []
    for found in _SLASHED.finditer(text):
        if claim(taken, *found.span()):
            number, unit = Fraction(found["n"]), {"52": "weeks", "12": "months", "7": "days"}[found["of"]]
            out.append(Quantity(Span(*found.span()), "duration", number, number, unit=parse_unit(unit)))
    return out


@lru_cache(maxsize=1)
def _article_pattern() -> re.Pattern[str]:
    time = r"(?:minute|hour|day|week|fortnight|month|year|decade|dia|semana|m[eê]s|ano|hora)"
    before = (
        r"for|over|in|after|within|than|about|around|roughly|nearly|almost|only|under|lasting|lasted|h[aá]|por|em|each|"
        r"every"
    )
    past = r"past|last|previous|preceding|prior"
    return re.compile(
        rf"(?<!\w)(?:(?:half\s+(?:an?\s+)?|meio\s+|meia\s+)(?P<half>{time})(?!\w)"
        rf"|(?:an?|one)\s+(?P<more>{time})\s+and\s+a\s+half(?!\w)"
        rf"|(?<=the\s)(?:{past})\s+(?P<past>{time})(?!\w)"
        rf"|(?<=over\s)past\s+(?P<past2>{time})(?!\w)|(?<=in\s)past\s+(?P<past3>{time})(?!\w)"
        rf"|(?:an?|uma?)\s+(?P<one>{time})(?=\s+(?:ago|earlier|later|before|prior|after)\b)"
        rf"|(?:(?<!\w)(?:{before})\s+)(?P<article>an?|uma?)\s+(?P<one2>{time})(?!\w)(?!\s+and\s+a\s+half))",
        re.IGNORECASE,
    )


_DURING = re.compile(r"\b(?:over|in|for|during|within)\s+the\s+$", re.IGNORECASE)


def find_worded_durations(text: str, taken: bytearray) -> list[Quantity]:
    """`half a year`, `a year and a half`, `for a week`, `a month ago`, `over the past year`."""
    out = []
    for found in _article_pattern().finditer(text):
        name = next(n for n in ("half", "more", "past", "past2", "past3", "one", "one2") if found[n])
        number = Fraction({"half": 1, "more": 3}.get(name, 2), 2)
        if found["past"] and found["past"].lower() == "day" and not _DURING.search(text, 0, found.start()):
            continue  # "since the previous day" is since yesterday
        start = found.start("article") if found["article"] else found.start()
        if found["past"] or found["past2"] or found["past3"]:
            # "Past" and "last" stay words.
            start = found.start(name)
        if claim(taken, start, found.end()):
            start, comparator = led_by(text, start, taken)
            if comparator == ">" and text[start : start + 4].lower() == "over":
                start, comparator = start + 5, ""
            span = Span(start, found.end())
            out.append(Quantity(span, "duration", number, number, comparator, parse_unit(found[name]), is_word=True))
    return out
