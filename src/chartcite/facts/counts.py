"""How many times, and which one in a row: `twice`, `x3`, `4 times`, `the second`, `95th percentile`."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from chartcite.core.documents import Span
from chartcite.facts.dates import ORDINALS
from chartcite.facts.numerals import read_number
from chartcite.facts.quantities import Quantity, QuantityKind
from chartcite.facts.taken import claim
from chartcite.facts.units import parse_unit, unit_pattern

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


def find_counts(text: str, taken: bytearray) -> list[Quantity]:
    """`twice`, `x3`, `4 times`."""
    out = []
    for found in _count_pattern().finditer(text):
        raw = found["a"] or found["b"] or found["c"]
        number = Fraction(_TIMES[found["w"].lower()]) if found["w"] else read_number(raw)
        if number is not None and claim(taken, *found.span()):
            out.append(Quantity(Span(*found.span()), "count", number, number, is_word=raw is None))
    return out


def find_ordinals(text: str, taken: bytearray) -> list[Quantity]:
    """`the 2nd`, `third`; `95th percentile` is a value."""
    out = []
    for found in _ORDINAL.finditer(text):
        if claim(taken, *found.span()):
            number = Fraction(int(found["n"]) if found["n"] else _ORDINALS[found["w"].lower()])
            unit = parse_unit("percentile" if found["share"] else "")
            kind: QuantityKind = "value" if found["share"] else "ordinal"
            out.append(Quantity(Span(*found.span()), kind, number, number, unit=unit, is_word=not found["n"]))
    return out
