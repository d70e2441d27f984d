"""Plots of a timeline as plain numbers for SVG: every point and bar is a link to the sentence that states it.

Drawn are numbers in a series' own unit; what cannot be converted is counted and stands in the table alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from chartcite.app.page.urls import document_url
from chartcite.app.render.plot import drawn_points, reference_of
from chartcite.app.render.plot_history import day_of
from chartcite.app.render.scanned import reading_of
from chartcite.app.words import Words
from chartcite.core.scope import Scope
from chartcite.records.entries import Series, Source, Value
from chartcite.records.timeline import Timeline

WIDTH, HEIGHT, BAR = 640.0, 120.0, 22.0
_EDGE = 8.0


@dataclass(frozen=True, slots=True)
class Point:
    """One value: where it is drawn, what it says, and where it is stated."""

    x: float
    y: float
    said: str
    url: str
    standing: str
    is_converted: bool
    is_unsure: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """One series. `band` is the reference range printed last: top and height; `left_out` values are not drawn."""

    name: str
    unit: str
    points: tuple[Point, ...]
    line: str
    band: tuple[float, float] | None
    low: str
    high: str
    left_out: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One dose of a drug, from the day it is stated on."""

    x: float
    width: float
    said: str
    url: str


@dataclass(frozen=True, slots=True)
class Span:
    """Days of the whole: of a record the first and the last."""

    first: date
    last: date

    def x(self, day: date) -> float:
        """Across the plot, inside its edges; what lies outside stands at the edge."""
        share = (day - self.first).days / max((self.last - self.first).days, 1)
        return round(_EDGE + min(max(share, 0.0), 1.0) * (WIDTH - 2 * _EDGE), 1)


def span_of(found: Timeline) -> Span | None:
    """From the first to the last day of the record; None of one without dates."""
    first, last = day_of(found.first or ""), day_of(found.last or "")
    return Span(first, last) if first and last else None


def source_url(scope: Scope, sources: tuple[Source, ...]) -> str:
    """The first sentence that states an entry; empty where there is none."""
    return document_url(scope, sources[0].doc_id, sources[0].start, sources[0].end) if sources else ""


def plot_of(one: Series, scope: Scope, days: Span, words: Words) -> Plot | None:
    """A series that has a point; None of one that has none."""
    points = drawn_points(one)
    if not points:
        return None
    numbers = [number for _, number, _ in points]
    limits = reference_of(one.values)
    reach = [*numbers, *(n for n in limits if n is not None)]
    low, high = min(reach), max(reach)
    room = (high - low) or 1.0

    def y(number: float) -> float:
        return round(HEIGHT - _EDGE - (number - low) / room * (HEIGHT - 2 * _EDGE), 1)

    made = tuple(
        Point(
            days.x(day), y(number), _said(value, words),
            source_url(scope, value.sources), value.standing, value.converted is not None,
            reading_of(value.sources) == "unsure",
        )
        for day, number, value in points
    )  # fmt: skip
    line = " ".join(f"{p.x},{p.y}" for p, (_, _, value) in zip(made, points, strict=True) if value.counts)
    band = None
    if any(limit is not None for limit in limits):
        top = y(limits[1]) if limits[1] is not None else 0.0
        bottom = y(limits[0]) if limits[0] is not None else HEIGHT
        band = (top, round(bottom - top, 1))
    return Plot(one.analyte, one.unit, made, line, band, f"{low:g}", f"{high:g}", len(one.values) - len(points))


def _said(value: Value, words: Words) -> str:
    read = f" ({words('unsure OCR')})" if reading_of(value.sources) == "unsure" else ""
    return f"{value.day}: {value.amount}" + (f" = {value.converted}" if value.converted else "") + read


def bars_of(found: Timeline, days: Span) -> list[tuple[str, tuple[Bar, ...]]]:
    """Of each drug its doses over time."""
    rows = []
    for course in found.courses:
        bars = []
        for episode in course.episodes:
            for period in episode.periods:
                start, end = day_of(period.since), day_of(period.until or "") or days.last
                if start is None:
                    continue
                said = f"{period.since}: {period.text if period.varies else period.amount or period.text}"
                left, right = days.x(start), days.x(end)
                bars.append(Bar(left, max(right - left, 3.0), said, source_url(found.scope, period.sources)))
        if bars:
            rows.append((course.drug, tuple(bars)))
    return rows


def stays_of(found: Timeline, days: Span) -> list[tuple[float, float]]:
    """Left and width of each stay in hospital."""
    made = []
    for one in found.encounters:
        start, end = day_of(one.first), day_of(one.last)
        if one.kind == "stay" and start and end:
            made.append((days.x(start), max(days.x(end) - days.x(start), 2.0)))
    return made
