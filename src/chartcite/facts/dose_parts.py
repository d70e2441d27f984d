"""The parts of a dose, wherever they stand in a sentence: amounts, counts, forms, routes, times, `PRN`, durations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.amounts import is_bare, is_dose
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.line import Line, overlap
from chartcite.facts.phrases import Phrases, listed
from chartcite.facts.quantities import Quantity

PartKind = Literal["dose", "bare", "frequency", "duration", "route", "form", "time", "prn", "wall"]


class Part(NamedTuple):
    """One part: a quantity, or words that a list names. A `wall` belongs to no dose and nothing binds across it."""

    span: Span
    kind: PartKind
    quantity: Quantity | None = None
    name: str = ""


_PRN = (
    "prn", "p.r.n.", "as needed", "if needed", "as required", "when needed", "as necessary", "if necessary",
    "se necessário", "se necessario", "se dor", "se febre", "se náusea", "SOS*", "S/N*", "caso necessário",
    "quando necessário",
)  # fmt: skip
_FOR = re.compile(
    r"(?:\bfor|\bx|×|\bpor|\bdurante|\bfor\s+the\s+next|\bover|\bduration\s*:?|,|\btotal\s+of|\bfor\s+a\s+total\s+of)\s*$|^$",
    re.IGNORECASE,
)
_COURSE = re.compile(r"[\s-]*(?:courses?\b|total\b|supply\b|taper\b|curso\b)", re.IGNORECASE)


def find_parts(line: Line) -> tuple[Part, ...]:
    """All parts in order, without overlaps; what a quantity says comes before what a list says."""
    parts = [part for quantity in line.quantities if (part := _of_quantity(line, quantity))]
    taken = [part.span for part in parts]
    for named in _listed_parts(line):
        if not any(overlap(named.span, span) for span in taken):
            parts.append(named)
            taken.append(named.span)
    return tuple(sorted(parts, key=lambda part: (part.span, part.kind)))


def _of_quantity(line: Line, quantity: Quantity) -> Part | None:
    if quantity.kind == "frequency":
        return Part(quantity.span, "frequency", quantity)
    if quantity.kind == "duration":
        return Part(quantity.span, "duration", quantity) if _lasts(line.text, quantity.span) else None
    if is_dose(quantity):
        return Part(quantity.span, "dose", quantity)
    if is_bare(quantity):
        return Part(quantity.span, "bare", quantity)
    return Part(quantity.span, "wall", quantity) if quantity.kind in ("value", "pressure", "age") else None


def _lasts(text: str, span: Span) -> bool:
    """`for 7 days`, `x10 days`, `7-day course`: how long it is taken, not when it was."""
    before = text[max(0, span.start - 24) : span.start]
    return text[span.start] in "xX×" or _FOR.search(before) is not None or _COURSE.match(text, span.end) is not None


def _listed_parts(line: Line) -> Iterator[Part]:
    for match in _phrases().find(line.text, line.tokens):
        kind, name = match.values[0]
        yield Part(match.span, kind, None, name)


@lru_cache(maxsize=1)
def _phrases() -> Phrases[tuple[PartKind, str]]:
    rows: list[tuple[str, tuple[PartKind, str]]] = [(spelling, ("prn", "as needed")) for spelling in _PRN]
    for kind, name in (("time", "dose_times.tsv"), ("route", "routes.tsv"), ("form", "dose_forms.tsv")):
        rows += [(spelling, (kind, row[0])) for spelling, row in listed(read_rows(FACTS, name), 1)]  # type: ignore[misc]
    return Phrases(rows)
