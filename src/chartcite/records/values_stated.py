"""What a sentence states of measured things: the patient's own results, each with its day.

A goal, a baseline, a reference range and another person's value are none. What a later note retells belongs to the day
it names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import Measurement, find_names
from chartcite.facts.quantities import Quantity
from chartcite.facts.read import SentenceFacts
from chartcite.facts.readings import Reading
from chartcite.records.days import (
    Day,
    days,
    earlier_day,
    head_day,
    lead_day,
    names_no_day,
    own_day,
    reason_day,
    row_day,
)
from chartcite.records.elsewhen import is_elsewhen, is_no_result, is_of_today, month_named
from chartcite.records.entries import Amount, Flag, Rests, Source
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader
from chartcite.records.refused import is_of_another
from chartcite.records.table_values import TableValue, table_values
from chartcite.records.when.beside import day_beside, leads_alone
from chartcite.records.when.lines import counted_days_of, rests_on
from chartcite.records.when.resolved import Resolved

_LEADER = re.compile(r"\.{4,}")
"""`Calcium ........ 8.5 mg/dL`"""
_STRING = re.compile(
    r"(?:(?<![^\s,;(]))"
    r"(?P<name>[A-Za-z][A-Za-z0-9]{0,9}(?: Ct| Count)?)(?P<aside>\([A-Za-z]{1,5}\))?"
    r"-(?=[<>]?\d+(?:\.\d+)?\*?(?:[\s,;)]|$))"
)
"""`WBC-9.2 RBC-4.31* Plt Ct-221 INR(PT)-1.1`: as laboratory systems print them."""
_SPECIMEN = re.compile(r"\b(?:BLOOD|URINE|SERUM|PLASMA)\s+[A-Z]")
_NO_BLOOD = re.compile(
    r"\b(?:URINE|CSF|STOOL|PLEURAL|ASCITES|JOINT FLUID|OTHER BODY FLUID|CEREBROSPINAL FLUID)\s+(?=[A-Z])(?!.*\bBLOOD\b)"
)
_FEWEST_JOINED = 2
_COLUMN = re.compile(r"[ \t*]*(?:\([HL]\)|[HL])?(?: {2,}|\t\s*|\s*\|\s*)")
_PANEL = re.compile(
    r"\b(?:bmp|cmp|cbc|sma-?\d*|chem(?:istr(?:y|ies))?[- ]?\d*|lytes|electrolytes|labs?)\b", re.IGNORECASE
)
_OTHERS = frozenset(("family", "hypothetical", "absent"))
_CORRECTS = re.compile(
    r"\b(?:amend|(?:correct|revis)ed\s+(?:\w+\s+)?(?:result|report|value|lab)|(?:result|value|report)s?\s+(?:\w+\s+)?"
    r"(?:corrected|revised)|correction\b|\A\W*corrected\s*:|supersed|should (?:read|have (?:been|read))|retifica|"
    r"corrigid[oa]|substitui)",
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
    if line.head:
        found = table_values(line.head, line.text, line.source.written, line.order, facts_of)
        if found is not None:
            yield from (_of_table(one, line) for one in found)
            return
    text = _plain(line.text)
    facts = facts_of(text)
    if names_no_day(text):
        return
    dates = list(days(text, line.source.written, line.order))
    in_columns = _in_columns(text, facts.measurements)
    for one in facts.measurements:
        if not (_is_of_others(one, facts) or one.name in in_columns or _is_of_grid(text, one)):
            yield from _results(text, one, dates, line)
    if not facts.measurements and dates and _CORRECTS.search(text):
        yield from _amended(text, facts, dates[0].iso, line)


def _plain(text: str) -> str:
    """The sentence with blanks for what only joins a name to its number; every character keeps its place."""
    text = _LEADER.sub(lambda dots: " " * len(dots[0]), text)
    if len(_STRING.findall(text)) < _FEWEST_JOINED and not _SPECIMEN.search(text):
        return text
    if _NO_BLOOD.search(text):
        return ""  # what a laboratory's line of another specimen names is no value of the blood
    return _STRING.sub(lambda found: f"{found['name']}{' ' * len(found['aside'] or '')} ", text)


def _in_columns(text: str, measured: Sequence[Measurement]) -> frozenset[str]:
    """What has several results in columns whose head is not known: of which day they are is not told."""
    spans: dict[str, list[tuple[Span, Span]]] = defaultdict(list)
    for one in measured:
        results = [value.quantity.span for value in one.values if value.role == "result"]
        spans[one.name] += [(min(one.span, span) if n == 0 else span, span) for n, span in enumerate(results)]
    return frozenset(
        name
        for name, found in spans.items()
        if any(_COLUMN.fullmatch(text[a.end : b.start]) for (_, a), (b, _) in pairwise(found))
    )


def _is_of_grid(text: str, one: Measurement) -> bool:
    """Whether a pressure without a name is two numbers of a drawn panel: `BMP: 138/4.1 | 102/24`."""
    is_bare = one.name == "blood pressure" and one.values[0].quantity.span == one.span
    return is_bare and _PANEL.search(text) is not None


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
    for value in one.values:
        span = value.quantity.span
        if is_no_result(text, span.start):
            continue
        is_today = value.role == "result" and is_of_today(text, span.end)
        own = line.source.written if is_today else own_day(text, dates, span.end)
        if value.role == "previous" and (own or since) and not corrects:
            yield _stated(line, one, value, own or since, is_own=False)
        if value.role != "result" or _is_range(value.quantity):
            continue
        lead = lead_day(text, dates, span.start)
        between = next((d.iso for d in dates if one.span.end <= d.start and d.end <= span.start), "")
        named = own or between or lead or month_named(text, span.start, span.end, line.source.written)
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
        named = named or ((dates[0].iso if dates else line.put_right) if corrects else "")
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


def _of_table(one: TableValue, line: Line) -> Stated:
    day = min(one.day or line.labs_day or line.day, line.day if not one.day else one.day)
    return Stated(
        one.analyte.name, day, _amount(one.value), one.text, line.source, True, line.is_report, flag=one.value.flag,
        reference=one.reference,
    )  # fmt: skip


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
