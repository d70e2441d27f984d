"""One sentence as the readers of facts share it: text, tokens, quantities, and what lies between them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.core.unseen import seen
from chartcite.facts.quantities import Quantity
from chartcite.facts.quantity_finder import find_quantities
from chartcite.facts.tokens import Token, tokenise
from chartcite.facts.units import NO_UNIT


class Line(NamedTuple):
    """A sentence: all spans count from the start of `text`. Quantities are in order, without overlaps."""

    text: str
    tokens: tuple[Token, ...]
    quantities: tuple[Quantity, ...]


def read_line(text: str) -> Line:
    """Split a sentence, as it is seen, and find its quantities."""
    text = seen(text)
    return Line(text, tokenise(text), find_quantities(text))


def without(line: Line, names: Sequence[Span]) -> Line:
    """The line less the quantities in a name (`Tylenol 3`, `CA 19-9`); of `3.4 Cl 98` the number stays."""
    taken = mask(len(line.text), names)
    kept = []
    for quantity in line.quantities:
        start, end = quantity.span
        at = taken.find(1, start, end)
        if at < 0:
            kept.append(quantity)
        elif number := _BARE.fullmatch(line.text, start, at):
            kept.append(replace(quantity, span=Span(start, number.end(1)), kind="value", unit=NO_UNIT))
    return line._replace(quantities=tuple(kept))


_BARE = re.compile(r"(\d+(?:[.,]\d+)?)\s+", re.ASCII)


def mask(chars: int, spans: Sequence[Span]) -> bytearray:
    """One byte a character, 1 inside the spans: asks about many spans in time that grows with the text only."""
    taken = bytearray(chars)
    for start, end in spans:
        taken[start:end] = b"\x01" * (end - start)
    return taken


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one.start < other.end and other.start < one.end


def tokens_between(line: Line, start: int, end: int) -> tuple[Token, ...]:
    """The tokens that lie wholly in `[start, end)`."""
    first = bisect_left(line.tokens, start, key=lambda token: token.start)
    last = bisect_left(line.tokens, end, key=lambda token: token.end)
    if last < len(line.tokens) and line.tokens[last].end == end:
        last += 1
    return line.tokens[first:last]


def quantities_between(line: Line, start: int, end: int) -> tuple[Quantity, ...]:
    """The quantities that lie wholly in `[start, end)`."""
    first = bisect_left(line.quantities, start, key=lambda q: q.span.start)
    out = []
    for quantity in line.quantities[first:]:
        if quantity.span.end > end:
            break
        out.append(quantity)
    return tuple(out)


_HARD = re.compile(r";|[.!?](?=\s|$)|\n\s*\n|\n\s*(?:[-*•]|\d+[.)])\s")


def hard_stops(text: str) -> list[int]:
    """Where something new begins for sure: behind `;`, a full stop before white space, at a new list item."""
    return [found.start() for found in _HARD.finditer(text) if not _is_inside_word(text, found.start())]


_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Za-z]\.)+[A-Za-z]|\b(?:vs|approx|ca|no|Dr|Sr|Sra|temp|susp|tab|cap|inj|sol|comp))$"
)


def _is_inside_word(text: str, at: int) -> bool:
    return text[at] == "." and _ABBREVIATED.search(text, max(0, at - 8), at) is not None


def next_stop(stops: Sequence[int], at: int, end: int) -> int:
    """The first stop at or behind `at`, or `end`."""
    n = bisect_left(stops, at)
    return stops[n] if n < len(stops) else end


def previous_stop(stops: Sequence[int], at: int) -> int:
    """Just behind the last stop before `at`, or 0."""
    n = bisect_left(stops, at)
    return stops[n - 1] + 1 if n else 0
