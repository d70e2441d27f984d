"""Numbers of a measured thing that the timeline does not count: no single number, or of a day that nobody names.

Beside such a number in a later note nothing is the latest value, and beside a lower one nothing is the lowest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chartcite.cascade.over_time.asked import OverTime
from chartcite.cascade.over_time.marked import Named
from chartcite.cascade.over_time.told import Record
from chartcite.core.documents import Span
from chartcite.core.unseen import seen
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import find_names
from chartcite.records.entries import Source, Value
from chartcite.records.reading import FactsReader
from chartcite.records.refused import is_of_another
from chartcite.records.sources import source_at
from chartcite.records.timeline import read_values
from chartcite.records.topic import Topic, values_sieve

_NO_RESULT = (
    r"goals?|target|aim|limit|keep|until|unless|if|when|should|would|re-?check|repeat|order\w*|pending|baseline|b/l|"
    r"normal|range|reference|expected|dry|birth|copied|error|meta|alvo|at[ée]|se|quando|pedir|solicit\w+|basal|seco|"
    r"habitual"
)
_PAST = (
    r"was|were|last|prior|previous\w*|ago|earlier|since|admission|pr[ée]vi[oa]|[úu]ltim[oa]|era|anterior\w*|"
    r"passad[oa]|atr[áa]s|peak(?:ed)?|nadir|lowest|highest|pico"
)
_AIM = re.compile(rf"\b(?:{_NO_RESULT})\b|[<>≤≥]", re.IGNORECASE)
_TOLD_OF = re.compile(rf"\b(?:{_PAST})\b", re.IGNORECASE)
_NUMBER = re.compile(r"[^;.\d]{0,16}\d")
_GAP = re.compile(r"[^;.\d]{0,30}")
_MOST = 2
"""So many mentions are shown, the newest."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A number that stands behind a thing's name in a sentence that states no value of the timeline."""

    low: Fraction
    high: Fraction
    source: Source


def is_unread_beyond(thing: Named, asked: OverTime, values: Sequence[Value], record: Record) -> bool:
    """Whether there is a number after the latest value, or before the first, that is no value of a known day.

    `EF 30-35%` is no single number, `55 % in 2018` has no day. A note without a day may be the latest: of those the
    reader is told.
    """
    known = [v.day for v in values if v.day.startswith(asked.period)]
    if not known:
        return False
    end = max(known) if asked.at == "latest" else min(known)
    read = _read(thing, record)
    if any(v.counts and _is_beyond(v.day, end, asked) for v in read):
        return True
    undated = 0
    for source in _unread(thing, read, record, lambda day: not day or _is_beyond(day, end, asked)):
        if not _has_number(source.quote, thing):
            continue
        if source.written:
            return True
        undated += 1
    if undated:
        record.fallback("undated_among_them", undated)
    return False


def later_mentions(thing: Named, asked: OverTime, values: Sequence[Value], record: Record) -> tuple[Source, ...]:
    """The newest sentences after the latest value that have another number of it, of a day that they do not name.

    `Sodium last week 138`: it may be later than the last value with a day. A number that the timeline has anyway is
    retold, and none.
    """
    until = asked.days[0] if asked.days else record.today
    known = [v.day for v in values if v.day.startswith(asked.period) and v.day <= until]
    if not known:
        return ()
    end, read = max(known), _read(thing, record)
    numbers = {number for v in read for number in (v.amount.low, v.amount.high)}
    found = [
        one.source
        for one in mentions(thing, read, record, lambda day: end < day <= until and day.startswith(asked.period))
        if one.low not in numbers and one.low == one.high and _TOLD_OF.search(one.source.quote)
    ]
    if found:
        record.fallback("later_mention_without_a_day", len(found))
    return tuple(reversed(found[-_MOST:]))


def mentions(thing: Named, read: Sequence[Value], record: Record, is_of: Callable[[str], bool]) -> Iterator[Mention]:
    """The numbers behind a thing's name in the sentences that `read` has no value of; the oldest note first.

    Args:
        thing: what was measured.
        read: its values.
        record: whose.
        is_of: only notes of these days (empty without one).
    """
    for source in _unread(thing, read, record, is_of):
        text = source.quote
        if _AIM.search(text) or is_of_another(text):
            continue
        line, others = read_line(text), _of_others(text)
        for name in find_names(line):
            if not thing.of & {value.name for value in name.values} or any(overlap(name.span, o) for o in others):
                continue
            values = (q for q in line.quantities if q.kind == "value" and not q.is_word)
            behind = [q for q in values if q.span.start >= name.span.end]
            if behind and _GAP.fullmatch(text, name.span.end, behind[0].span.start):
                yield Mention(behind[0].low, behind[0].high, source)


def _of_others(text: str) -> list[Span]:
    """What a sentence says of relatives, or only supposes."""
    return [one.span for one in FactsReader()(text).standings if {"family", "hypothetical"} & set(one.names)]


def _read(thing: Named, record: Record) -> list[Value]:
    return [v for one in read_values(record.reader, Topic(thing.of)) for v in one.values]


def _unread(thing: Named, read: Sequence[Value], record: Record, is_of: Callable[[str], bool]) -> Iterator[Source]:
    """The sentences with its name that no value comes from, or that have another number beside one."""
    told = {(s.doc_id, s.start) for value in read for s in value.sources if not _says_more(value, s)}
    sieve = values_sieve(thing.of)
    for info in record.reader.documents():
        if not is_of(info.time.date if info.time else ""):
            continue
        text = record.reader.document(info.key).text
        if not sieve.lets_through(seen(text)):
            continue
        for s in record.reader.sentences(info.key):
            if (info.doc_id, s.start) not in told and sieve.lets_through(seen(text[s.start : s.end])):
                yield source_at(info, s.n, s.start, s.end, text)


def _says_more(value: Value, source: Source) -> bool:
    """Whether a sentence with a value of a counted day has another number: `1.8 yesterday, 1.6 today`."""
    if value.rests is None:
        return False
    left = source.quote.replace(value.text, " ", 1).replace(value.rests.said, " ", 1)
    return any(char.isdigit() for char in left)


def _is_beyond(day: str, end: str, asked: OverTime) -> bool:
    """Whether a day, a month or a year is after the latest day, or before the first, and of the time asked about."""
    is_beyond = day > end[: len(day)] if asked.at == "latest" else day < end[: len(day)]
    return is_beyond and day.startswith(asked.period)


def _has_number(text: str, thing: Named) -> bool:
    """Whether a number stands right behind a thing's name, in a sentence of the patient that names no aim or past."""
    if _AIM.search(text) or _TOLD_OF.search(text) or is_of_another(text):
        return False
    names = [found for found in find_names(read_line(text)) if thing.of & {value.name for value in found.values}]
    return any(_NUMBER.match(text, found.span.end) for found in names)
