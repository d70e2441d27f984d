"""A timeline as a picture: values with unit and reference range, doses, diagnoses, procedures, stays; PNG or SVG.

Needs matplotlib (the extra `plot`). Same timeline, same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.app.render.plot_history import day_of, draw_history, history_rows, most_stated, shortened
from chartcite.app.render.scanned import reading_of
from chartcite.core.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from chartcite.records.doses import Course
    from chartcite.records.entries import Series, Value
    from chartcite.records.timeline import Timeline

MOST_SERIES = 12
_NUMBER = r"\d+(?:[.,]\d+)?"
_LIMIT = re.compile(rf"(?P<low>{_NUMBER})\s*(?:-|–|to|a)\s*(?P<high>{_NUMBER})|(?P<sign>[<>]=?)\s*(?P<one>{_NUMBER})")
_LABELLED = 0.05
"""A bar of this share of the whole has room for its dose."""
_STYLE: Any = {"svg.hashsalt": "chartcite", "svg.fonttype": "none", "font.size": 9, "text.parse_math": False}
_COLOURS = {"stated": "#1f5c99", "retold": "#7fa8cf", "correction": "#1f5c99", "corrected": "#b3b3b3"}


def check_plot(path: Path) -> None:
    """Raise what would be raised after the work.

    Raises:
        UsageError: neither .png nor .svg, or its folder is not there.
        MissingExtra: matplotlib is not installed.
    """
    if path.suffix.lower() not in (".png", ".svg"):
        raise UsageError("A plot is a .png or an .svg file.", "--plot creatinine.png")
    if not path.parent.is_dir():
        raise UsageError("The plot's folder does not exist.", "Make it first.")
    try:
        import matplotlib  # noqa: F401, PLC0415
    except ModuleNotFoundError:
        raise MissingExtra("A plot needs matplotlib.", "pip install 'chartcite[plot]'") from None


def draw(found: Timeline, path: Path) -> None:
    """Draw a timeline; of more than twelve series those with most values, which the title says."""
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    series = sorted((s for s in found.series if drawn_points(s)), key=lambda s: (-len(s.values), s.analyte))[
        :MOST_SERIES
    ]
    series.sort(key=lambda s: s.analyte)
    courses = [c for c in found.courses if any(e.periods for e in c.episodes)]
    every_row = history_rows(found)
    rows = most_stated(every_row)
    heights = [2.4] * len(series) + ([0.6 + 0.34 * len(courses)] if courses else [])
    heights += [0.7 + 0.26 * len(rows)] if rows else []
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(10, max(1.6, 0.8 + sum(heights))), layout="constrained")
        ratios = heights or [1.0]
        axes = figure.subplots(len(ratios), 1, sharex=True, squeeze=False, height_ratios=ratios)[:, 0]
        figure.suptitle(_title(found, len(series)), fontsize=11)
        for axis, one in zip(axes, series, strict=False):
            _draw_values(axis, one)
        if courses:
            _draw_courses(axes[len(series)], courses, _last_day(found))
        if rows:
            draw_history(axes[-1], rows, _last_day(found), len(every_row) - len(rows))
        if not heights:
            axes[0].text(0.5, 0.5, "nothing of it is stated", ha="center", va="center", transform=axes[0].transAxes)
            axes[0].set_axis_off()
        for axis in axes[: len(heights)]:
            _shade_stays(axis, found)
        if heights:
            _dated(axes[-1], found)
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        figure.savefig(path, dpi=110, metadata=metadata)


def _dated(axis: Any, found: Timeline) -> None:
    """From the first to the last day of the record, with a little room; what began earlier is marked at the edge."""
    first, last = day_of(found.first or ""), _last_day(found)
    if first is not None:
        room = max((last - first) // 50, timedelta(days=3))
        axis.set_xlim(first - room, last + room)


def _title(found: Timeline, drawn: int) -> str:
    left_out = sum(bool(drawn_points(s)) for s in found.series) - drawn
    more = f"; {left_out} more measured things are not drawn" if left_out else ""
    as_of = f", as of {found.as_of}" if found.as_of else ""
    return f"Record of {found.scope.name}{as_of}{more}"


def drawn_points(one: Series) -> list[tuple[date, float, Value]]:
    """Day, number in the series' unit, value; what is in another unit that does not convert is not drawn."""
    points = []
    for value in one.values:
        amount = value.amount if value.amount.unit in (one.unit, "") else value.converted
        day = day_of(value.day)
        if amount is not None and day is not None:
            points.append((day, amount.number, value))
    return points


