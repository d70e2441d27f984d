"""Answers about the lowest and the highest value: only where every number of the record can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from chartcite.cascade.over_time.asked import OverTime
from chartcite.cascade.over_time.marked import Named
from chartcite.cascade.over_time.measured import point_of
from chartcite.cascade.over_time.told import Record, Sentence, Told, computed, quote, silent
from chartcite.cascade.over_time.unread import mentions
from chartcite.cascade.over_time.wording import at_day, bare, say
from chartcite.records.entries import Source, Value
from chartcite.records.timeline import read_values
from chartcite.records.topic import Topic

_WHOLE_DAY = len("2019-01-10")
_FAR = 3
"""A number without a unit that lies so many times beyond those with one may be of another unit."""
_MOST = 2
_Number = tuple[Fraction, str, Value]
"""In the unit of the series, its day, and what it is of."""


def extreme(asked: OverTime, record: Record) -> Told | None:
    """The lowest and the highest value, whichever is asked for; None where some number cannot be compared.

    A number beyond it that has no day of its own (`nadir 6.9 in the outside hospital`) is quoted beside it, and then
    nothing is called the lowest.
    """
    thing = asked.things[0]
    found = [one for one in read_values(record.reader, Topic(thing.of)) if any(v.counts for v in one.values)]
    if len(found) != 1:  # of two kinds of one name it is not known which
        return None
    start, end = asked.days[0] if asked.days else "", asked.days[1] if len(asked.days) > 1 else record.today
    kept = [v for v in found[0].values if v.counts]
    known = [v for v in kept if len(v.day) == _WHOLE_DAY and start <= v.day <= end and v.day.startswith(asked.period)]
    if not known:
        return silent() if asked.days or asked.period else None
    numbers = _comparable(known, found[0].unit)
    return _of_numbers(numbers, kept, asked, record) if numbers else None


def _of_numbers(numbers: Sequence[_Number], kept: Sequence[Value], asked: OverTime, record: Record) -> Told | None:
    low, high = numbers[0], next(n for n in numbers if n[0] == numbers[-1][0])
    right = low if asked.side == "below" else high
    if _may_be_of_another_unit(right, numbers):
        return None
    record.fallback("counted_as_the_record_has_it", 1)
    thing = asked.things[0]
    name = bare(record.lang, thing.text)
    beyond = [*_of_no_day(kept, right[0], asked), *_unread(thing, kept, right[0], asked, record)]
    if beyond:
        record.fallback("number_beyond_without_a_day", len(beyond))
        return Told((_value(name, right[2], record), *quote(*beyond[-_MOST:])))
    if low[0] == high[0]:
        return Told((_value(name, right[2], record),))
    return Told((_range(name, low[2], high[2], len(numbers), record),))


def _comparable(known: Sequence[Value], unit: str) -> list[_Number] | None:
    """The values as numbers of one unit, oldest first; None where one is a pressure, or cannot be converted."""
    found = []
    for value in known:
        amount = value.converted or value.amount
        if amount.is_pair or amount.low != amount.high or amount.unit not in ("", unit) or amount.comparator:
            return None
        found.append((amount.low, value.day, value))
    return sorted(found, key=lambda n: (n[0], n[1], n[2].sources[0].doc_id, n[2].sources[0].start))


def _may_be_of_another_unit(right: _Number, numbers: Sequence[_Number]) -> bool:
    """Whether a number without a unit lies far beyond all that have one: `WBC 8.1` beside `9500 /uL`."""
    others = [number for number, _, value in numbers if value.amount.unit]
    if right[2].amount.unit or not others:
        return False
    return right[0] * _FAR < min(others) or right[0] > _FAR * max(others)


def _of_no_day(kept: Sequence[Value], right: Fraction, asked: OverTime) -> list[Source]:
    """What states a lower or higher value of a month or a year alone."""
    parts = [v for v in kept if len(v.day) != _WHOLE_DAY and _is_beyond((v.converted or v.amount).low, right, asked)]
    return [v.sources[0] for v in parts if not asked.period or not v.day or v.day[:4] == asked.period[:4]]


def _unread(thing: Named, read: Sequence[Value], right: Fraction, asked: OverTime, record: Record) -> list[Source]:
    """The sentences with a lower or higher number that is no value of the timeline, of whatever day."""
    start = asked.days[0] if asked.days else asked.period
    found = mentions(thing, read, record, lambda day: not day or day >= start)
    return [one.source for one in found if _is_beyond(one.low if asked.side == "below" else one.high, right, asked)]


def _is_beyond(number: Fraction, right: Fraction, asked: OverTime) -> bool:
    return number < right if asked.side == "below" else number > right


def _value(name: str, value: Value, record: Record) -> Sentence:
    point = point_of(value)
    cited = at_day(record.lang, point.value, point.day, point.sources)
    return computed("value", say(record.lang, "value", name=name, a=cited), name, [point])


def _range(name: str, low: Value, high: Value, values: int, record: Record) -> Sentence:
    points = [point_of(low), point_of(high)]
    ends = [at_day(record.lang, p.value, p.day, p.sources) for p in points]
    return computed("range", say(record.lang, "range", name=name, a=ends[0], b=ends[1]), name, points, values=values)
