"""Values bound to what was measured: `K 5.9, Cr 2.4 (baseline 1.1)`, `Sodium | 138 | mmol/L | 136-145 | L`.

Each value has a role: a result, an earlier one, a baseline, a goal, a limit to act on, a reference range. A number
whose unit does not fit what was measured is not bound, so `potassium 20 mEq daily` is no result.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.line import Line, hard_stops, mask, next_stop, overlap, previous_stop
from chartcite.facts.measured_units import Kind, fits
from chartcite.facts.no_results import as_arrow, is_denied, is_difference, is_lost, is_of_other_specimen, without_but
from chartcite.facts.phrases import Match, Phrases, listed
from chartcite.facts.quantities import Quantity
from chartcite.facts.readings import Reading, leads_to, read_value, role_of
from chartcite.facts.slashes import split_pairs, with_pressures


class Analyte(NamedTuple):
    """A row of the list: canonical name, kind, usual units."""

    name: str
    kind: Kind
    units: tuple[str, ...]


class Measurement(NamedTuple):
    """What was measured, where it is named, and its values in the order of the text.

    `span` is the name; where a value stands alone (`120/80`, `95% on room air`) it is the value's own.
    """

    span: Span
    name: str
    kind: Kind
    values: tuple[Reading, ...]


_MOST_VALUES = 12


def find_measurements(line: Line, others: Sequence[Span] = ()) -> tuple[Measurement, ...]:
    """The measurements of a sentence that have a value.

    Args:
        line: the sentence.
        others: spans of drugs with their doses, whose numbers are not looked at.
    """
    line = with_pressures(line)
    taken = mask(len(line.text), others)
    quantities = [q for q in line.quantities if not any(taken[slice(*q.span)])]
    if not quantities:
        return ()
    names = [match for match in find_names(line) if not any(taken[slice(*match.span)])]
    walls = sorted([match.span.start for match in names] + [span.start for span in others] + hard_stops(line.text))
    names = [match for match in names if not is_of_other_specimen(line.text, match.span, match.values[0].name)]
    used: set[Span] = set()
    found: list[Measurement] = list(_pairs(line, names, quantities, used))
    bound = {one.span for one in found}
    for match in names:
        if match.span not in bound:
            found += _behind(line, match, quantities, next_stop(walls, match.span.end, len(line.text)), used)
    bound |= {one.span for one in found}
    for match in names:
        if match.span not in bound:
            found += _ahead(line, match, quantities, previous_stop(hard_stops(line.text), match.span.start), used)
    found += _alone(line, quantities, used)
    return tuple(sorted(found, key=lambda one: (one.span, one.name)))


def find_names(line: Line) -> list[Match[Analyte]]:
    """Where laboratory values, vital signs and scores are named, with a value or without."""
    return list(_names().find(line.text, line.tokens))


def measured_words(analytes: frozenset[str]) -> frozenset[str]:
    """The folded first words of all names of some measured things; of all when none is named."""
    return _names().first_words(lambda analyte: not analytes or analyte.name in analytes)


@lru_cache(maxsize=1)
def _names() -> Phrases[Analyte]:
    rows = listed(read_rows(FACTS, "measurements.tsv"), 3)
    return Phrases((spelling, _analyte(row)) for spelling, row in rows)


def _analyte(row: tuple[str, ...]) -> Analyte:
    return Analyte(row[0], row[1], tuple(filter(None, row[2].split("|"))))  # type: ignore[arg-type]


def analyte_names() -> frozenset[str]:
    """The canonical names of all that is measured."""
    return frozenset(row[0] for row in read_rows(FACTS, "measurements.tsv"))


def _behind(
    line: Line, match: Match[Analyte], quantities: Sequence[Quantity], end: int, used: set[Span]
) -> Iterator[Measurement]:
    """The values that follow a name, up to `end`."""
    at, analyte, is_corrected = match.span.end, None, False
    values: list[Reading] = []
    first = bisect_left(quantities, at, key=lambda q: q.span.start)
    before = line.text[max(0, match.span.start - 100) : match.span.start]
    for quantity in quantities[first : first + 4 * _MOST_VALUES]:
        if quantity.span.start < at or quantity.span in used:
            continue
        gap, written = line.text[at : quantity.span.start], quantity.span
        if values:
            quantity = as_arrow(line.text, gap, quantity)  # noqa: PLW2901
            gap = line.text[at : quantity.span.start]
        if is_corrected:
            gap = without_but(gap)
        if quantity.span.end > end or len(values) >= _MOST_VALUES:
            break
        fitting = analyte or next((a for a in match.values if fits(a.kind, a.name, a.units, quantity, line.text)), None)
        is_dated = quantity.kind in ("date", "age")
        if fitting is None or is_dated or not fits(fitting.kind, fitting.name, fitting.units, quantity, line.text):
            if is_dated:
                continue
            break
        is_corrected = is_denied(gap, quantity)
        if is_corrected or is_difference(line.text, match.span, gap, quantity, fitting.kind):
            used.add(written)
            at = quantity.span.end
            continue
        if not leads_to(gap, is_first=not values, is_short=len(line.text[slice(*match.span)]) <= 2, quantity=quantity):
            break
        analyte = fitting
        values.append(read_value(line, quantity, gap, role_of(before, quantity), values, end))
        used.add(written)
        at = _behind_date(line.text, values[-1])
    if analyte is not None:
        yield Measurement(match.span, analyte.name, analyte.kind, tuple(values))


_CLOSE = re.compile(r"\s*\)")


def _behind_date(text: str, value: Reading) -> int:
    """Where to look on: behind the value, its date and the bracket around that."""
    if value.when is None:
        return value.quantity.span.end
    close = _CLOSE.match(text, value.when.span.end)
    return close.end() if close else value.when.span.end


def _ahead(
    line: Line, match: Match[Analyte], quantities: Sequence[Quantity], floor: int, used: set[Span]
) -> Iterator[Measurement]:
    """`92% sat`, `7/10 pain`: a value right before its name."""
    last = bisect_left(quantities, match.span.start, key=lambda q: q.span.start)
    for quantity in quantities[max(0, last - 1) : last]:
        if quantity.span in used or quantity.span.start < floor or quantity.kind == "date":
            continue
        if is_lost(line.text, quantity.span.start):
            return
        is_near = 0 <= match.span.start - quantity.span.end <= 4
        if is_near and re.fullmatch(r"\s+(?:of\s)?", line.text[quantity.span.end : match.span.start]):
            for analyte in match.values:
                has_unit = bool(quantity.unit.name) or quantity.kind in ("pressure", "ratio")
                if has_unit and fits(analyte.kind, analyte.name, analyte.units, quantity, line.text):
                    used.add(quantity.span)
                    value = read_value(line, quantity, "", "result", [], match.span.start)
                    yield Measurement(match.span, analyte.name, analyte.kind, (value,))
                    return


_ON_AIR = re.compile(
    r"\s*(?:on|em|in)\s+(?:RA\b|room\s+air|ar\s+ambiente|AA\b|\d+(?:\.\d+)?\s*L\b|NC\b|nasal\s+cannula|BiPAP|CPAP)"
)


_DRUG_UNIT = re.compile(r"\s*(?:mg|mcg|micro|unit|g\b)", re.IGNORECASE)


def _is_blood_pressure(text: str, quantity: Quantity) -> bool:
    """`100/25 mcg` and `20/200` are none."""
    is_plausible = 50 <= quantity.low <= 300 and 20 <= quantity.high < quantity.low
    return is_plausible and not _DRUG_UNIT.match(text, quantity.span.end)


def _is_body_temperature(quantity: Quantity) -> bool:
    """`64 F` is a woman's age."""
    return (quantity.unit.name == "Cel" and 25 <= quantity.low <= 45) or (
        quantity.unit.name == "[degF]" and 77 <= quantity.low <= 113
    )


