"""Quantities of a sentence: values with comparator and unit, pressures, ages, durations, frequencies, counts, dates.

A date, a clock time or an age is never a plain value. Numbers inside names (`HbA1c`, `T4N2M0`, `COVID-19`) are no
quantities; they stay words. Knows nothing of what is measured: binding a value to its analyte is the reader's task.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeVar

from chartcite.core.documents import Span
from chartcite.facts.dates import find_dates
from chartcite.facts.frequencies import find_frequencies
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.units import NO_UNIT, TIME_DIMENSIONS, Unit, parse_unit, unit_pattern

QuantityKind = Literal["value", "pressure", "age", "duration", "frequency", "count", "date", "ratio", "ordinal"]
Comparator = Literal["", "<", "<=", ">", ">=", "~"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity. `low == high` unless it is a range; a pressure has the systolic in `low`, the diastolic in `high`.

    A frequency is in times a day; a count is in times; a ratio (`6/10`) has the part in `low`, the whole in `high`.
    `when` is set for dates only (see `dates`). `step` is the worth of the last digit written: 0.1 in `1.5`.
    """

    span: Span
    kind: QuantityKind
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    comparator: Comparator = ""
    unit: Unit = NO_UNIT
    when: str = ""
    is_word: bool = False
    step: Fraction = Fraction(1)


V = TypeVar("V")

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]|\.\d)|\d+(?:\.\d+|,\d{1,2})?(?![\d,.]*\d)|\.\d+(?![\d.]*\d))"

_WORDS_BEFORE: dict[str, Comparator] = {
    "less than or equal to": "<=", "greater than or equal to": ">=", "no more than": "<=", "not more than": "<=",
    "no less than": ">=", "not less than": ">=", "no fewer than": ">=", "less than": "<", "fewer than": "<",
    "lower than": "<", "below": "<", "under": "<", "greater than": ">", "higher than": ">", "more than": ">",
    "above": ">", "over": ">", "exceeding": ">", "at least": ">=", "at most": "<=", "up to": "<=", "about": "~",
    "approximately": "~", "approx.": "~", "approx": "~", "around": "~", "roughly": "~", "nearly": "~",
    "almost": "~", "circa": "~", "cerca de": "~", "maior que": ">", "menor que": "<", "acima de": ">",
    "abaixo de": "<", "pelo menos": ">=",
}  # fmt: skip
_SIGNS: dict[str, Comparator] = {
    "<=": "<=", "=<": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "<": "<", ">": ">", "~": "~", "≈": "~",
}  # fmt: skip
_AFTER: dict[str, Comparator] = {
    "or more": ">=", "or greater": ">=", "or higher": ">=", "or older": ">=", "or above": ">=", "and above": ">=",
    "or less": "<=", "or fewer": "<=", "or lower": "<=", "or younger": "<=", "or below": "<=", "and below": "<=",
}  # fmt: skip


def _alternatives(words: dict[str, Comparator]) -> str:
    return "|".join(re.escape(w).replace(r"\ ", r"\s+") for w in sorted(words, key=len, reverse=True))


@lru_cache(maxsize=1)
def _number_words() -> dict[str, Fraction]:
    return {w: Fraction(value) for value, words in read_rows(FACTS, "number_words.tsv") for w in words.split("|")}


@lru_cache(maxsize=1)
def _worded() -> str:
    """A pattern for numbers in words: `five`, `twenty-five`, `a hundred and ten`."""
    known = _number_words()
    single = (
        "|".join(sorted((w for w in known if w not in ("hundred", "one")), key=len, reverse=True)) + r"|one(?!\s+of\b)"
    )
    tens = "|".join(w for w, n in known.items() if 20 <= n <= 90 and n % 10 == 0)
    ones = "|".join(w for w, n in known.items() if n <= 9)
    pair = rf"(?:{tens})(?:[\s-]|\se\s)(?:{ones})|{single}"
    return rf"(?:(?:an?|{ones})\s+hundred(?:\s+(?:and\s+)?(?:{pair}))?|{pair}|cem)(?![^\W_])"


@lru_cache(maxsize=1)
def _value_pattern() -> re.Pattern[str]:
    number = rf"{NUMBER}|{_worded()}"
    return re.compile(
        rf"""
        (?:(?P<sign><=|=<|≤|(?<![=-])>=|≥|<|(?<![=-])>|~|≈)\s*|(?<!\w)(?P<word>{_alternatives(_WORDS_BEFORE)})\s+)?
        (?<![\w.])(?<!\d[,/:])(?<![^\W\d_]-)(?<!\d-)(?<!\btype\s)
        (?P<minus>(?<![\w)\]%.])[-−](?=\d))?
        (?P<low>{number})
        (?:\s*(?P<dash>-|–|—|\bto\b|\baté\b)\s*(?P<high>{number}))?
        (?![^\W\d_]*\d)
        (?:\s*-?\s*(?P<unit>{unit_pattern()})|(?![^\W_]|-\d|[:/]\d))
        (?:\s+(?P<after>{_alternatives(_AFTER)})(?!\w))?
        """,
        re.VERBOSE | re.IGNORECASE,
    )


