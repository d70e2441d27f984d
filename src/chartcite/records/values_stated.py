"""What a sentence states of measured things: the patient's own results, each with its day.

A goal, a baseline, a reference range and another person's value are none. What a later note retells belongs to the day
it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import Measurement, find_names
from chartcite.facts.quantities import Quantity
from chartcite.facts.read import SentenceFacts
from chartcite.facts.readings import Reading
from chartcite.records.days import Day, days, earlier_day, head_day, names_no_day, own_day, reason_day, row_day
from chartcite.records.elsewhen import is_elsewhen, is_no_result, is_of_today, month_named
from chartcite.records.entries import Amount, Flag, Rests, Source
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader
from chartcite.records.refused import is_of_another
from chartcite.records.when.beside import day_beside, leads_alone
from chartcite.records.when.lines import counted_days_of, rests_on
from chartcite.records.when.resolved import Resolved

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
_COPIED = re.compile(
    r"\b(?:copied (?:forward|from)|carried forward|copiado d[eoa]|per (?:prior|previous) note)\b", re.IGNORECASE
)


_DISCHARGE = re.compile(r"discharge|\balta\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stated:
    """One value of one sentence. `is_own`: the sentence is of that day, and not a later note's.

    Without a `day` it is counted from an event that its document does not state; another of the same stay may.
    """

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
    rests: Rests | None = None


def stated(line: Line, facts_of: FactsReader) -> Iterator[Stated]:
    """The patient's own results in a sentence, each with its day."""
    if not line.day or not any(c.isdigit() for c in line.text):
        return
    if (
        is_of_another(line.text)
        or _COPIED.search(line.text)
        or (_WRONG.search(line.text) and not _CORRECTS.search(line.text))
    ):
        return
    text = _LEADER.sub(lambda dots: " " * len(dots[0]), line.text)
    facts = facts_of(text)
    if names_no_day(text):
        return
    dates = list(days(text, line.source.written, line.order))
    for one in facts.measurements:
        if not _is_of_others(one, facts):
            yield from _results(text, one, dates, line)
    if not facts.measurements and dates and _CORRECTS.search(text):
        yield from _amended(text, facts, dates[0].iso, line)


def _amended(text: str, facts: SentenceFacts, day: str, line: Line) -> Iterator[Stated]:
    """`Potassium for the 26 Oct 2013 specimen has been amended from 5.2 mEq/L to 4.0 mEq/L`."""
    names = [n.values[0] for n in find_names(read_line(text))]
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
    counted = counted_days_of(text, line)
    columns = [v for v in one.values if v.role == "result"]
    in_columns = dict(zip(map(id, columns), line.columns, strict=True)) if len(columns) == len(line.columns) else {}
    for value in one.values:
        span = value.quantity.span
        if (line.columns and not in_columns) or is_no_result(text, span.start):
            continue
        if id(value) in in_columns:
            yield replace(_stated(line, one, value, in_columns[id(value)], is_own=True), reference=reference)
            continue
        is_today = value.role == "result" and is_of_today(text, span.end)
        own = line.source.written if is_today else own_day(text, dates, span.end)
        if value.role == "previous" and (own or since) and not corrects:
            yield _stated(line, one, value, own or since, is_own=False)
        if value.role != "result" or _is_range(value.quantity):
            continue
        between = next((d.iso for d in dates if one.span.end <= d.start and d.end <= span.start), "")
        named = own or between or month_named(text, span.start, span.end, line.source.written)
        rests = None
        if not named and (beside := _day_beside(text, value, counted, line)):
            if beside.day is None:
                continue
            named, rests = beside.day, beside.rests
        if rests and not named:
            yield replace(
                _stated(line, one, value, "", is_own=False), reference=reference, flag=value.flag, rests=rests
            )
            continue
        named = named or head or row_day(text, dates) or reason_day(text, dates, one.span.start)
        named = named or (dates[0].iso if corrects and dates else "")
        day = min(named, line.source.written) if named else min(line.labs_day or line.day, line.day)
        is_own = day == line.day and (not named or named >= line.day)
        found = _stated(line, one, value, day, is_own=is_own)
        was = _amount(before) if corrects and before else None
        yield replace(found, corrects=corrects, was=was, flag=value.flag, reference=reference, rests=rests)


class _Beside(NamedTuple):
    """`day`: empty where it waits for the event's day, None where nobody knows it."""

    day: str | None
    rests: Rests | None = None


def _day_beside(text: str, value: Reading, days: Sequence[Resolved], line: Line) -> _Beside | None:
    """The day that the words around a number count from another; None where they say nothing of a day."""
    span = value.quantity.span
    is_other = is_elsewhen(text, span.start, span.end)
    beside = day_beside(text, span.start, span.end, days)
    if beside is None or (beside.basis == "document" and not is_other):
        return _Beside(None) if is_other else None
    if beside.day:
        return _Beside(beside.day, rests_on(beside, text, line.events))
    if beside.reason == "no_event_day" and beside.offset is not None:
        is_its_own = beside.basis == "discharge" and _DISCHARGE.search(line.source.note_type)
        if leads_alone(text, beside) or (is_its_own and not is_other):
            return None
        return _Beside("", rests_on(beside, text, line.events))
    return None if not is_other and leads_alone(text, beside) else _Beside(None)


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
