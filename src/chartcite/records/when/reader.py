"""All days that a document's sentences mean: the entrance of this folder.

The words of events are counted first, then what is counted from the document's day, then what is named: no two share a
character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from chartcite.core.documents import Document, Sentence, Span
from chartcite.core.time import When
from chartcite.core.unseen import Seen, look
from chartcite.records.days import DateOrder, date_order
from chartcite.records.when.anchors import LEAD, MAY_STATE, stated_events
from chartcite.records.when.counted import Anchors, counted_days
from chartcite.records.when.relative import day_of, relative_days
from chartcite.records.when.resolved import Anchor, Event, Resolved
from chartcite.records.when.written import written_days


def days_of_document(
    document: Document, sentences: Sequence[Sentence], order: DateOrder = "", elsewhere: Anchors | None = None
) -> list[tuple[Resolved, ...]]:
    """The days of each sentence, in the order of its text; spans are of the document's text.

    Args:
        document: with its time.
        sentences: its units.
        order: how the record writes dates in numbers, where the document itself does not show it.
        elsewhere: days of events that other documents of the same stay state; used where this one states none.
    """
    view = look(document.text)
    own = date_order(view.text, document.time.date if document.time else "", document.lang) or order
    spans = [view.shown(Span(s.start, s.end)) for s in sentences]
    anchors = {**(elsewhere or {}), **_events_as_shown(view.text, spans, document.time, own)}
    read = [tuple(days_of_sentence(view.text, span, document.time, own, anchors)) for span in spans]
    return read if view.is_all else [tuple(_stored(one, view) for one in days) for days in read]


def _stored(one: Resolved, view: Seen) -> Resolved:
    """With spans of the stored text, its own and that of an anchor in the same document."""
    anchor = one.anchor
    if anchor is not None and not anchor.doc_id:
        anchor = replace(anchor, span=view.span(anchor.span))
    return replace(one, span=view.span(one.span), anchor=anchor)


def events_of(
    text: str, spans: Sequence[Span], time: When | None, order: DateOrder
) -> Mapping[Event, tuple[Anchor, ...]]:
    """The days of events that a document states."""
    view = look(text)
    found = _events_as_shown(view.text, [view.shown(span) for span in spans], time, order)
    if view.is_all:
        return found
    return {event: tuple(replace(one, span=view.span(one.span)) for one in stated) for event, stated in found.items()}


def _events_as_shown(
    text: str, spans: Sequence[Span], time: When | None, order: DateOrder
) -> Mapping[Event, tuple[Anchor, ...]]:
    written = day_of(time) if time else None
    named: list[Resolved] = []
    for start, end in spans:
        said = text[start:end]
        if any(char.isdigit() for char in said) and MAY_STATE.search(text, max(0, start - LEAD), end):
            named += (one.moved(start) for one in written_days(said, written, order, bytearray(len(said))))
    return stated_events(text, sorted(named, key=lambda one: one.span), written)


_COUNTS = re.compile(
    r"\b(?:ago|yesterday|tomorrow|today|tonight|overnight|last|past|this|next|earlier|POD|post-?\s?op|HD|hosp|day|days|night|"
    r"admission|presentation|arrival|discharge|surgery|operation|ontem|anteontem|hoje|amanh|h[áa]\b|faz\b|atr[áa]s|passad|"
    r"DPO|PO|POI|DIH|admiss|interna|chegada|alta|cirurgia|opera|dia|v[ée]spera)|(?:PO|POD|HD)\s?#?\d|\dº",
    re.IGNORECASE,
)


def may_count(text: str) -> bool:
    """Whether a sentence may count days from the note's or from an event; cheap."""
    return _COUNTS.search(text) is not None


def days_of_sentence(
    text: str, span: Span, time: When | None, order: DateOrder, anchors: Anchors
) -> Iterator[Resolved]:
    """The days of one sentence, in the order of its text."""
    said = text[span.start : span.end]
    taken = bytearray(len(said))
    written = day_of(time) if time else None
    found = [
        *counted_days(said, written, anchors, taken),
        *relative_days(said, time, taken),
        *written_days(said, written, order, taken),
    ]
    for one in sorted(found, key=lambda one: one.span):
        yield one.moved(span.start)
