"""Answers about what was measured: the value of a time, a change, a trend, the days beyond a limit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from chartcite.cascade.over_time.asked import OverTime
from chartcite.cascade.over_time.events import event_of
from chartcite.cascade.over_time.marked import Named
from chartcite.cascade.over_time.measured import difference, limit_of, point_of, units_differ
from chartcite.cascade.over_time.told import Point, Record, Sentence, Told, computed, quote, silent
from chartcite.cascade.over_time.unread import is_unread_beyond, later_mentions
from chartcite.cascade.over_time.wording import Cited, at_day, bare, counted, phrase, say
from chartcite.core.unseen import seen
from chartcite.facts.analytes import convert
from chartcite.facts.tokens import fold
from chartcite.facts.units import parse_unit
from chartcite.records.entries import Source, Value
from chartcite.records.timeline import read_values
from chartcite.records.topic import Topic, values_sieve

_PRE = re.compile(
    r"\b(?:pre-?\s?op|before (?:the )?(?:surgery|operation|procedure|incision)|pr[ée]-?oper)", re.IGNORECASE
)
_POST = re.compile(r"\b(?:post-?\s?op|after (?:the )?(?:surgery|operation|procedure)|p[óo]s-?oper)", re.IGNORECASE)


def about_values(asked: OverTime, record: Record) -> Told | None:
    """The answer to a question about measured things; None where the record has none of one of them."""
    told = []
    for thing in asked.things:
        values = _values_of(thing, record)
        if asked.at == "on" and not any(v.day == asked.days[0] for v in values) and _is_named_on(thing, asked, record):
            return None
        if asked.at in ("latest", "first") and not asked.days and is_unread_beyond(thing, asked, values, record):
            return None
        later = later_mentions(thing, asked, values, record) if asked.at == "latest" else ()
        one = _of_one(asked, bare(record.lang, thing.text), values, record, later) if values else None
        if one is None:
            return None
        told.append(one)
    if any(one.is_silent for one in told):
        return silent(*(source for one in told for sentence in one.sentences for source in sentence.sources))
    return Told(tuple(sentence for one in told for sentence in one.sentences))


def _is_named_on(thing: Named, asked: OverTime, record: Record) -> bool:
    """Whether a note of the day has a number for it that the timeline does not count: put right, or not understood."""
    sieve = values_sieve(thing.of)
    for info in record.reader.documents():
        if info.time is None or info.time.date != asked.days[0]:
            continue
        text = record.reader.document(info.key).text
        said = (seen(text[s.start : s.end]) for s in record.reader.sentences(info.key))
        if any(sieve.lets_through(one) and any(c.isdigit() for c in one) for one in said):
            return True
    return False


def _of_one(
    asked: OverTime, name: str, values: Sequence[Value], record: Record, later: tuple[Source, ...]
) -> Told | None:
    if asked.kind == "change":
        return _change(asked, name, values, record)
    if asked.kind == "trend":
        return _trend(asked, name, values, record)
    if asked.kind == "beyond":
        return _beyond(asked, name, values, record)
    if asked.at in ("before", "after"):
        return _beside(asked, name, values, record)
    return _at(asked, name, values, record, later)


def _values_of(thing: Named, record: Record) -> list[Value]:
    """What counts of a thing, oldest first; only what has a whole day."""
    series = read_values(record.reader, Topic(thing.of))
    return [value for one in series for value in one.values if value.counts and len(value.day) == len("2019-01-10")]


def _at(asked: OverTime, name: str, values: Sequence[Value], record: Record, later: tuple[Source, ...]) -> Told | None:
    """The latest, the first, or that of a day. Beside what a later note says without a day nothing is the latest."""
    until = asked.days[0] if asked.days else record.today
    known = [v for v in values if v.day.startswith(asked.period) and v.day <= until]
    if asked.at == "on":
        known = [v for v in known if v.day == until]
    if not known:
        return silent(*_nearest(values, until if not asked.period else asked.period))
    pick = min if asked.at == "first" else max
    form = (
        {"latest": "latest", "first": "first"}.get(asked.at, "value")
        if not (asked.days or asked.period or later)
        else "value"
    )
    return Told((*_stated(form, name, _on(known, pick(v.day for v in known)), record), *quote(*later)))


def _nearest(values: Sequence[Value], day: str) -> Iterable[Source]:
    """What states the last value before a day and the first after it."""
    before, after = [v for v in values if v.day < day], [v for v in values if v.day > day]
    for value in (*before[-1:], *after[:1]):
        yield value.sources[0]


def _on(values: Sequence[Value], day: str) -> list[Value]:
    """The values of a day; the same one in another unit is there once."""
    kept: list[Value] = []
    for value in (v for v in values if v.day == day):
        if not any(_is_same(value, other) for other in kept):
            kept.append(value)
    return kept


def _is_same(one: Value, other: Value) -> bool:
    if units_differ(one, other) or one.amount.unit == other.amount.unit:
        return False
    found = difference("en", one, other)
    return found is None and not one.amount.is_pair and not one.amount.comparator


def _stated(form: str, name: str, values: Sequence[Value], record: Record) -> tuple[Sentence, ...]:
    """A sentence for each value of a day: of two that differ both are shown."""
    if len(values) > 1:
        record.fallback("several_values_of_one_day", len(values))
    if any(value.standing == "correction" for value in values):
        record.fallback("correction_found", 1)
    return tuple(_sentence(form, name, value, record) for value in values)


def _sentence(form: str, name: str, value: Value, record: Record) -> Sentence:
    point = point_of(value)
    return computed("value", say(record.lang, form, name=name, a=_cited(point, record)), name, [point])


def _cited(point: Point, record: Record) -> Cited:
    return at_day(record.lang, point.value, point.day, point.sources)


def _beside(asked: OverTime, name: str, values: Sequence[Value], record: Record) -> Told | None:
    """The last before a day or an event, the first after it; what is of the event's own day is said besides."""
    telling: tuple[Source, ...] = ()
    if asked.days:
        first = last = asked.days[0]
    else:
        event = event_of(asked.events[0][0], record.reader, record.analyse)
        if event is None:
            return None
        first, last, telling = event.first, event.last, event.sources
    own = [] if asked.days else [v for v in values if first <= v.day <= last]
    if asked.at == "before":
        days = [v.day for v in values if v.day < first or (v.day == first and _is_told(_PRE, v, own))]
        day = max(days, default="")
    else:
        days = [v.day for v in values if v.day > last or (v.day == last and _is_told(_POST, v, own))]
        day = min(days, default="")
    if not day:
        return silent(*telling, *_nearest(values, first))
    right = [v for v in _on(values, day) if v not in own or _is_told(_PRE if asked.at == "before" else _POST, v, own)]
    same = [v for v in own if v not in right and v.day == (first if asked.at == "before" else last)]
    if same:
        record.fallback("values_of_the_day_itself", len(same))
    return Told((*_stated("value", name, right, record), *quote(*telling)))


