"""Values of one analyte over time, from the sentences that state them.

A goal, a baseline, a reference range and another person's value are no results. What a later note retells belongs to
the day it names; the same number of the same day is one entry with several sources. A result that was put right stays
visible and counts no more.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from chartcite.facts.analytes import convert
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import Measurement, find_names
from chartcite.facts.quantities import Quantity
from chartcite.facts.read import SentenceFacts
from chartcite.facts.readings import Reading
from chartcite.facts.tokens import fold
from chartcite.facts.units import parse_unit
from chartcite.records.days import Day, days, earlier_day, head_day, own_day, reason_day
from chartcite.records.elsewhen import is_elsewhen, is_no_result, month_named
from chartcite.records.entries import Amount, Flag, Series, Source, Standing, Value
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader
from chartcite.records.refused import is_of_another

_LEADER = re.compile(r"\.{4,}")
"""`Calcium ........ 8.5 mg/dL`"""
_OTHERS = frozenset(("family", "hypothetical", "absent"))
_CORRECTS = re.compile(
    r"\b(?:amend|(?:correct|revis)ed\s+(?:\w+\s+)?(?:result|report|value|lab)|(?:result|value|report)s?\s+(?:\w+\s+)?"
    r"(?:corrected|revised)|correction\b|supersed|should (?:read|have (?:been|read))|retifica|corrigid[oa]|substitui)",
    re.IGNORECASE,
)
"""`Hypokalemia corrected` and `corrected calcium` correct no result."""
_WRONG = re.compile(
    r"\b(?:in error|erroneous\w*|mistaken\w*|lab error|hemolyzed|hemolisad[oa]|por engano|errone\w*)", re.IGNORECASE
)
"""The number of such a sentence is none."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One value of one sentence. `is_own`: the sentence is of that day, and not a later note's."""

    analyte: str
    day: str
    amount: Amount
    text: str
    source: Source
    is_own: bool
    is_report: bool
    corrects: bool = False
    was: Amount | None = None
    flag: Flag = ""
    reference: str = ""


def stated(line: Line, analytes: frozenset[str], facts_of: FactsReader) -> Iterator[Stated]:
    """The patient's own results in a sentence, each with its day; of all analytes when none is named."""
    if not line.day or not any(c.isdigit() for c in line.text):
        return
    if is_of_another(line.text) or (_WRONG.search(line.text) and not _CORRECTS.search(line.text)):
        return
    text = _LEADER.sub(lambda dots: " " * len(dots[0]), line.text)
    facts = facts_of(text)
    dates = list(days(text, line.source.written, line.order))
    for one in facts.measurements:
        if (not analytes or one.name in analytes) and not _is_of_others(one, facts):
            yield from _results(text, one, dates, line)
    if not facts.measurements and dates and _CORRECTS.search(text):
        yield from _amended(text, facts, dates[0].iso, analytes, line)


def series(found: Iterable[Stated]) -> list[Series]:
    """By analyte, the values of each day, oldest first."""
    by_analyte: dict[str, list[Stated]] = defaultdict(list)
    for one in found:
        by_analyte[one.analyte].append(one)
    return [_series(analyte, _placed(by_analyte[analyte])) for analyte in sorted(by_analyte)]


_NEAR_DAYS = 400


def _placed(found: Sequence[Stated]) -> list[Stated]:
    """What a note says without a date, otherwise than that day's report, belongs to the last day that has that number.

    `Admitted with a BUN of 40` in a letter of the day whose report says 33.
    """
    reports: dict[str, list[Amount]] = defaultdict(list)
    for one in found:
        if one.is_report and one.is_own:
            reports[one.day].append(one.amount)
    known = sorted(
        ((one.day, one.amount) for one in found if one.is_report or not one.is_own), key=lambda item: item[0]
    )
    out = []
    for one in found:
        own = reports.get(one.day)
        if one.is_own and not one.is_report and own and not any(_same(one.amount, amount) for amount in own):
            earlier = [day for day, amount in known if day < one.day and _same(amount, one.amount)]
            if earlier and _days_between(earlier[-1], one.day) <= _NEAR_DAYS:
                one = replace(one, day=earlier[-1], is_own=False)  # noqa: PLW2901 - the same one, placed
        out.append(one)
    return out


