"""Answers about stays in hospital and operations: how long, how many, and which of two events was earlier."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartcite.cascade.over_time.asked import OverTime
from chartcite.cascade.over_time.drugs import days_between
from chartcite.cascade.over_time.events import OPERATIONS, Event, event_of, telling
from chartcite.cascade.over_time.told import Point, Record, Sentence, Told, computed, quote
from chartcite.cascade.over_time.values import period_of
from chartcite.cascade.over_time.wording import Cited, bare, counted, phrase, say
from chartcite.core.unseen import seen
from chartcite.records.days import date_order, days
from chartcite.records.encounters import Encounter, encounters
from chartcite.records.entries import Source
from chartcite.records.sources import source_at

_HEAD_CHARS = 700
_SPAN = re.compile(r"\b(?:hospital|admi|discharg|stay|interna|alta|until|hospitali)", re.IGNORECASE)
_LEAVES = re.compile(r"\b(?:discharged?|discharge date|date of discharge|alta|went home)\b", re.IGNORECASE)


def stay(asked: OverTime, record: Record) -> Told | None:
    """How long the stay was that began on a day, or was for something; None where it cannot be told which."""
    stays = [e for e in encounters(record.reader.documents()) if e.kind == "stay"]
    if asked.days:
        right = [e for e in stays if e.first == asked.days[0]]
    elif not asked.events:
        right = stays  # `how long was he in hospital`, of the only stay
    else:
        event = event_of(asked.events[0][0], record.reader, record.analyse)
        right = [e for e in stays if event is not None and e.first == event.first and e.last == event.last]
    if len(right) != 1:
        return None
    ends = _ends(right[0], record)
    if ends is None:
        return None
    begin, end = ends
    length = days_between(begin.day, end.day)
    said = say(
        record.lang, "stay", a=Cited(begin.day, begin.sources), b=Cited(end.day, end.sources),
        days=counted(record.lang, "day", length),
    )  # fmt: skip
    points = [begin, end]
    return Told((computed("duration", said, "stay", points, days=length, of="stay"),))


def _ends(one: Encounter, record: Record) -> tuple[Point, Point] | None:
    """The begin and the end of a stay with the sentences of its own notes that tell them; None where none does.

    Notes of a stay go on behind it (a late result), so its end is what a sentence says that names both days, else the
    day of a discharge note that says so of itself.
    """
    found = list(_dated(one, record))
    for source, named in found:
        later = sorted(day for day in named if one.first < day <= one.last)
        if one.first in named and len(later) == 1 and _SPAN.search(source.quote):
            return Point("begin", one.first, (source,)), Point("end", later[0], (source,))
    first = next((source for source, named in reversed(found) if one.first in named), None)
    last = next((s for s, named in found if _LEAVES.search(s.quote) and (not named or named == {s.written})), None)
    if first is None or last is None:
        return None
    return Point("begin", one.first, (first,)), Point("end", last.written, (last,))


def _dated(one: Encounter, record: Record) -> Iterator[tuple[Source, frozenset[str]]]:
    """The sentences of a stay's notes, the last note first, with the days that each names."""
    documents = {info.doc_id: info for info in record.reader.documents()}
    for doc_id in reversed(one.doc_ids):
        info = documents[doc_id]
        document = record.reader.document(info.key)
        written = info.time.date if info.time else ""
        order = date_order(seen(document.text), written, document.lang)
        for s in record.reader.sentences(info.key):
            named = frozenset(day.iso for day in days(seen(document.text[s.start : s.end]), written, order))
            yield source_at(info, s.n, s.start, s.end, document.text), named


def stays(asked: OverTime, record: Record) -> Told | None:
    """How many stays there were, each with its days; None where one of them has no sentence to cite."""
    found = [e for e in encounters(record.reader.documents()) if e.kind == "stay" and _is_in(asked, e.first)]
    listed: list[Cited] = []
    points: list[Point] = []
    for one in found:
        ends = _ends(one, record)
        if ends is None:
            return None
        begin, end = ends
        sources = tuple(dict.fromkeys((*begin.sources, *end.sources)))
        listed.append(Cited(phrase(record.lang, "stretch", first=begin.day, last=end.day), sources))
        points.append(Point(end.day, begin.day, sources))
    if not listed:
        return None
    times = counted(record.lang, "time", len(listed))
    said = say(record.lang, "stays", times=times, period=period_of(asked, record), list=listed)
    record.fallback("counted_as_the_record_has_it", 1)
    return Told((computed("count", said, "stay", points, times=len(listed), of="stays"),))


def _is_in(asked: OverTime, day: str) -> bool:
    return day.startswith(asked.period) and (not asked.days or asked.days[0] <= day <= asked.days[1])


def procedures(asked: OverTime, record: Record) -> Told | None:
    """How often something was done that has notes of its own, by days; None where no note is of it."""
    name = bare(record.lang, asked.events[0][0])
    wanted = set(record.analyse(name))
    by_day: dict[str, Source] = {}
    for info in record.reader.documents():
        if info.time is None or not OPERATIONS.search(f"{info.note_type} {info.title}") or not wanted:
            continue
        text = record.reader.document(info.key).text
        if wanted <= set(record.analyse(f"{info.title}\n{text[:_HEAD_CHARS]}")):
            source = telling(info, wanted, record.reader, record.analyse)
            if source is not None and _is_in(asked, info.time.date):
                by_day.setdefault(info.time.date, source)
    if not by_day:
        return None
    points = [Point("", day, (source,)) for day, source in sorted(by_day.items())]
    said = say(
        record.lang, "procedures", name=name, times=counted(record.lang, "time", len(points)),
        period=period_of(asked, record), list=[Cited(p.day, p.sources) for p in points],
    )  # fmt: skip
    record.fallback("counted_as_the_record_has_it", 1)
    return Told((computed("count", said, name, points, times=len(points), of="procedures"),))


def order(asked: OverTime, record: Record) -> Told | None:
    """Which of two events came first; None where one is not known, or the words can be read as two pairs."""
    found: list[tuple[tuple[str, Event], tuple[str, Event]]] = []
    for one, other in asked.events:
        a, b = (event_of(words, record.reader, record.analyse) for words in (one, other))
        if a is not None and b is not None and a.source is not None and b.source is not None:
            found.append(((one, a), (other, b)))
    if len(found) != 1:
        return None
    (_, a), (_, b) = pair = found[0]
    form = "order" if a.first != b.first else "same_day"
    first, second = sorted(pair, key=lambda named: named[1].first)
    also = quote(*a.sources[1:], *b.sources[1:])
    return Told((_ordered(form, first, second, record), *also))


def _ordered(form: str, first: tuple[str, Event], second: tuple[str, Event], record: Record) -> Sentence:
    points = [Point(words, event.first, (event.source,)) for words, event in (first, second) if event.source]
    cited = [Cited(phrase(record.lang, "event", name=p.value, day=p.day), p.sources) for p in points]
    said = say(record.lang, form, a=cited[0], b=cited[1])
    return computed("order", said, "", points, of=form)
