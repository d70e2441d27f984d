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
from itertools import pairwise
from typing import Literal, TypeVar

from chartcite.core.documents import Span
from chartcite.facts.dates import ORDINALS, find_dates, short_date
from chartcite.facts.frequencies import find_frequencies, find_paces
from chartcite.facts.language import with_english_numbers
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.patterns import alternatives
from chartcite.facts.units import NO_UNIT, TIME_DIMENSIONS, Unit, parse_unit, unit_pattern

QuantityKind = Literal["value", "pressure", "age", "duration", "frequency", "count", "date", "ratio", "ordinal"]
Comparator = Literal["", "<", "<=", ">", ">=", "~", "~<", "~>"]
"""`~<` is just under, `~>` just over."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity. `low == high` unless it is a range; a pressure has the systolic in `low`, the diastolic in `high`.

    A frequency is in times a day; a count is in times; a ratio (`6/10`) has the part in `low`, the whole in `high`.
    `when` is set for dates (see `dates`), for a ratio that could be one, and names the days of a week. `step` is the
    worth of the last digit written: 0.1 in `1.5`. `rate` is how often a day an amount is given, 0 where nothing says
    so. `sort` tells apart what reads alike: `decade` (in his 70s), `total` (the daily of "total daily dose").
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
    rate: Fraction = Fraction(0)
    sort: Literal["", "decade", "total"] = ""


V = TypeVar("V")

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d|,\d|\.\d)|\d+(?:\.\d+|,\d{1,2})?(?![\d,.]*\d)|\.\d+(?![\d.]*\d))"

_LITTLE = ("just", "slightly", "a little", "a bit", "a touch", "a shade", "somewhat", "marginally", "barely", "a hair")
_WORDS_BEFORE: dict[str, Comparator] = {
    "less than or equal to": "<=", "greater than or equal to": ">=", "no more than": "<=", "not more than": "<=",
    "no less than": ">=", "not less than": ">=", "no fewer than": ">=", "no higher than": "<=", "no lower than": ">=",
    "no longer than": "<=", "no greater than": "<=", "not exceeding": "<=", "a maximum of": "<=", "maximum of": "<=",
    "a minimum of": ">=", "minimum of": ">=", "less than": "<", "fewer than": "<", "lower than": "<", "below": "<",
    "under": "<", "shorter than": "<", "smaller than": "<", "younger than": "<", "lighter than": "<", "beneath": "<",
    "greater than": ">", "higher than": ">", "more than": ">", "longer than": ">", "larger than": ">",
    "bigger than": ">", "older than": ">", "heavier than": ">", "in excess of": ">", "upwards of": ">=", "beyond": ">",
    "above": ">", "over": ">", "exceeding": ">", "at least": ">=", "at most": "<=", "up to": "<=", "about": "~",
    "approximately": "~", "approx.": "~", "approx": "~", "around": "~", "roughly": "~", "circa": "~", "ca.": "~",
    "close to": "~", "in the region of": "~", "on the order of": "~", "in the neighborhood of": "~",
    "in the neighbourhood of": "~", "nearly": "~<", "almost": "~<", "not quite": "~<", "cerca de": "~",
    "aproximadamente": "~", "quase": "~<", "maior que": ">", "menor que": "<", "acima de": ">",
    "mais de": ">", "menos de": "<", "abaixo de": "<", "pelo menos": ">=", "em torno de": "~", "por volta de": "~",
    "perto de": "~", "próximo de": "~", "próxima de": "~", "próximo a": "~", "próxima a": "~", "ao redor de": "~",
    "mais ou menos": "~", "no máximo": "<=", "no mínimo": ">=", "ao menos": ">=", "superior a": ">", "inferior a": "<",
    "superiores a": ">", "inferiores a": "<", "menor ou igual a": "<=", "menor ou igual que": "<=", "maior do que": ">",
    "menor do que": "<", "maior ou igual a": ">=", "maior ou igual que": ">=", "igual ou superior a": ">=",
    "igual ou inferior a": "<=", "igual ou maior que": ">=", "igual ou menor que": "<=", "um pouco acima de": "~>",
    "pouco acima de": "~>", "pouco mais de": "~>", "um pouco abaixo de": "~<", "pouco abaixo de": "~<",
    "pouco menos de": "~<", "maior que ou igual a": ">=", "menor que ou igual a": "<=", "além de": ">",
} | {
    f"{little} {word}": side
    for little in _LITTLE
    for side, words in {"~<": "under|below|less than|lower than|short of|shy of",
                        "~>": "over|above|more than|greater than|higher than|past"}.items()
    for word in words.split("|")
}  # type: ignore[assignment]  # fmt: skip
_SIGNS: dict[str, Comparator] = {
    "<=": "<=", "=<": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "<": "<", ">": ">", "~": "~", "≈": "~",
}  # fmt: skip
_AFTER: dict[str, Comparator] = {
    "or more": ">=", "or greater": ">=", "or higher": ">=", "or older": ">=", "or above": ">=", "and above": ">=",
    "or longer": ">=", "or less": "<=", "or fewer": "<=", "or lower": "<=", "or younger": "<=", "or below": "<=",
    "and below": "<=", "or so": "~",
}  # fmt: skip


@lru_cache(maxsize=1)
def _number_words() -> dict[str, Fraction]:
    return {w: Fraction(value) for value, words in read_rows(FACTS, "number_words.tsv") for w in words.split("|")}


@lru_cache(maxsize=1)
def _worded() -> str:
    """A pattern for numbers in words: `five`, `twenty-five`, `a hundred and ten`, `two thousand`, `a dozen`."""
    known = _number_words()
    names = alternatives(w for w in known if w not in ("hundred", "thousand", "one"))
    tens = alternatives(w for w, n in known.items() if 20 <= n <= 90 and n % 10 == 0)
    ones = alternatives(w for w, n in known.items() if 1 <= n <= 9)
    pair = rf"(?:{tens}(?:[\s-]|\se\s){ones}|{names}|one(?!\s+of\b))"
    hundreds = rf"(?:(?:an?|{pair})\s+hundred(?:\s+(?:and\s+)?{pair})?)"
    thousands = rf"(?:(?:an?|{hundreds}|{pair})\s+thousand(?:\s+(?:and\s+)?(?:{hundreds}|{pair}))?)"
    dozens = r"half\s+a\s+dozen|a\s+dozen|a\s+couple(?:\s+of)?|a\s+pair\s+of|(?<=\ba\s)single(?=\s)"
    return rf"(?:{thousands}|{hundreds}|{pair}|{dozens})(?![^\W_])"


_FIXED = {"half a dozen": 6, "a dozen": 12, "a couple": 2, "a couple of": 2, "a pair of": 2, "single": 1}


@lru_cache(maxsize=1)
def _value_pattern() -> re.Pattern[str]:
    number = rf"{NUMBER}|{_worded()}"
    return re.compile(
        rf"""
        (?=[^\w\s]|\d|(?<!\w)[^\W\d_])
        (?:(?P<sign><=|=<|≤|(?<![=-])>=|≥|<|(?<![=-])>|~|≈)\s*|(?<!\w)(?P<word>{alternatives(_WORDS_BEFORE)})\s+)?
        (?:(?<!\w)(?<!\d\s)(?P<times>[x×])\s?(?=[\d.])|(?<![\w.])(?<!\d[,/:])(?<![^\W\d_]-)(?<!\d-)(?<!\btype\s)(?<!\btipo\s)
            (?<!oriented\stimes\s)(?<!oriented\sx\s))
        (?P<minus>(?<![\w)\]%.])[-−](?=\d))?
        (?P<low>{number})(?P<half>\s+and\s+(?:a|one)\s+half\b)?
        (?:\s*(?P<dash>-|–|—|\bto\b|\bthrough\b|\baté\b)\s*(?P<high>{number}))?
        (?:(?P<scale>\s+(?:thousand|million|mil(?:hão|hões)?)\b|(?<=\d)[kK](?!\w))|(?![^\W\d_]*\d))
        (?:\s*+(?:-\s*+)?(?P<unit>{unit_pattern()})|(?![^\W_]|-\d|[:/]\d))
        (?:\s+(?P<after>{alternatives(_AFTER)})(?!\w))?
        """,
        re.VERBOSE | re.IGNORECASE,
    )


_PRESSURE = re.compile(
    r"(?<![\w.,/-])(\d{2,3})(?:\s?/\s?|\s+over\s+)(\d{2,3})(?:\s?mm\s?hg)?(?![\w/]|[.,]\d)", re.IGNORECASE | re.ASCII
)


@lru_cache(maxsize=1)
def _age_pattern() -> re.Pattern[str]:
    number, unit = rf"{NUMBER}|{_worded()}", r"years?|yrs?|months?|mos?|weeks?|wks?|days?"
    return re.compile(
        rf"(?<![\w.,/-])(?P<n>{number})[\s-]*(?P<u>{unit})[\s-]*old\b"
        r"|(?<![\w.,/-])(?P<n2>\d{1,3})[\s-]*(?:y/?o|y\.o\.|yo)(?![^\W_])"
        rf"|\b(?:aged?|age\s+of|at\s+the\s+age\s+of)[\s:]+(?P<n3>\d{{1,3}}(?![\w/-]|[.,]\d)|{_worded()})"
        rf"(?:\s+(?P<u3>{unit}|anos)\b)?"
        rf"|(?<![\w.,/-])(?P<n6>{number})\s+(?P<u6>{unit})\s+of\s+age\b"
        r"|(?<![\w.,/-])(?P<n7>\d{1,2})[\s-]*(?P<u7>mos?|months?|wks?|weeks?|days?|d)"
        r"(?=[\s-](?:F|M|girl|boy|male|female|infant|baby)\b)"
        r"|(?<![\w.,/-])(?P<n5>[1-8]?\d)(?=(?-i:[MF])\b)"
        r"|(?<![\w.,/-])(?P<n4>\d{1,3})\s+anos\s+de\s+idade\b"
        r"|(?<![\w.,/-])(?P<n8>\d{1,3})\s?a(?=[,;.)]|\s*$|\s+(?:com|em|sexo|de)\b)"
        r"|(?:(?<=\bdo\ssexo\smasculino,\s)|(?<=\bdo\ssexo\sfeminino,\s)|(?<=\bmasculino,\s)|(?<=\bfeminino,\s)"
        r"|(?<=\bmasculino\sde\s)|(?<=\bfeminina\sde\s)|(?<=\bmasculina,\s)|(?<=\bfeminina,\s)"
        r"|(?<=\bmasc,\s)|(?<=\bfem,\s)"
        r"|(?<=\bmasc\.,\s)|(?<=\bfem\.,\s)"
        r"|(?<=\bpaciente\sde\s)|(?<=\bpaciente,\s)|(?<=\bhomem\sde\s)|(?<=\bmulher\sde\s)|(?<=\bhomem,\s)"
        r"|(?<=\bmulher,\s)|(?<=a\sde\s)(?=\d{1,2}\sanos,)|(?<=\bgestante\sde\s)|(?<=\bidosa\sde\s)|(?<=\bidoso\sde\s)"
        r"|(?<=\bmenino\sde\s)|(?<=\bmenina\sde\s)|(?<=\bcom\sidade\sde\s)|(?<=\btem\s)|(?<=\baos\s))"
        r"(?P<n9>\d{1,3})\s+(?:(?P<u9>meses|dias)|anos)(?!\w)"
        r"|(?<=\bcrian.a\sde\s)(?P<n10>\d{1,2})\s+(?:(?P<u10>meses|dias)|anos)(?!\w)",
        re.IGNORECASE | re.ASCII,
    )


_AGE_HINT = re.compile(
    r"old\b|\bage|\d\s?a\b|\b(?:meses|dias)\b|\d[\s-]*y[/.]?o|\banos\b|0['’]?s\b|\d\s?(?-i:[MF])\b|\d[\s-]*(?:d|days?|wks?|weeks?|mos?|months?)[\s-][fmgbi]",
    re.IGNORECASE | re.ASCII,
)
_DECADE = re.compile(
    r"\b(?:his|her|their|the)\s+(?:(?P<part>early|mid|late)[\s-]+)?(?P<n>[1-9]0)['’]?s\b", re.IGNORECASE
)


# "Once it has settled", "she once had": no count.
_TIMES_END = (
    r"\s*(?:[.,;:)]|$)|\s+(?:an?|per|every|each|daily|weekly|monthly|nightly|yearly|more|only|in|at|during|on|overnight|"
    r"today|yesterday|so|or|and|before|since|for|with|by|to)\b"
)


@lru_cache(maxsize=1)
def _count_pattern() -> re.Pattern[str]:
    few = "one|two|three|four|five|six|seven|eight|nine|ten"
    measured = rf"(?!\s*(?:{unit_pattern()}|[dhy]\b))"
    return re.compile(
        rf"(?<!\w)(?:(?P<w>once(?={_TIMES_END})|twice|thrice)|(?:(?<!\d\s)(?<!\d)[x×]\s?|(?<!\d\s)(?<!oriented\s)times\s+)"
        rf"(?P<a>\d{{1,3}}|{few})(?![\w/^*-]|[.,]\d|\s*[x×]\s*\d){measured}"
        rf"|(?P<b>\d{{1,3}})\s?x(?!\s?\d)|(?P<c>\d{{1,3}}|{few})\s+times)(?!\w)",
        re.IGNORECASE,
    )


_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_FEW = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_RATIO = re.compile(
    rf"(?<![\w.,/-])(?P<a>\d{{1,3}}|{_FEW})(?:\s?(?P<slash>/)\s?|"
    rf"\s+(?:out\s+)?of\s+(?:(?:the|his|her|their|its)\s+)?(?:(?:last|past)\s+)?)"
    rf"(?P<b>\d{{1,3}}|{_FEW})(?![\w/%]|[.,]\d|\s?(?:mm|mg|mcg)\b)"
    r"|(?<![\w.,/-])(?P<c>\d+(?:\.\d+)?)/(?P<d>\d+(?:\.\d+)?)\s?(?P<u>mg|mcg|units)(?![^\W_])",
    re.IGNORECASE | re.ASCII,
)
_ORDINALS = ORDINALS | {
    name: n
    for n, names in {
        1: "primeiro primeira", 3: "terceira terceiro", 4: "quarto quarta", 5: "quinto quinta", 6: "sexto sexta",
        7: "sétimo sétima", 8: "oitavo oitava", 9: "nono nona", 10: "décimo décima",
    }.items()
    for name in names.split()
}  # fmt: skip
_ORDINAL = re.compile(
    rf"(?<![\w-])(?:(?P<n>\d{{1,3}})(?:st|nd|rd|th|[ºª°](?!\s?[CF]\b))|(?<!at\s)(?<!per\s)"
    rf"(?P<w>{'|'.join(sorted(_ORDINALS, key=len)[::-1])}))(?![\w/])(?!-line|\s+line\b|-feira)"
    r"(?P<share>\s*(?:%\s?-?ile|percentile|centile)s?\b)?",
    re.IGNORECASE | re.ASCII,
)
_HINT = re.compile(r"[0-9]")
# Patterns that ignore case take these letters for plain ones; no word list has them.
_PLAIN_LETTERS = str.maketrans("ſıİ", "siI")


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a sentence, left to right, without overlaps."""
    text = with_english_numbers(text.translate(_PLAIN_LETTERS))
    taken = bytearray(len(text))
    found = [Quantity(Span(start, end), "date", when=form) for start, end, form in _free(find_dates(text), taken)]
    found += _weekdays(text, taken)
    found += _frequencies(text, taken, find_frequencies(text))
    found += _ages(text, taken)
    found += _parts(text, taken)
    if _HINT.search(text):
        found += _gestations(text, taken)
        found += _numbered_days(text, taken)
        found += _slashed_durations(text, taken)
        found += _pressures(text, taken)
        found += _heights(text, taken)
    found += _ratios(text, taken)
    found += _counts(text, taken)
    found += _ordinals(text, taken)
    found += _articles(text, taken)
    found += _values(text, taken)
    found += _frequencies(text, taken, find_paces(text))
    found.sort(key=lambda q: q.span)
    return _with_rates(text, _join_composites(text, _join_ranges(text, _inherit(text, tuple(found)))))