def _days_between(first: str, second: str) -> int:
    return (date.fromisoformat(second) - date.fromisoformat(first)).days if len(first) == len(second) == 10 else 0


def _amended(text: str, facts: SentenceFacts, day: str, analytes: frozenset[str], line: Line) -> Iterator[Stated]:
    """`Potassium for the 26 Oct 2013 specimen has been amended from 5.2 mEq/L to 4.0 mEq/L`."""
    names = [n.values[0] for n in find_names(read_line(text)) if not analytes or n.values[0].name in analytes]
    numbers = [q for q in facts.quantities if q.kind == "value"]
    if len(names) != 1 or len(numbers) < 2:
        return
    was, now = numbers[:2]
    if not re.search(r"\b(?:from|de)\s*$", text[: was.span.start]) or not re.fullmatch(
        r"\s*(?:to|para|a)\s*", text[was.span.end : now.span.start]
    ):
        return
    old, new = (Amount(q.low, q.high, q.unit.name, q.comparator) for q in (was, now))
    yield Stated(
        names[0].name,
        day,
        new,
        _slice(line.text, now),
        line.source,
        is_own=False,
        is_report=False,
        corrects=True,
        was=old,
    )


def _results(text: str, one: Measurement, dates: Sequence[Day], line: Line) -> Iterator[Stated]:
    corrects = bool(_CORRECTS.search(text))
    reference = next((_slice(line.text, v.quantity) for v in one.values if v.role == "reference"), "")
    head, since = head_day(text, dates), earlier_day(text, dates)
    before = next((v for v in one.values if v.role == "previous"), None)
    columns = [v for v in one.values if v.role == "result"]
    in_columns = dict(zip(map(id, columns), line.columns, strict=True)) if len(columns) == len(line.columns) else {}
    for value in one.values:
        span = value.quantity.span
        if (line.columns and not in_columns) or is_no_result(text, span.start):
            continue
        if id(value) in in_columns:
            yield replace(_stated(line, one, value, in_columns[id(value)], is_own=True), reference=reference)
            continue
        own = own_day(text, dates, value.quantity.span.end)
        if value.role == "previous" and (own or since) and not corrects:
            yield _stated(line, one, value, own or since, is_own=False)
        if value.role != "result" or _is_range(value.quantity):
            continue
        between = next((d.iso for d in dates if one.span.end <= d.start and d.end <= span.start), "")
        named = own or between or month_named(text, span.start, span.end, line.source.written)
        if not named and is_elsewhen(text, span.start, span.end):
            continue
        named = named or head or reason_day(text, dates, one.span.start)
        named = named or (dates[0].iso if corrects and dates else "")
        day = min(named, line.source.written) if named else line.day
        is_own = day == line.day and (not named or named >= line.day)
        found = _stated(line, one, value, day, is_own=is_own)
        was = _amount(before) if corrects and before else None
        yield replace(found, corrects=corrects, was=was, flag=value.flag, reference=reference)


def _stated(line: Line, one: Measurement, value: Reading, day: str, *, is_own: bool) -> Stated:
    text = _slice(line.text, value.quantity)
    return Stated(one.name, day, _amount(value), text, line.source, is_own, line.is_report)


def _slice(text: str, quantity: Quantity) -> str:
    return text[slice(*quantity.span)]


def _amount(value: Reading) -> Amount:
    q = value.quantity
    is_flag = value.flag_span is not None and q.span.start <= value.flag_span.start < q.span.end  # `2.0  H`: no hours
    return Amount(q.low, q.high, value.unit or ("" if is_flag else q.unit.name), q.comparator, q.kind == "pressure")


def _is_range(quantity: Quantity) -> bool:
    return quantity.low != quantity.high and quantity.kind != "pressure"


