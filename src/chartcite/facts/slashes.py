"""Two numbers that are one thing or two by what stands before: `48/2.4` behind `BUN/Cr`, `PA 140x90 mmHg`."""

from __future__ import annotations

import re
from fractions import Fraction

from chartcite.core.documents import Span
from chartcite.facts.line import Line, overlap
from chartcite.facts.quantities import Quantity
from chartcite.facts.units import parse_unit

_PAIR = re.compile(
    r"\s*(?:of|was|were|is|:|=|\|)?\s*(\d{1,5}(?:\.\d{1,3})?)\s?/\s?(\d{1,5}(?:\.\d{1,3})?)(?![\w/]|\.\d)", re.ASCII
)


def split_pairs(text: str, at: int) -> tuple[Quantity, Quantity] | None:
    """The two numbers right behind `at`, as plain values; None when something else is there."""
    found = _PAIR.match(text, at)
    if found is None:
        return None
    first, second = (Quantity(Span(*found.span(n)), "value", Fraction(found[n]), Fraction(found[n])) for n in (1, 2))
    return first, second


_CROSS = re.compile(
    r"(?:(?<=\bPA\s)|(?<=\bPA:\s)|(?<=\bTA\s)|(?<=\bTA:\s)|(?<=\bBP\s)|(?<![\w.,/-])(?=\d{2,3}\s?[x×]\s?\d{2,3}\s?mm\s?hg))"
    r"(\d{2,3})\s?[x×]\s?(\d{2,3})(?:\s?mm\s?hg)?(?![\w/]|[.,]\d)",
    re.IGNORECASE | re.ASCII,
)


def with_pressures(line: Line) -> Line:
    """The line with `140x90 mmHg`, as written in Portuguese, as one pressure."""
    crossed = [
        Quantity(Span(*found.span()), "pressure", Fraction(found[1]), Fraction(found[2]), unit=parse_unit("mmhg"))
        for found in _CROSS.finditer(line.text)
    ]
    if not crossed:
        return line
    kept = [q for q in line.quantities if not any(overlap(q.span, one.span) for one in crossed)]
    return line._replace(quantities=tuple(sorted([*kept, *crossed], key=lambda q: q.span)))