_AND, _OR_NEXT = re.compile(r"\s+and\s+", re.IGNORECASE), re.compile(r"\s+or\s+", re.IGNORECASE)


def _join_ranges(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """`Between 88 and 94` and `three or four` are ranges."""
    out: list[Quantity] = []
    for here in found:
        last = out[-1] if out else None
        if last is not None and _is_one_range(text, last, here):
            span = Span(last.span.start, here.span.end)
            out[-1] = replace(here, span=span, low=last.low, comparator=last.comparator, is_word=last.is_word)
        else:
            out.append(here)
    return tuple(out)


def _is_one_range(text: str, last: Quantity, here: Quantity) -> bool:
    is_plain = last.kind == here.kind in ("value", "duration") and last.low == last.high < here.low == here.high
    if not is_plain or here.comparator or last.unit.name != here.unit.name:
        return False
    if _BETWEEN.search(text, 0, last.span.start):
        return _AND.fullmatch(text, last.span.end, here.span.start) is not None
    is_next = last.is_word and here.is_word and here.low == last.low + 1
    return is_next and _OR_NEXT.fullmatch(text, last.span.end, here.span.start) is not None


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


def _weekdays(text: str, taken: bytearray) -> list[Quantity]:
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
        if is_habit and _claim(taken, *found.span()):
            rate = Fraction(len(set(days)), 7)
            out.append(Quantity(Span(*found.span()), "frequency", rate, rate, when=",".join(sorted(set(days)))))
    return out


_TOTAL = re.compile(r"\b(?:total|cumulative|combined)\s+$", re.IGNORECASE)


def _frequencies(
    text: str, taken: bytearray, found: Iterable[tuple[int, int, tuple[Fraction, Fraction]]]
) -> list[Quantity]:
    return [
        Quantity(Span(start, end), "frequency", low, high, sort="total" if _TOTAL.search(text, 0, start) else "")
        for start, end, (low, high) in _free(found, taken)
    ]


_PER_DAY = {"kg", "g", "mg", "ug", "ng", "U", "mU", "mL", "L", "meq", "mmol", "[tsp_us]", "[tbs_us]", "h", "min", ""}


def _with_rates(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
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
    r"(?<![\w.,/])(?P<w>[1-4]?\d)\s?(?:\+\s?(?P<d>[0-6])(?:/7)?(?:\s*(?:weeks?|wks?|semanas?))?"
    r"|w\s?(?P<d2>[0-6])d)(?![\w.])",
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


_NUMBERED_DAY = re.compile(r"(?<![\w/.-])(?:d|(?i:pod|hod|dol))(?P<n>\d{1,3})(?:/(?P<of>\d{1,2}))?(?![\w/]|[.,]\d|%)")


def _numbered_days(text: str, taken: bytearray) -> list[Quantity]:
    """The number of `d12` and `POD2`; `d2/5` is day 2 of 5."""
    out = []
    for found in _NUMBERED_DAY.finditer(text):
        if _claim(taken, found.start("n"), found.end()):
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


def _slashed_durations(text: str, taken: bytearray) -> list[Quantity]:
    """`in 6/52`, `3/12 ago`, `for 5/7`: weeks, months and days as British notes write them."""
    out = []
    for found in _SLASHED.finditer(text):
        if _claim(taken, *found.span()):
            number, unit = Fraction(found["n"]), {"52": "weeks", "12": "months", "7": "days"}[found["of"]]
            out.append(Quantity(Span(*found.span()), "duration", number, number, unit=parse_unit(unit)))
    return out


_HEIGHT = re.compile(
    r"(?<![\w.,/-])(?P<ft>\d)\s?(?:ft\.?|feet|foot|['’])\s?(?P<in>\d{1,2})"
    r"(?:\s?(?:in\b\.?|inch(?:es)?\b|[\"”]|['’]['’]))?(?!\w)",
    re.IGNORECASE,
)


def _heights(text: str, taken: bytearray) -> list[Quantity]:
    """`5'10"`, `5 ft 10 in` as inches."""
    out = []
    for found in _HEIGHT.finditer(text):
        total = Fraction(12 * int(found["ft"]) + int(found["in"]))
        if int(found["in"]) < 12 and _claim(taken, *found.span()):
            out.append(Quantity(Span(*found.span()), "value", total, total, unit=parse_unit("inches")))
    return out


def _ages(text: str, taken: bytearray) -> list[Quantity]:
    out: list[Quantity] = []
    if not _AGE_HINT.search(text):
        return out
    for found in _age_pattern().finditer(text):
        number = _number(next(found[f"n{n}"] for n in ("", *range(2, 11)) if found[f"n{n}"]))
        if number is not None and _claim(taken, *found.span()):
            unit = parse_unit(
                found["u"] or found["u3"] or found["u6"] or found["u7"] or found["u9"] or found["u10"] or "years"
            )
            start, comparator = _led(text, found.start(), taken)
            out.append(Quantity(Span(start, found.end()), "age", number, number, comparator, unit))
    for found in _DECADE.finditer(text):
        if _claim(taken, *found.span()):
            first, last = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get((found["part"] or "").lower(), (0, 9))
            ends = (Fraction(int(found["n"]) + first), Fraction(int(found["n"]) + last))
            out.append(Quantity(Span(*found.span()), "age", *ends, unit=parse_unit("years"), sort="decade"))
    return out


@lru_cache(maxsize=1)
def _leading() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?P<word>{alternatives(_WORDS_BEFORE)})\s+$", re.IGNORECASE)


def _led(text: str, start: int, taken: bytearray) -> tuple[int, Comparator]:
    """The start and the comparator of a quantity that begins here, given the words before it."""
    base = max(0, start - 32)
    found = _leading().search(text[base:start])
    if found is None or not _claim(taken, base + found.start(), start):
        return start, ""
    return base + found.start(), _WORDS_BEFORE[re.sub(r"\s+", " ", found["word"]).lower()]


_FRACTIONS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5}
_PART = re.compile(
    r"(?<!\w)(?:(?P<n>an?|one|two|three|four)[\s-]+)?(?P<part>half|thirds?|quarters?|fourths?|fifths?)\s+"
    r"(?:of\s+an?\s+(?P<u>minute|hour|day|year)\b|(?=of\s+(?:the|his|her|its|their|each|all|an?|[a-z]+)\b))",
    re.IGNORECASE,
)