_PRESSURE = re.compile(
    r"(?<![\w.,/-])(\d{2,3})\s?/\s?(\d{2,3})(?:\s?mm\s?hg)?(?![\w/]|[.,]\d)", re.IGNORECASE | re.ASCII
)
_AGE = re.compile(
    rf"(?<![\w.,/-])(?P<n>{NUMBER}|(?:[a-z]+ty[\s-])?[a-z]+(?=[\s-](?:year|month|week|day)s?[\s-]old))[\s-]*(?P<u>years?|yrs?|months?|weeks?|days?)[\s-]*old\b"
    r"|(?<![\w.,/-])(?P<n2>\d{1,3})[\s-]*(?:y/?o|y\.o\.|yo)(?![^\W_])"
    r"|\b(?:aged?|age\s+of)[\s:]+(?P<n3>\d{1,3})(?![\w/-]|[.,]\d)(?:\s+(?:years|anos)\b)?"
    r"|(?<![\w.,/-])(?P<n5>[1-8]?\d)(?=(?-i:[MF])\b)"
    r"|(?<![\w.,/-])(?P<n4>\d{1,3})\s+anos\s+de\s+idade\b",
    re.IGNORECASE | re.ASCII,
)
_COUNT = re.compile(
    r"(?<!\w)(?:(?P<w>once|twice|thrice)|(?<!\d\s)(?<!\d)x\s?(?P<a>\d{1,3})(?![\w.,/^*-])(?!\s*(?:\d|days?|weeks?|wks?|months?|mos?|years?|yrs?|hours?|hrs?|min|units?|d\b|h\b|y\b))"
    r"|(?P<b>\d{1,3})\s?x(?!\s?\d)|(?P<c>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)\s+times)(?!\w)",
    re.IGNORECASE | re.ASCII,
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_RATIO = re.compile(
    r"(?<![\w.,/-])(?P<a>\d{1,3})(?:\s?/\s?|\s+(?:out\s+)?of\s+(?:the\s+)?)(?P<b>\d{1,3})(?![\w/%]|[.,]\d|\s?(?:mm|mg|mcg))"
    r"|(?<![\w.,/-])(?P<c>\d+(?:\.\d+)?)/(?P<d>\d+(?:\.\d+)?)\s?(?P<u>mg|mcg|units)(?![^\W_])",
    re.IGNORECASE | re.ASCII,
)
_ORDINALS = {
    name: n
    for n, names in enumerate(
        ("first primeira primeiro", "", "third terceira terceiro", "fourth quarta quarto", "fifth quinta quinto",
         "sixth sexta", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"), start=1
    )
    for name in names.split()
    if name not in ("primeira", "primeiro", "quinta", "sexta", "quarta", "quarto")
} | {"second": 2}  # fmt: skip
_ORDINAL = re.compile(
    rf"(?<![\w-])(?:(?P<n>\d{{1,2}})(?:st|nd|rd|th)|(?<!at\s)(?<!per\s)(?P<w>{'|'.join(_ORDINALS)}))(?![\w/])(?!-line|-degree|\s+(?:line|degree)\b)",
    re.IGNORECASE | re.ASCII,
)
_HINT = re.compile(r"[0-9]")


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a sentence, left to right, without overlaps."""
    taken = bytearray(len(text))
    found = [Quantity(Span(start, end), "date", when=form) for start, end, form in _free(find_dates(text), taken)]
    found += [
        Quantity(Span(start, end), "frequency", rate, rate) for start, end, rate in _free(find_frequencies(text), taken)
    ]
    found += _ages(text, taken)
    if _HINT.search(text):
        found += _gestations(text, taken)
        found += _pressures(text, taken)
        found += _ratios(text, taken)
    found += _counts(text, taken)
    found += _ordinals(text, taken)
    found += _articles(text, taken)
    found += _values(text, taken)
    found.sort(key=lambda q: q.span)
    return _join_composites(text, _inherit_units(text, tuple(found)))


def _free(items: Iterable[tuple[int, int, V]], taken: bytearray) -> list[tuple[int, int, V]]:
    out = []
    for start, end, value in items:
        if _claim(taken, start, end):
            out.append((start, end, value))
    return out


def _claim(taken: bytearray, start: int, end: int) -> bool:
    if any(taken[start:end]):
        return False
    taken[start:end] = b"\x01" * (end - start)
    return True


_GESTATION = re.compile(
    r"(?<![\w.,/])(?P<w>[1-4]?\d)\s?(?:\+\s?(?P<d>[0-6])(?:/7)?(?:\s*(?:weeks?|wks?|semanas?))?|w\s?(?P<d2>[0-6])d)(?![\w.])",
    re.IGNORECASE | re.ASCII,
)


def _gestations(text: str, taken: bytearray) -> list[Quantity]:
    """`38+1 weeks`, `34w2d`: weeks and days as days."""
    out = []
    for found in _GESTATION.finditer(text):
        days = found["d"] or found["d2"]
        if days is not None and _claim(taken, *found.span()):
            total = Fraction(7 * int(found["w"]) + int(days))
            out.append(Quantity(Span(*found.span()), "duration", total, total, unit=parse_unit("days")))
    return out


def _ages(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _AGE.finditer(text):
        number = _number(found["n"] or found["n2"] or found["n3"] or found["n4"] or found["n5"])
        if number is not None and _claim(taken, *found.span()):
            unit = parse_unit(found["u"]) if found["u"] else parse_unit("years")
            out.append(Quantity(Span(*found.span()), "age", number, number, unit=unit))
    return out


def _pressures(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _PRESSURE.finditer(text):
        systolic, diastolic = int(found[1]), int(found[2])
        # A fraction such as 5/5 or 20/40 is a strength or an acuity.
        if systolic > diastolic and systolic >= 50 and diastolic >= 20 and _claim(taken, *found.span()):
            out.append(
                Quantity(
                    Span(*found.span()), "pressure", Fraction(systolic), Fraction(diastolic), unit=parse_unit("mmhg")
                )
            )
    return out


def _counts(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _COUNT.finditer(text):
        raw = found["a"] or found["b"] or found["c"]
        number = Fraction(_TIMES[found["w"].lower()]) if found["w"] else _number(raw)
        if number is not None and _claim(taken, *found.span()):
            out.append(Quantity(Span(*found.span()), "count", number, number, is_word=raw is None))
    return out


def _ratios(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _RATIO.finditer(text):
        part, whole = Fraction(found["a"] or found["c"]), Fraction(found["b"] or found["d"])
        # "24/26 mg" is one strength of two drugs, in the order of their names.
        if (part <= whole or found["u"]) and whole and _claim(taken, *found.span()):
            out.append(Quantity(Span(*found.span()), "ratio", part, whole, unit=parse_unit(found["u"] or "")))
    return out


def _ordinals(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _ORDINAL.finditer(text):
        if _claim(taken, *found.span()):
            number = Fraction(int(found["n"]) if found["n"] else _ORDINALS[found["w"].lower()])
            out.append(Quantity(Span(*found.span()), "ordinal", number, number, is_word=not found["n"]))
    return out


@lru_cache(maxsize=1)
def _article_pattern() -> re.Pattern[str]:
    time = r"(?P<u>minute|hour|day|week|month|year|dia|semana|m[eê]s|ano|hora)"
    before = r"for|over|in|after|within|than|about|nearly|almost|only|h[aá]|por|em|each|every"
    return re.compile(
        rf"(?<!\w)(?:(?P<half>half\s+(?:an?\s+)?|meio\s+|meia\s+){time}(?!\w)|(?:(?<!\w)(?:{before})\s+)(?P<one>an?|uma?)\s+{time.replace('<u>', '<u2>')}(?!\w)"
        rf"|(?P<one3>an?)\s+{time.replace('<u>', '<u3>')}(?=\s+(?:ago|earlier|later|before|prior|after)\b))",
        re.IGNORECASE,
    )


def _articles(text: str, taken: bytearray) -> list[Quantity]:
    """`half a year`, `for a week`, `a month ago`."""
    out = []
    for found in _article_pattern().finditer(text):
        unit = parse_unit(found["u"] or found["u2"] or found["u3"])
        start = found.start("half") if found["half"] else found.start("one" if found["one"] else "one3")
        number = Fraction(1, 2) if found["half"] else Fraction(1)
        if _claim(taken, start, found.end()):
            out.append(Quantity(Span(start, found.end()), "duration", number, number, unit=unit, is_word=True))
    return out


def _values(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _value_pattern().finditer(text):
        # Look only at the number: a word such as "over" may stand in a date's way.
        if not any(taken[found.start("low") : found.end()]):
            quantity = _value(found)
            if quantity is not None and _claim(taken, *quantity.span):
                out += _split_change(text, found, quantity)
    return out


def _split_change(text: str, found: re.Match[str], quantity: Quantity) -> list[Quantity]:
    """`from 5 to 10 mg` and `10 to 5 mg` are a change, two values; `5 to 10 mg` is a range."""
    if not found["dash"] or not found["dash"][0].isalpha():
        return [quantity]
    before = text[: quantity.span.start].rstrip().lower()
    if quantity.low <= quantity.high and not before.endswith(("from", " de")):
        return [quantity]
    first = replace(quantity, span=Span(quantity.span.start, found.end("low")), high=quantity.low)
    second = replace(
        quantity, span=Span(found.start("high"), quantity.span.end), low=quantity.high, comparator="", is_word=False
    )
    return [first, second]


def _value(found: re.Match[str]) -> Quantity | None:
    low, high = _number(found["low"]), _number(found["high"] or found["low"])
    if low is None or high is None:
        return None
    unit = parse_unit(found["unit"] or "")
    comparator = _comparator(found)
    start = found.start()
    is_time = unit.dimension in TIME_DIMENSIONS
    if is_time and (found["word"] or "").lower() == "over":
        # "over 3 days" is a span of time, "over 3 mg" a comparison.
        comparator, start = "", found.start("minus") if found["minus"] else found.start("low")
    if found["minus"]:
        low, high = -low, (-high if not found["high"] else high)
    span = Span(start, found.end())
    if not found["unit"] and not found["high"] and not comparator and re.fullmatch(r"(?:19|20)\d\d", found["low"]):
        return Quantity(span, "date", when=found["low"])
    is_word = not found["low"][0].isdigit() and found["low"][0] != "."
    kind: QuantityKind = "duration" if is_time else "value"
    return Quantity(span, kind, low, high, comparator, unit, is_word=is_word, step=_step(found["high"] or found["low"]))


def _comparator(found: re.Match[str]) -> Comparator:
    if found["sign"]:
        return _SIGNS[found["sign"]]
    if found["word"]:
        return _WORDS_BEFORE[re.sub(r"\s+", " ", found["word"]).lower()]
    return _AFTER[re.sub(r"\s+", " ", found["after"]).lower()] if found["after"] else ""


def _step(number: str) -> Fraction:
    """The worth of the last digit written; trailing zeros of a whole number are taken as exact."""
    _, point, decimals = number.replace(",", ".").rpartition(".")
    is_grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+", number) is not None
    return Fraction(1, 10 ** len(decimals)) if point and not is_grouped else Fraction(1)


def _from_words(text: str) -> Fraction | None:
    known, total = _number_words(), Fraction(0)
    for word in re.split(r"[\s-]+", text.lower()):
        if word in ("and", "e"):
            continue
        value = Fraction(1) if word in ("a", "an") else known.get(word)
        if value is None:
            return None
        total = max(total, Fraction(1)) * 100 if value == 100 else total + value
    return total


@lru_cache(maxsize=4096)
def _number(text: str) -> Fraction | None:
    if not any(char.isdigit() for char in text):
        return _from_words(text)
    if not text.isascii() or len(text) > 40:
        # Digits of other scripts and endless digit runs stay words, compared letter by letter.
        return None
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        return Fraction(text.replace(",", ""))
    return Fraction(text.replace(",", "."))


_LINK = re.compile(r"\s*(?:->|=>|→|\bx\b|×|\bto\b|\band\b|\bor\b|,|;)\s*(?:then\s*)?", re.IGNORECASE)


def _inherit_units(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """In `from 5 to 10 mg` the first value has the second one's unit."""
    out = list(found)
    for i in range(len(out) - 2, -1, -1):
        here, after = out[i], out[i + 1]
        if here.kind == "value" == after.kind and not here.unit.name and after.unit.name:
            between = text[here.span.end : after.span.start]
            if _LINK.fullmatch(between) and "," not in between and ";" not in between:
                out[i] = replace(here, unit=after.unit)
    return tuple(out)


_JOINT = re.compile(r"\s*(?:,|\band\b|\be\b)?\s*", re.IGNORECASE)
_SMALLER = {"wk": "d", "[ft_i]": "[in_i]", "h": "min", "a": "mo", "kg": "g", "[lb_av]": "[oz_av]", "min": "s"}


def _join_composites(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """`34 weeks and 2 days`, `5 ft 10 in`, `1 h 30 min` are one quantity, in the smaller unit."""
    out: list[Quantity] = []
    for here in found:
        last = out[-1] if out else None
        if (
            last is not None
            and _SMALLER.get(last.unit.name) == here.unit.name
            and last.low == last.high
            and here.low == here.high
            and not here.comparator
            and _JOINT.fullmatch(text[last.span.end : here.span.start])
        ):
            total = last.low * last.unit.factor / here.unit.factor + here.low
            span = Span(last.span.start, here.span.end)
            out[-1] = replace(here, span=span, low=total, high=total, comparator=last.comparator)
        else:
            out.append(here)
    return tuple(out)
