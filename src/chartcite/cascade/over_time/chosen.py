"""Evidence from the timeline: the sentences that state the values or doses which a question about time wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from chartcite.cascade.over_time.asked import OverTime, over_time
from chartcite.cascade.over_time.events import event_of
from chartcite.cascade.statements import Wanted
from chartcite.core.answer import Evidence
from chartcite.records.entries import Source, Value
from chartcite.records.timeline import listed_without_dose, read_doses, read_values
from chartcite.records.topic import EVERYTHING, Topic
from chartcite.retrieval.candidates import Bookshelf
from chartcite.store.reader import PartitionReader

Fallback = Callable[[str, int], None]
SPOKEN_OF_DAYS = 400
COURSE_DAYS = 30
_FOR_A_TIME = re.compile(
    r"\b(?:until|to complete|for (?:a total of )?\w+ (?:more )?(?:days?|weeks?)|x ?\d+ ?(?:days?|weeks?)|days? course|"
    r"at[ée]|por \w+ (?:dias?|semanas?))\b",
    re.IGNORECASE,
)
Analyse = Callable[[str], Sequence[str]]


def from_timeline(
    query: str, want: Wanted, reader: PartitionReader, shelf: Bookshelf, analyse: Analyse, fallback: Fallback
) -> list[Evidence]:
    """The same as evidence of the highest grade."""
    return [_evidence(source, shelf) for source in stating(query, want, reader, analyse, fallback)]


def _silent(name: str, count: int) -> None:
    """For who need not be told."""


def stating(
    query: str, want: Wanted, reader: PartitionReader, analyse: Analyse, fallback: Fallback = _silent
) -> list[Source]:
    """The sentences for a question that the timeline answers; empty for any other, or where it cannot.

    Args:
        query: the question.
        want: what a value or dose is wanted of.
        reader: of a patient, as of the question's date.
        analyse: text to index terms, by which an event's words are found.
        fallback: told how many medicines nobody has spoken of for so long that they are not called taken.
    """
    documents = reader.documents()
    today = next((d.time.date for d in reversed(documents) if d.time), "")
    asked = over_time(query, want, today) if today else None
    if asked is None:
        return []
    if asked.kind == "medicines":
        return list(dict.fromkeys(_medicines(asked, reader, today, fallback)))
    return list(dict.fromkeys(_values(asked, want, reader, analyse)))


def _medicines(asked: OverTime, reader: PartitionReader, today: str, fallback: Fallback) -> Iterator[Source]:
    """Of each drug taken on the day, the last sentence that states its dose.

    What nobody has spoken of for a year, or was to be taken for some days only, is not called taken.
    """
    day = asked.days[0] if asked.days else today
    old = 0
    taken = read_doses(reader, EVERYTHING)
    without = listed_without_dose(reader) - {course.drug for course in taken}
    if without:
        fallback("medicines_without_a_dose", len(without))
    for course in taken:
        for episode in course.episodes:
            dose = episode.dose_on(day)
            before = [s for s in dose.sources if s.written <= day] if dose else []
            last = max(before, key=lambda s: s.written, default=None)
            if last is not None and _is_recent(last, day):
                yield last
            elif last is not None:
                old += 1
    if old:
        fallback("medicines_not_spoken_of_lately", old)


def _is_recent(source: Source, day: str) -> bool:
    most = COURSE_DAYS if _FOR_A_TIME.search(source.quote) else SPOKEN_OF_DAYS
    try:
        return (date.fromisoformat(day) - date.fromisoformat(source.written)).days <= most
    except ValueError:  # a month or a year only
        return True


def _values(asked: OverTime, want: Wanted, reader: PartitionReader, analyse: Analyse) -> list[Source]:
    values = [v for one in read_values(reader, Topic(want.analytes)) for v in one.values if v.counts]
    if asked.kind == "between":
        ends = [_on(values, day) for day in asked.days]
        return [source for end in ends for source in end] if all(ends) else []
    if asked.days:
        first = last = asked.days[0]
        telling: list[Source] = []
    else:
        event = event_of(asked.event, reader, analyse)
        if event is None:
            return []
        first, last, telling = event.first, event.last, [event.source] if event.source else []
    if asked.kind == "before":
        day = max((v.day for v in values if v.day < first), default="")
    else:
        day = min((v.day for v in values if v.day > last), default="")
    stated = _on(values, day) if day else []
    return [*stated, *telling] if stated else []


def _on(values: Sequence[Value], day: str) -> list[Source]:
    """Where the values of a day are stated, each once."""
    return [value.sources[0] for value in values if value.day == day]


def _evidence(source: Source, shelf: Bookshelf) -> Evidence:
    document = shelf.document(source.key)
    unit = next(s for s in shelf.sentences(source.key) if s.n == source.sentence)
    return Evidence(
        key=source.key, doc_id=source.doc_id, sentence=source.sentence, start=source.start, end=source.end,
        quote=source.quote, sort_key=document.time.sort_key if document.time else "", relevance=5, probability=1.0,
        kept="timeline", section=unit.section, is_item=unit.kind == "item",
    )  # fmt: skip
