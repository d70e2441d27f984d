"""The days of events with the sentences that state them: what counted days of a record rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chartcite.core.documents import Sentence, Span
from chartcite.core.stored import DocumentInfo
from chartcite.core.unseen import seen
from chartcite.records.days import DateOrder
from chartcite.records.entries import Source
from chartcite.records.sources import source_at
from chartcite.records.when.anchors import MAY_STATE
from chartcite.records.when.reader import events_of
from chartcite.records.when.resolved import Anchor, Event


@dataclass(frozen=True, slots=True)
class EventStated:
    """One place that states the day of an event; the source's span is that of the words that do."""

    event: Event
    day: str
    source: Source


Events = Mapping[Event, tuple[EventStated, ...]]


def stated_in(info: DocumentInfo, text: str, sentences: Sequence[Sentence], order: DateOrder) -> Events:
    """The days of events that a document states."""
    if not MAY_STATE.search(seen(text)):
        return {}
    found = events_of(text, [Span(s.start, s.end) for s in sentences], info.time, order)
    return {
        event: tuple(
            EventStated(event, one.day, source_at(info, _number(sentences, one.span), *one.span, text))
            for one in anchors
        )
        for event, anchors in found.items()
    }


def _number(sentences: Sequence[Sentence], span: Span) -> int:
    """The number of the sentence in which the date stands."""
    return next((s.n for s in sentences if s.start < span.end <= s.end), 0)


def anchors_of(events: Events) -> dict[Event, tuple[Anchor, ...]]:
    """The same for counting."""
    return {
        event: tuple(
            Anchor(event, one.day, Span(one.source.start, one.source.end), one.source.doc_id) for one in stated
        )
        for event, stated in events.items()
    }