def _is_of_others(one: Measurement, facts: SentenceFacts) -> bool:
    return any(overlap(one.span, s.span) and _OTHERS & set(s.names) for s in facts.standings)


def _series(analyte: str, found: Sequence[Stated]) -> Series:
    counts = Counter(s.amount.unit for s in found)
    written = [(unit, n) for unit, n in counts.items() if unit]
    unit = min(written, key=lambda item: (-item[1], item[0]))[0] if written else ""
    values = _with_corrections(_merged(analyte, found), found)
    values = [replace(value, converted=_converted(analyte, value.amount, unit)) for value in values]
    kept = [value for value in values if value.counts]
    conflict = any(v.amount.unit not in (unit, "") and v.converted is None for v in kept)
    units = tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return Series(analyte, unit, units, conflict, tuple(values))


def _merged(analyte: str, found: Sequence[Stated]) -> list[Value]:
    """One entry for each number of a day; a number without a unit joins the one that has it."""
    groups: dict[tuple[str, Fraction, Fraction, str], list[Stated]] = defaultdict(list)
    for one in found:
        groups[one.day, one.amount.low, one.amount.high, one.amount.comparator].append(one)
    values = []
    for (day, *_), members in groups.items():
        for same in _by_unit(members):
            members_in_order = sorted(same, key=_order)
            first = members_in_order[0]
            sources = tuple(dict.fromkeys(m.source for m in members_in_order))
            standing: Standing = "stated" if any(m.is_own for m in same) else "retold"
            flag: Flag = next((m.flag for m in members_in_order if m.flag), "")
            reference = next((m.reference for m in members_in_order if m.reference), "")
            amount = next((m.amount for m in members_in_order if m.amount.unit), first.amount)
            values.append(Value(analyte, day, amount, first.text, sources, standing, None, flag, reference))
    return sorted(values, key=lambda v: (v.day, v.sources[0].written, v.sources[0].start, v.amount.low))


def _by_unit(members: Sequence[Stated]) -> list[list[Stated]]:
    units = list(dict.fromkeys(m.amount.unit for m in members if m.amount.unit))
    if len(units) < 2:
        return [list(members)]
    return [[m for m in members if m.amount.unit in (unit, *([""] if unit == units[0] else []))] for unit in units]


def _order(one: Stated) -> tuple[bool, bool, str, str, int]:
    """The report of the day itself first, then what was written first."""
    return (not one.is_own, not one.is_report, one.source.written, one.source.doc_id, one.source.start)


def _with_corrections(values: Sequence[Value], found: Sequence[Stated]) -> list[Value]:
    """Marks what was put right: by the number that the correction names, else all older ones of its day."""
    out = list(values)
    for one in (o for o in found if o.corrects):
        for n, value in enumerate(out):
            if value.day == one.day and _same(value.amount, one.amount):
                out[n] = replace(value, standing="correction")
            elif value.day == one.day and _is_put_right(value, one):
                out[n] = replace(value, standing="corrected")
    return out


def _is_put_right(value: Value, by: Stated) -> bool:
    if by.was is not None:
        return _same(value.amount, by.was)
    return all(source.written <= by.source.written for source in value.sources[:1]) and value.standing != "correction"


def _same(one: Amount, other: Amount) -> bool:
    return (one.low, one.high, one.comparator) == (other.low, other.high, other.comparator) and (
        one.unit == other.unit or not one.unit or not other.unit
    )


def _converted(analyte: str, amount: Amount, unit: str) -> Amount | None:
    """The amount in the series' unit, where it was written in another that leads there."""
    if not amount.unit or amount.unit == unit or not unit:
        return None
    have, want = parse_unit(amount.unit), parse_unit(unit)
    ends = [convert(x, have, want, [fold(word) for word in analyte.split()]) for x in (amount.low, amount.high)]
    if ends[0] is None or ends[1] is None:
        return None
    return Amount(ends[0], ends[1], unit, amount.comparator, amount.is_pair)