def _is_told(side: re.Pattern[str], value: Value, own: Sequence[Value]) -> bool:
    """Whether the note's words put a value of the event's own day on a side of it."""
    return value in own and bool(side.search(value.sources[0].quote))


def _change(asked: OverTime, name: str, values: Sequence[Value], record: Record) -> Told | None:
    ends = [_on(values, day) for day in asked.days]
    if not all(ends):
        return silent(*(v.sources[0] for end in ends for v in end))
    if any(len(end) > 1 for end in ends):
        return Told(tuple(s for end in ends for s in _stated("value", name, end, record)))
    return Told(_from_to(name, ends[0][0], ends[1][0], record))


def _from_to(name: str, one: Value, other: Value, record: Record) -> tuple[Sentence, ...]:
    """The change in a sentence; both values where it cannot be computed, with the reason if units are it."""
    found = difference(record.lang, one, other)
    if found is None:
        if units_differ(one, other):
            record.fallback("units_cannot_be_compared", 1)
        return _sentence("value", name, one, record), _sentence("value", name, other, record)
    form = {1: "rose", -1: "fell", 0: "same"}[found.sign]
    wording = f"{form}_converted" if found.is_converted and found.sign else form
    said = say(record.lang, wording, name=name, a=found.first, b=found.second, delta=found.text)
    if found.is_converted:
        record.fallback("units_were_converted", 1)
    result = {"direction": form, "delta": found.text, "converted": found.is_converted}
    return (computed("change", said, name, [point_of(one), point_of(other)], **result),)


