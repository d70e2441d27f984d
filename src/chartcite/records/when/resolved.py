"""A day that words mean: where the words stand, which days they may mean, and on what that rests.

Nothing is guessed: where the record does not settle it, there is a reason and no day.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal

from chartcite.core.documents import Span

Event = Literal["admission", "operation", "discharge"]
Basis = Literal["words", "document", "admission", "operation", "discharge"]
"""`words`: they name the day themselves. `document`: counted from the day on which it was written."""
Precision = Literal["decade", "year", "season", "month", "week", "day", "minute", "interval"]
Reason = Literal[
    "no_document_day", "vague", "two_readings", "no_such_day", "may_be_coming", "no_event_day", "several_event_days",
    "told_before",
]  # fmt: skip
"""Why there is no day: the document has none to count from; `a few days ago`; day and month could be swapped; no
calendar has it; it may as well lie ahead; nobody says when the event was, or it was on several days; it is counted
from something told before (`the next day`)."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The day of an event as a document states it: the words that say so and the date, a span of its text.

    `doc_id` is empty for the document of the words that are counted from it.
    """

    event: Event
    day: str
    span: Span
    doc_id: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "event": self.event, "day": self.day, "start": self.span.start, "end": self.span.end,
            "doc_id": self.doc_id or None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Resolved:
    """Words that mean a day or some days.

    Attributes:
        span: of the words.
        first, last: ISO days, both within; equal for one day, empty where it is not known.
        precision: of the words; of an interval both ends are meant.
        basis: on what it rests; for an unknown day what it would rest on.
        clock: time of day with its zone as written (`08:15Z`), or empty.
        anchor: the event's day, where it is counted from one.
        reason: why the day is not known, else None.
        offset: how many days after that of the event, where they are counted from one and mean one day.
    """

    span: Span
    first: str
    last: str
    precision: Precision
    basis: Basis
    clock: str = ""
    anchor: Anchor | None = None
    reason: Reason | None = None
    offset: int | None = None

    @property
    def day(self) -> str:
        """The day, where it is one; else empty."""
        return self.first if self.first == self.last else ""

    def moved(self, by: int) -> Resolved:
        """The same with its span counted in a text that begins `by` characters earlier."""
        return replace(self, span=Span(self.span.start + by, self.span.end + by))

    def to_dict(self) -> dict[str, Any]:
        """The schema's form, without the span."""
        return {
            "first": self.first or None, "last": self.last or None, "precision": self.precision,
            "clock": self.clock or None, "basis": self.basis,
            "anchor": self.anchor.to_dict() if self.anchor else None, "reason": self.reason,
        }  # fmt: skip


def unknown(span: Span, basis: Basis, reason: Reason) -> Resolved:
    """Words whose day is not known."""
    return Resolved(span, "", "", "day", basis, reason=reason)


def one_day(span: Span, day: date, basis: Basis, anchor: Anchor | None = None) -> Resolved:
    """Words that mean one day."""
    return Resolved(span, day.isoformat(), day.isoformat(), "day", basis, anchor=anchor)


def some_days(span: Span, first: date, last: date, precision: Precision, basis: Basis) -> Resolved:
    """Words that mean a day among some, or all of them."""
    return Resolved(span, first.isoformat(), last.isoformat(), precision, basis)


def month_of(span: Span, year: int, month: int, basis: Basis = "words") -> Resolved:
    """A whole month."""
    last = calendar.monthrange(year, month)[1]
    return some_days(span, date(year, month, 1), date(year, month, last), "month", basis)


def year_of(span: Span, year: int, basis: Basis = "words") -> Resolved:
    """A whole year."""
    return some_days(span, date(year, 1, 1), date(year, 12, 31), "year", basis)


def months_before(day: date, months: int) -> date:
    """The same day some months earlier, or the last of that month; months may be negative.

    Raises:
        ValueError: it lies outside the calendar.
    """
    at = day.year * 12 + day.month - 1 - months
    year, month = divmod(at, 12)
    if not 1 <= year <= 9999:
        raise ValueError("outside the calendar")
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def days_from(day: date, days: int) -> date:
    """A day some days later.

    Raises:
        ValueError: it lies outside the calendar.
    """
    try:
        return day + timedelta(days=days)
    except OverflowError as error:
        raise ValueError("outside the calendar") from error
