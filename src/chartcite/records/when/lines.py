"""The counted days of a line of the record, and what an entry of that day rests on."""

from __future__ import annotations

from chartcite.core.documents import Span
from chartcite.core.time import When
from chartcite.records.entries import DayBasis, Rests
from chartcite.records.lines import Line
from chartcite.records.when.events import Events, anchors_of
from chartcite.records.when.reader import days_of_sentence, may_count
from chartcite.records.when.resolved import Resolved


def counted_days_of(text: str, line: Line) -> tuple[Resolved, ...]:
    """All days of a line's text where it may count some; else none."""
    if not may_count(text):
        return ()
    time = When.parse(line.source.written) if line.source.written else None
    return tuple(days_of_sentence(text, Span(0, len(text)), time, line.order, anchors_of(line.events)))


def rests_on(one: Resolved, text: str, events: Events) -> Rests | None:
    """What a counted day rests on; None for a day that is named."""
    if one.basis == "words":
        return None
    basis: DayBasis = one.basis
    said = text[slice(*one.span)]
    if one.basis == "document":
        return Rests(basis, said)
    source = events[one.basis][0].source if one.anchor else None
    return Rests(basis, said, source, one.offset or 0)