def _trend(asked: OverTime, name: str, values: Sequence[Value], record: Record) -> Told | None:
    start = asked.days[0] if asked.days else ""
    end = asked.days[1] if len(asked.days) > 1 else record.today
    known = [v for v in values if start <= v.day <= end and v.day.startswith(asked.period)]
    days = sorted({v.day for v in known})
    if len(days) < 2:
        return silent(*(v.sources[0] for v in known)) if asked.days or asked.period else None
    first, last = _on(known, days[0]), _on(known, days[-1])
    if len(first) > 1 or len(last) > 1:
        return Told((*_stated("value", name, first, record), *_stated("value", name, last, record)))
    return Told((*_from_to(name, first[0], last[0], record), *_range(name, known, record)))


def _range(name: str, known: Sequence[Value], record: Record) -> tuple[Sentence, ...]:
    """The lowest and the highest of more than two values of one unit."""
    low = min(known, key=lambda v: (v.amount.low, v.day))
    high = max(known, key=lambda v: (v.amount.low, v.day))
    units = {v.amount.unit for v in known}
    plain = all(v.amount.low == v.amount.high and not v.amount.comparator and not v.amount.is_pair for v in known)
    if len(known) < 3 or len(units) > 1 or not plain or low.amount.low == high.amount.low:
        return ()
    points = [point_of(low), point_of(high)]
    said = say(
        record.lang, "range", name=name,
        a=_cited(points[0], record), b=_cited(points[1], record),
    )  # fmt: skip
    return (computed("range", said, name, points, values=len(known)),)


def _beyond(asked: OverTime, name: str, values: Sequence[Value], record: Record) -> Told | None:
    """The days above or below a limit, each with its value."""
    limit = limit_of(asked)
    if limit is None:
        return None
    start, end = (asked.days[0], asked.days[1]) if asked.days else ("", record.today)
    known = [v for v in values if start <= v.day <= end and v.day.startswith(asked.period)]
    numbers = [_in_unit(v, limit.unit) for v in known]
    if not known or any(n is None for n in numbers):
        return None
    right = [v for v, n in zip(known, numbers, strict=True) if n is not None and limit.is_passed(n)]
    days = sorted({v.day for v in right})
    if not right:
        return None
    if len(days) < len(right):
        record.fallback("several_values_of_one_day", len(right) - len(days))
    points = [point_of(v) for v in right]
    said = say(
        record.lang, limit.form, name=name, limit=limit.text, days=counted(record.lang, "day", len(days)),
        period=period_of(asked, record), list=[_cited(p, record) for p in points],
    )  # fmt: skip
    return Told((computed("count", said, name, points, days=len(days), limit=limit.text, side=asked.side),))


def period_of(asked: OverTime, record: Record) -> str:
    """` in 2013`, ` from 2013-01-01 to 2013-02-01`, or nothing."""
    if asked.period:
        return phrase(record.lang, "in_period", period=asked.period)
    if len(asked.days) == 2:
        return phrase(record.lang, "between_days", first=asked.days[0], last=asked.days[1])
    return ""


def _in_unit(value: Value, unit: str) -> Fraction | None:
    """The number in a limit's unit; a number or a limit without a unit is taken as it stands."""
    amount = value.amount
    if amount.is_pair or amount.low != amount.high:
        return None
    if not unit or not amount.unit or unit == amount.unit:
        return amount.low
    return convert(amount.low, parse_unit(amount.unit), parse_unit(unit), [fold(w) for w in value.analyte.split()])