def _parts(text: str, taken: bytearray) -> list[Quantity]:
    """`three quarters of breakfast` is 75 %, `a quarter of an hour` a time."""
    out = []
    for found in _PART.finditer(text):
        name = found["part"].lower().removesuffix("s")
        if not found["n"] and name != "half":
            continue
        count = {"two": 2, "three": 3, "four": 4}.get((found["n"] or "").lower(), 1)
        end = found.end() if found["u"] else found.start("part") + len(found["part"])
        if count >= _FRACTIONS[name] or not _claim(taken, found.start(), end):
            continue
        share = Fraction(count, _FRACTIONS[name])
        start, comparator = _led(text, found.start(), taken)
        comparator = comparator or ("~" if name == "third" else "")
        if found["u"]:
            unit = parse_unit(found["u"])
            out.append(Quantity(Span(start, end), "duration", share, share, comparator, unit, is_word=True))
        else:
            unit, share = parse_unit("%"), share * 100
            out.append(Quantity(Span(start, end), "value", share, share, comparator, unit, is_word=True))
    return out


def _pressures(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _PRESSURE.finditer(text):
        systolic, diastolic = int(found[1]), int(found[2])
        # A fraction such as 5/5 or 20/40 is a strength or an acuity.
        if systolic > diastolic and systolic >= 50 and diastolic >= 20 and _claim(taken, *found.span()):
            start, comparator = _led(text, found.start(), taken)
            low, high, unit = Fraction(systolic), Fraction(diastolic), parse_unit("mmhg")
            out.append(Quantity(Span(start, found.end()), "pressure", low, high, comparator, unit))
    return out


def _counts(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _count_pattern().finditer(text):
        raw = found["a"] or found["b"] or found["c"]
        number = Fraction(_TIMES[found["w"].lower()]) if found["w"] else _number(raw)
        if number is not None and _claim(taken, *found.span()):
            out.append(Quantity(Span(*found.span()), "count", number, number, is_word=raw is None))
    return out


def _ratios(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _RATIO.finditer(text):
        part, whole = _number(found["a"] or found["c"]), _number(found["b"] or found["d"])
        # "24/26 mg" is one strength of two drugs, in the order of their names.
        if part is not None and whole and (part <= whole or found["u"]) and _claim(taken, *found.span()):
            when = short_date(int(part), int(whole)) if found["slash"] else ""
            unit = parse_unit(found["u"] or "")
            out.append(Quantity(Span(*found.span()), "ratio", part, whole, unit=unit, when=when))
    return out


def _ordinals(text: str, taken: bytearray) -> list[Quantity]:
    out = []
    for found in _ORDINAL.finditer(text):
        if _claim(taken, *found.span()):
            number = Fraction(int(found["n"]) if found["n"] else _ORDINALS[found["w"].lower()])
            unit = parse_unit("percentile" if found["share"] else "")
            kind: QuantityKind = "value" if found["share"] else "ordinal"
            out.append(Quantity(Span(*found.span()), kind, number, number, unit=unit, is_word=not found["n"]))
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


def _articles(text: str, taken: bytearray) -> list[Quantity]:
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
        if _claim(taken, start, found.end()):
            start, comparator = _led(text, start, taken)
            if comparator == ">" and text[start : start + 4].lower() == "over":
                start, comparator = start + 5, ""
            span = Span(start, found.end())
            out.append(Quantity(span, "duration", number, number, comparator, parse_unit(found[name]), is_word=True))
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


_FROM = re.compile(r"\bfrom(?:\s+(?:an?|the|his|her|its|about))?(?:\s+[a-z]+){0,2}(?:\s+of)?$")
_RANGES = re.compile(r"\b(?:rang\w+|run(?:s|ning)?|ran|var(?:y|ies|ied|ying)|anywhere|between)\s+from$")
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)


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
    low, high = _number(found["low"]), _number(found["high"] or found["low"])
    if low is None or high is None or _is_pronoun(found):
        return None
    if found["scale"]:
        scale = 1000 if found["scale"].strip().lower() in ("thousand", "mil", "k") else 1_000_000
        low, high = low * scale, high * scale
    if found["half"] and not found["high"]:
        low = high = low + Fraction(1, 2)
    unit = parse_unit(found["unit"] or "")
    comparator = _comparator(found)
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
    fixed = _FIXED.get(re.sub(r"\s+", " ", text.lower()))
    if fixed is not None:
        return Fraction(fixed)
    known, total, thousands = _number_words(), Fraction(0), Fraction(0)
    for word in re.split(r"[\s-]+", text.lower()):
        if word in ("and", "e"):
            continue
        value = Fraction(1) if word in ("a", "an") else known.get(word)
        if value is None:
            return None
        if value == 1000:
            thousands, total = max(total, Fraction(1)) * 1000, Fraction(0)
        else:
            total = max(total, Fraction(1)) * 100 if value == 100 else total + value
    return thousands + total


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


_LINK = re.compile(r"\s*(?:->|=>|→|\bto\b|\band\b|\bor\b)\s*(?:then\s*)?", re.IGNORECASE)
_SIDES = re.compile(r"\s*(?:\bx\b|×|\bby\b)\s*", re.IGNORECASE)


_BOUNDS = frozenset(("<", "<=", ">", ">="))
# "more than 3 lb in a day or 5 lb in a week"
_OR = re.compile(r"(?:\s+(?:in|per|a|an|day|week|night|hour|each)\b)*\s+or\s+", re.IGNORECASE)


def _inherit(text: str, found: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """In `from 5 to 10 mg` the first value has the second one's unit; `about 4 x 3 cm` is about in both."""
    out = list(found)
    lent: set[int] = set()
    for i in range(len(out) - 2, -1, -1):
        here, after = out[i], out[i + 1]
        if here.kind != "value" or here.unit.name or not after.unit.name or after.kind not in ("value", "duration"):
            continue
        between = text[here.span.end : after.span.start]
        # "16 x 500 mg" counts what "4 x 3 cm" measures.
        is_size = after.unit.dimension == "length" and _SIDES.fullmatch(between)
        if is_size or _LINK.fullmatch(between) or (i + 1 in lent and _ITEM.fullmatch(between)):
            out[i] = replace(here, kind=after.kind, unit=after.unit)
            lent.add(i)
    out = _lend_asides(text, out)
    values = [i for i, q in enumerate(out) if q.kind == "value"]
    for at, i in pairwise(values):
        before, here = out[at], out[i]
        if here.comparator or here.unit.name != before.unit.name:
            continue
        link = _OR if before.comparator in _BOUNDS else _SIDES if before.comparator == "~" else None
        if link is not None and link.fullmatch(text, before.span.end, here.span.start):
            out[i] = replace(here, comparator=before.comparator)
    return tuple(out)


_ITEM = re.compile(r",\s*")
# "100 mg IV x1 then 50 q8h".
_NEXT_DOSE = re.compile(r"[^.;:()]{0,24}?(?:\bthen\b|\bfollowed\s+by\b|->|=>|→)\s*", re.IGNORECASE)
# "2.1 cm (prev 3.4)", "7.9 kg (8.3 last wk)", but not "2.1 cm (4 slices)".
_IN_BRACKETS = re.compile(
    r"[,;]?\s*[(,]\s*(?:(?:was|prev(?:ious(?:ly)?)?|prior|baseline|base|from|bl|last\s+\w+|usual(?:ly)?|goal|target|adm(?:ission)?|"
    r"dry|nadir|peak|max|min|yesterday|initial(?:ly)?)\.?\s*:?\s*(?:was\s+)?)",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\s*(?:\)|(?:last|prev|prior|in|at|on|yesterday|adm|baseline|usual|a\s+\w+\s+ago|before|pre)\b)",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\s*\(\s*")


def _lend_asides(text: str, found: list[Quantity]) -> list[Quantity]:
    """A bare value in brackets behind another one, said of another time, has that one's unit."""
    out = list(found)
    for i, here in enumerate(found[1:], start=1):
        before = out[i - 1]
        if here.kind != "value" or here.unit.name or not before.unit.name or before.kind != "value":
            continue
        between = text[before.span.end : here.span.start]
        is_told = _IN_BRACKETS.fullmatch(between) or (
            _OPENS.fullmatch(between) and _DATED.match(text, here.span.end) is not None
        )
        if is_told:
            out[i] = replace(here, unit=before.unit)
    for i, here in enumerate(out):
        dose = next((q for q in reversed(out[:i]) if q.kind not in ("frequency", "count")), None)
        if here.kind != "value" or here.unit.name or dose is None or dose.unit.dimension not in ("mass", "unit"):
            continue
        if dose.kind == "value" and _NEXT_DOSE.fullmatch(text, dose.span.end, here.span.start):
            out[i] = replace(here, unit=dose.unit)
    return out


_JOINT = re.compile(r"\s*(?:,|\band\b|\be\b)?\s*", re.IGNORECASE)
_SMALLER = {
    "[stone_av]": "[lb_av]", "wk": "d", "[ft_i]": "[in_i]", "h": "min", "a": "mo", "kg": "g", "[lb_av]": "[oz_av]",
    "min": "s",
}  # fmt: skip


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