def _alone(line: Line, quantities: Sequence[Quantity], used: set[Span]) -> Iterator[Measurement]:
    """Vital signs that need no name: a pressure, degrees, `95% on room air`."""
    for quantity in quantities:
        if quantity.span in used:
            continue
        name = ""
        if quantity.kind == "pressure" and _is_blood_pressure(line.text, quantity):
            name = "blood pressure"
        elif quantity.kind == "value" and _is_body_temperature(quantity):
            name = "temperature"
        elif quantity.kind == "value" and quantity.unit.name == "%" and _ON_AIR.match(line.text, quantity.span.end):
            name = "oxygen saturation"
        if name:
            before = line.text[max(0, quantity.span.start - 100) : quantity.span.start]
            value = read_value(line, quantity, "", role_of(before, quantity), [], len(line.text))
            yield Measurement(quantity.span, name, "vital", (value,))


def _pairs(
    line: Line, names: Sequence[Match[Analyte]], quantities: Sequence[Quantity], used: set[Span]
) -> Iterator[Measurement]:
    """`AST/ALT 45/60`: two names and two numbers, each with its own."""
    for one, other in pairwise(names):
        if line.text[one.span.end : other.span.start].strip() != "/":
            continue
        parts = split_pairs(line.text, other.span.end)
        if parts is None:
            continue
        used.update(q.span for q in quantities if overlap(q.span, Span(parts[0].span.start, parts[1].span.end)))
        for match, part in ((one, parts[0]), (other, parts[1])):
            analyte = match.values[0]
            yield Measurement(match.span, analyte.name, analyte.kind, (Reading("result", part, part.unit.name),))
