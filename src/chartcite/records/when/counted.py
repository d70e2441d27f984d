"""Days counted from an event of the record: `POD#3`, `hospital day 2`, `on admission`, `no 3º PO`.

The day of an operation is day 0 (`POD#0`), that of an admission day 1 (`HD#1`). Without a day of the event that the
record states, and states once, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.taken import claim
from chartcite.records.when.counting import NUMBER, ORDINAL, UNIT, away, count_of, number_of
from chartcite.records.when.resolved import Anchor, Event, Precision, Resolved, days_from, unknown

Anchors = Mapping[Event, Sequence[Anchor]]
"""Of each event the days that are stated; more than one day is not knowing which."""


class _Row(NamedTuple):
    """A pattern, the event that it counts from, and the number of the event's own day (None: the words have none)."""

    pattern: re.Pattern[str]
    event: Event
    base: int | None = None
    sign: int = 1
    and_next: bool = False
    before: int = 0


_NEAR = 120


def counted_days(text: str, written: date | None, anchors: Anchors, taken: bytearray) -> Iterator[Resolved]:
    """What a sentence counts from an event.

    Args:
        text: the sentence.
        written: the day of its document; a numbered day far from it is of another stay than the event that is known.
        anchors: the days of events.
        taken: as of `written_days`.
    """
    for row in _rows():
        for found in row.pattern.finditer(text):
            if claim(taken, *found.span()):
                try:
                    yield _read(row, found, written, anchors.get(row.event, ()))
                except ValueError:
                    yield unknown(Span(*found.span()), row.event, "no_such_day")


def _read(row: _Row, found: re.Match[str], written: date | None, anchors: Sequence[Anchor]) -> Resolved:
    span = Span(*found.span())
    days = {anchor.day for anchor in anchors}
    offset = _offset(row, found)
    if len(days) != 1:
        return replace(unknown(span, row.event, "several_event_days" if days else "no_event_day"), offset=offset)
    anchor, day = anchors[0], date.fromisoformat(anchors[0].day)
    parts = found.groupdict()
    if offset is not None:
        first = last = days_from(day, offset)
        if row.base is not None and written and abs((first - written).days) > _NEAR:
            return replace(unknown(span, row.event, "no_event_day"), offset=offset)
        return Resolved(span, first.isoformat(), last.isoformat(), "day", row.event, anchor=anchor, offset=offset)
    precision: Precision = "day"
    if row.and_next:
        first, last = day, days_from(day, 1)
    else:
        count = count_of(found["n"], None, parts["unit"])
        if count.unit == "hour":
            return unknown(span, row.event, "vague")
        first, last, precision = away(count, day, row.sign)
    return Resolved(span, first.isoformat(), last.isoformat(), precision, row.event, anchor=anchor)


def _offset(row: _Row, found: re.Match[str]) -> int | None:
    """How many days after the event's; None where the words mean more than one day.

    Raises:
        ValueError: there is no such day (`hospital day 0`).
    """
    parts = found.groupdict()
    if parts.get("unit"):
        count = count_of(found["n"], None, found["unit"])
        return row.sign * count.least if count.unit == "day" else None
    if row.base is None:
        return None if row.and_next else row.before
    number = next(number_of(parts[name]) for name in ("n", "n2", "n3") if parts.get(name))
    if number < row.base:
        raise ValueError("before the first day")
    return number - row.base