def _draw_values(axis: Any, one: Series) -> None:
    points = drawn_points(one)
    held = [(day, number) for day, number, value in points if value.counts]
    axis.plot([d for d, _ in held], [n for _, n in held], "-", color="#1f5c99", linewidth=0.9, alpha=0.6)
    for day, number, value in points:
        hollow = value.converted is not None
        axis.plot(
            [day], [number], "x" if not value.counts else "o", markersize=4.5, color=_COLOURS[value.standing],
            markerfacecolor="white" if hollow else _COLOURS[value.standing],
        )  # fmt: skip
        if reading_of(value.sources) == "unsure":
            axis.annotate("?", (day, number), textcoords="offset points", xytext=(4, 3), color="#b22222")
    low, high = reference_of(one.values)
    if low is not None or high is not None:
        bottom, top = axis.get_ylim()
        axis.axhspan(low if low is not None else bottom, high if high is not None else top, color="#2e8b57", alpha=0.09)
        axis.set_ylim(bottom, top)
    left_out = len(one.values) - len(points)
    note = f" ({left_out} in other units not drawn)" if left_out else ""
    axis.set_title(f"{one.analyte}{note}", loc="left", fontsize=9)
    axis.set_ylabel(one.unit or "no unit")
    axis.grid(axis="y", linewidth=0.3)


def reference_of(values: Sequence[Value]) -> tuple[float | None, float | None]:
    """The reference range that was printed last with a number in the series' own unit."""
    for value in reversed(values):
        found = _LIMIT.search(value.reference) if value.converted is None else None
        if found is None:
            continue
        if found["sign"]:
            limit = _number(found["one"])
            return (None, limit) if found["sign"].startswith("<") else (limit, None)
        return _number(found["low"]), _number(found["high"])
    return None, None


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _draw_courses(axis: Any, courses: Sequence[Course], last: date) -> None:
    begins = [day for c in courses for e in c.episodes if (day := day_of(e.start)) is not None]
    whole = last - min(begins, default=last)
    for row, course in enumerate(courses):
        for episode in course.episodes:
            for n, period in enumerate(episode.periods):
                start, end = day_of(period.since), day_of(period.until or "") or last
                if start is None:
                    continue
                width = max(end - start, timedelta(days=4))
                colour = "#c9772f" if n % 2 == 0 else "#e2a874"
                axis.barh(row, width, left=start, height=0.6, color=colour, edgecolor="white", linewidth=0.5)
                if width >= _LABELLED * whole:
                    label = "varies" if period.varies else str(period.amount or "")
                    axis.text(start, row, f" {label}", va="center", ha="left", fontsize=6.5, clip_on=True)
    axis.set_yticks(range(len(courses)), [shortened(course.drug) for course in courses])
    axis.set_ylim(len(courses) - 0.4, -0.6)
    axis.set_title("doses", loc="left", fontsize=9)


def _shade_stays(axis: Any, found: Timeline) -> None:
    for one in found.encounters:
        start, end = day_of(one.first), day_of(one.last)
        if one.kind == "stay" and start and end:
            axis.axvspan(start, end + timedelta(days=1), color="#777777", alpha=0.15, linewidth=0)


def _last_day(found: Timeline) -> date:
    return day_of(found.last or "") or date(2000, 1, 1)
