"""Plain values, ranges and durations: a number with what stands before and behind it.

Numbers inside names (`HbA1c`, `T4N2M0`, `COVID-19`) are no quantities; they stay words.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from chartcite.core.documents import Span
from chartcite.facts.comparators import WORDS_AFTER, WORDS_BEFORE, comparator_of
from chartcite.facts.numerals import NUMBER, last_digit, read_number, worded_number
from chartcite.facts.patterns import alternatives
from chartcite.facts.quantities import Quantity, QuantityKind
from chartcite.facts.taken import claim
from chartcite.facts.units import TIME_DIMENSIONS, parse_unit, unit_pattern


@lru_cache(maxsize=1)
def _value_pattern() -> re.Pattern[str]:
    number = rf"{NUMBER}|{worded_number()}"
    return re.compile(
        rf"""
        (?=[^\w\s]|\d|(?<!\w)[^\W\d_])
        (?:(?P<sign><=|=<|≤|(?<![=-])>=|≥|<|(?<![=-])>|~|≈)\s*|(?<!\w)(?P<word>{alternatives(WORDS_BEFORE)})\s+)?
        (?:(?<!\w)(?<!\d\s)(?P<times>[x×])\s?(?=[\d.])|(?<![\w.])(?<!\d[,/:])(?<![^\W\d_]-)(?<!\d-)(?<!\btype\s)(?<!\btipo\s)
            (?<!oriented\stimes\s)(?<!oriented\sx\s))
        (?P<minus>(?<![\w)\]%.])[-−](?=\d))?
        (?P<low>{number})(?P<half>\s+and\s+(?:a|one)\s+half\b)?
        (?:\s*(?P<dash>-|–|—|\bto\b|\bthrough\b|\baté\b)\s*(?P<high>{number}))?
        (?:(?P<scale>\s+(?:thousand|million|mil(?:hão|hões)?)\b|(?<=\d)[kK](?!\w))|(?![^\W\d_]*\d))
        (?:\s*+(?:-\s*+)?(?P<unit>{unit_pattern()})|(?![^\W_]|-\d|[:/]\d))
        (?:\s+(?P<after>{alternatives(WORDS_AFTER)})(?!\w))?
        """,
        re.VERBOSE | re.IGNORECASE,
    )


def find_values(text: str, taken: bytearray) -> list[Quantity]:
    """`at least 5 mg`, `5-10 mg/dL`, `about three days`, `1.5 million`; two where the text tells a change."""
    out = []
    at = 0
    while (found := _value_pattern().search(text, at)) is not None:
        at = found.end()
        if found["high"] and any(taken[slice(*found.span("low"))]):
            # "From 1.1 on March 2, 2018 to 1.9 on ...": the year begins no range.
            at = found.start("high")
            continue
        # Look only at the number: a word such as "over" may stand in a date's way.
        if not any(taken[found.start("low") : found.end()]):
            quantity = _value(found)
            if quantity is not None and claim(taken, *quantity.span):
                out += _split_change(text, found, quantity)
    return out


_FROM = re.compile(r"\bfrom(?:\s+(?:an?|the|his|her|its|about))?(?:\s+[a-z]+){0,2}(?:\s+of)?$")
_RANGES = re.compile(r"\b(?:rang\w+|run(?:s|ning)?|ran|var(?:y|ies|ied|ying)|anywhere|between)\s+from$")


def _split_change(text: str, found: re.Match[str], quantity: Quantity) -> list[Quantity]:
    """`from 5 to 10 mg` and `10 to 5 mg` are a change, two values; `5 to 10 mg` is a range."""
    if not found["dash"] or not found["dash"][0].isalpha():
        return [quantity]
    before = text[: quantity.span.start].rstrip().lower()
    is_change = before.endswith(" de") or (_FROM.search(before) is not None and not _RANGES.search(before))
    if quantity.low <= quantity.high and not is_change:
        return [quantity]
    first = replace(quantity, span=Span(quantity.span.start, found.end("low")), high=quantity.low)
    second = replace(
        quantity, span=Span(found.start("high"), quantity.span.end), low=quantity.high, comparator="", is_word=False
    )
    return [first, second]


# "The right one", "an open one is": a pronoun.
_DETERMINED = re.compile(r"\b(?:this|that|which|every|the|an?|his|her)\s+(?:[a-z-]+\s+)?$", re.IGNORECASE)
_NO_NOUN = re.compile(
    r"\s*(?:[.,;:)]|$|(?:is|was|were|are|has|had|by|than|who|that|which|in|on|at|and|but|for|from|with|only)\b)",
    re.IGNORECASE,
)


def _is_pronoun(found: re.Match[str]) -> bool:
    is_one = found["low"].lower() == "one" and not found["unit"] and not found["high"] and not found["half"]
    return (
        is_one and _DETERMINED.search(found.string, 0, found.start("low")) is not None
        and _NO_NOUN.match(found.string, found.end("low")) is not None
    )  # fmt: skip


_RISEN = re.compile(r"\b(?:is|was|now|went|goes|gone|came|come|back|climbed|risen|rose|has\s+gone)\s+$", re.IGNORECASE)
_COMPARED = re.compile(
    r"\b(?:was|is|were|lasted|lasts?|lasting|for|took|takes|taking|previously|after|of)\s+$", re.IGNORECASE
)


def _value(found: re.Match[str]) -> Quantity | None:
    low, high = read_number(found["low"]), read_number(found["high"] or found["low"])
    if low is None or high is None or _is_pronoun(found):
        return None
    if found["scale"]:
        scale = 1000 if found["scale"].strip().lower() in ("thousand", "mil", "k") else 1_000_000
        low, high = low * scale, high * scale
    if found["half"] and not found["high"]:
        low = high = low + Fraction(1, 2)
    unit = parse_unit(found["unit"] or "")
    comparator = comparator_of(found)
    start = found.start()
    if (found["word"] or "").lower() == "up to" and _RISEN.search(found.string, 0, start):
        # "It is up to 9" says that it has risen.
        comparator, start = "", found.start("low")
    is_time = unit.dimension in TIME_DIMENSIONS
    if is_time and (found["word"] or "").lower() == "over" and not _COMPARED.search(found.string, 0, found.start()):
        # "over 3 days" is a span of time, "over 3 mg" a comparison.
        comparator, start = "", found.start("minus") if found["minus"] else found.start("low")
    if found["times"] and not is_time:
        start = found.start("low")
    if found["minus"]:
        low, high = -low, (-high if not found["high"] else high)
    span = Span(start, found.end())
    if not found["unit"] and not found["high"] and not comparator and re.fullmatch(r"(?:19|20)\d\d", found["low"]):
        return Quantity(span, "date", when=found["low"])
    is_word = not found["low"][0].isdigit() and found["low"][0] != "."
    kind: QuantityKind = "duration" if is_time else "value"
    step = last_digit(found["high"] or found["low"])
    return Quantity(span, kind, low, high, comparator, unit, is_word=is_word, step=step)
