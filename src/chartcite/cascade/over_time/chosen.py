"""Evidence from the timeline: the sentences that state the values or doses which a question about time wants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from chartcite.cascade.over_time.asked import OverTime, over_time
from chartcite.cascade.over_time.events import event_of
from chartcite.cascade.statements import Wanted
from chartcite.core.answer import Evidence
from chartcite.records.entries import Source, Value
from chartcite.records.timeline import read_doses, read_values
from chartcite.records.topic import EVERYTHING, Topic
from chartcite.retrieval.candidates import Bookshelf
from chartcite.store.reader import PartitionReader

Analyse = Callable[[str], Sequence[str]]


def from_timeline(
    query: str, want: Wanted, reader: PartitionReader, shelf: Bookshelf, analyse: Analyse
) -> list[Evidence]:
    """The same as evidence of the highest grade."""
    return [_evidence(source, shelf) for source in stating(query, want, reader, analyse)]


def stating(query: str, want: Wanted, reader: PartitionReader, analyse: Analyse) -> list[Source]:
    """The sentences for a question that the timeline answers; empty for any other, or where it cannot.

    Args:
        query: the question.
        want: what a value or dose is wanted of.
        reader: of a patient, as of the question's date.
        analyse: text to index terms, by which an event's words are found.
    """
    documents = reader.documents()
    today = next((d.time.date for d in reversed(documents) if d.time), "")
    asked = over_time(query, want, today) if today else None
    if asked is None:
        return []
    found = _medicines(asked, reader, today) if asked.kind == "medicines" else _values(asked, want, reader, analyse)
    return list(dict.fromkeys(found))


def _medicines(asked: OverTime, reader: PartitionReader, today: str) -> Iterator[Source]:
    """Of each drug taken on the day, the last sentence that states its dose."""
    day = asked.days[0] if asked.days else today
    for course in read_doses(reader, EVERYTHING):
        for episode in course.episodes:
            dose = episode.dose_on(day)
            before = [s for s in dose.sources if s.written <= day] if dose else []
            if before:
                yield max(before, key=lambda s: s.written)


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
        kept="stated", section=unit.section, is_item=unit.kind == "item",
    )  # fmt: skip