_NAMES: tuple[tuple[Event, str], ...] = (
    ("admission", r"(?:(?:hospital\s+)?admission|presentation|arrival|admitted|being\s+admitted|(?:a\s+)?admiss[ãa]o|"
                  r"(?:a\s+)?interna[çc][ãa]o|(?:a\s+)?chegada)"),
    ("operation", r"(?:(?:the\s+|her\s+|his\s+)?(?:surgery|operation)|(?:a\s+)?cirurgia|(?:a\s+)?opera[çc][ãa]o)"),
    ("discharge", r"(?:(?:hospital\s+)?discharge|(?:a\s+)?alta(?:\s+hospitalar)?)"),
)  # fmt: skip
_BARE: dict[Event, str] = {
    "admission": r"(?:admission|presentation|arrival|admiss[ãa]o|interna[çc][ãa]o|chegada)",
    "operation": r"(?:surgery|operation|cirurgia|opera[çc][ãa]o)",
    "discharge": r"(?:discharge|alta(?:\s+hospitalar)?)",
}


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    """In the order in which they claim their words."""
    rows = list(_numbered())
    for event, name in _NAMES:
        bare = _BARE[event]
        before = r"(?:before|prior\s+to|antes\s+d[aeo]s?)"
        after = r"(?:after|following|post|ap[óo]s|depois\s+d[aeo]s?)"
        rows += [
            _Row(_made(rf"(?P<n>{NUMBER})[\s-]?(?P<unit>{UNIT})\s+{before}\s+{name}"), event, sign=-1),
            _Row(_made(rf"(?P<n>{NUMBER})[\s-]?(?P<unit>{UNIT})\s+{after}\s+{name}"), event),
            _Row(
                _made(rf"(?:the\s+)?day\s+(?:before|prior\s+to)\s+{name}|n?a\s+v[ée]spera\s+d[aeo]\s+{name}"),
                event,
                before=-1,
            ),
            _Row(
                _made(rf"(?:the\s+)?day\s+(?:after|following)\s+{name}|(?:n?o\s+)?dia\s+seguinte\s+[àa]\s+{name}"),
                event,
                before=1,
            ),
            _Row(_made(rf"(?:the\s+)?night\s+of\s+{name}|(?:n?a\s+)?noite\s+d[aeo]\s+{bare}"), event, and_next=True),
            _Row(
                _made(rf"(?:on\s+)?(?:the\s+)?(?:day|morning)\s+of\s+{name}|(?:n?o\s+)?dia\s+d[aeo]\s+{bare}"),
                event,
            ),
        ]
        if event != "operation":
            rows.append(
                _Row(
                    _made(rf"(?:on|at|upon)\s+(?:the\s+time\s+of\s+)?(?:hospital\s+)?{bare}|(?:na|[àa])\s+{bare}"),
                    event,
                )
            )
    return tuple(rows)


def _numbered() -> Iterator[_Row]:
    """`POD#3`, `hospital day 2`, `3º PO`, `D3 de internação`."""
    number = rf"(?:#|no\.?|number)?\s?(?P<n>\d{{1,3}}|{NUMBER})"
    post = r"post[\s-]?op(?:erative)?"
    yield _Row(
        _made(rf"(?:on\s+)?(?:POD\s?[:#-]?\s?(?P<n>\d{{1,3}})|{post}\s+day\s*{number.replace('<n>', '<n2>')})"),
        "operation",
        0,
    )
    ordinal = rf"(?P<n>\d{{1,3}})\s?[ºoª°]|(?P<n2>{ORDINAL})"
    yield _Row(
        _made(
            rf"(?:n?o\s+)?(?:{ordinal})\s+(?:D?PO\b|dia\s+(?:de\s+)?p[óo]s[\s-]?operat[óo]rio|p[óo]s[\s-]?operat[óo]rio|"
            rf"dia\s+do\s+p[óo]s[\s-]?operat[óo]rio)"
        ),
        "operation", 0,
    )  # fmt: skip
    yield _Row(re.compile(r"(?<![\w-])D?PO\s?(?P<n>\d{1,2})(?![\w/.,-])"), "operation", 0)
    yield _Row(
        re.compile(r"(?<![\w-])POI(?![\w-])|(?<![\w-])(?i:p[óo]s[\s-]operat[óo]rio\s+imediato)(?!\w)"), "operation"
    )
    yield _Row(
        _made(rf"(?:on\s+)?(?:HD\s?[:#-]?\s?(?P<n>\d{{1,3}})|hosp(?:ital)?\s+day\s*{number.replace('<n>', '<n2>')})"),
        "admission",
        1,
    )
    yield _Row(
        _made(
            rf"(?:n?o\s+)?(?:(?:{ordinal})\s+(?:DIH?\b|dia\s+de\s+interna[çc][ãa]o)|D(?:IH)?\s?(?P<n3>\d{{1,3}})\s+(?:de|da)\s+"
            rf"interna[çc][ãa]o)"
        ),
        "admission", 1,
    )  # fmt: skip


def _made(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-]|[.,]\d)", re.IGNORECASE)
