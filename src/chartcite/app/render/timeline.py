"""A timeline as tables for people: values by day, doses with their periods, stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.text import Text

from chartcite.app.render.layout import Paper, plural
from chartcite.app.render.safe import one_line
from chartcite.app.render.tables import columns
from chartcite.records.entries import shown

if TYPE_CHECKING:
    from chartcite.records.doses import Course, DosePeriod, Episode
    from chartcite.records.encounters import Encounter
    from chartcite.records.entries import Series, Source, Value
    from chartcite.records.timeline import Timeline

_STANDING = {"stated": "", "retold": "retold", "corrected": "was corrected", "correction": "correction"}


def timeline_lines(found: Timeline, paper: Paper) -> Iterator[Text]:
    """All of it, part by part."""
    said = False
    for part in (_values(found.series, paper), _courses(found.courses, paper), _stays(found, paper)):
        for n, line in enumerate(part):
            if n == 0 and said:
                yield Text()
            said = True
            yield line
    if not found.series and not found.courses:
        yield Text("Nothing of it is stated in the record.")
    yield Text()
    span = f", {found.first} to {found.last}" if found.first else ""
    undated = f"; {plural(found.undated, 'undated one')} cannot be placed" if found.undated else ""
    as_of = f" as of {one_line(found.as_of)}" if found.as_of else ""
    yield from paper.hanging("", Text(f"Read{as_of}: {plural(found.documents, 'document')}{span}{undated}.", "dim"))


def _values(series: Sequence[Series], paper: Paper) -> Iterator[Text]:
    for n, one in enumerate(series):
        if n:
            yield Text()
        unit = f" ({one.unit})" if one.unit else ""
        yield Text(f"{one_line(one.analyte)}{unit}, {plural(len(one.values), 'value')}", "bold cyan")
        if one.unit_conflict:
            units = ", ".join(f"{name or 'no unit'} {count}" for name, count in one.units)
            yield from paper.hanging("  ", Text(f"units differ and are not converted: {units}", "yellow"))
        rows = [_value_row(value) for value in one.values]
        yield from columns(rows, paper, ("Day", "Value", "", "Source"), frozenset((1,)))


def _value_row(value: Value) -> tuple[str, ...]:
    reference = f"ref. {value.reference}" if value.reference else ""
    marks = ", ".join(part for part in (value.flag, reference, _STANDING[value.standing]) if part)
    converted = f" = {value.converted}" if value.converted else ""
    return value.day, f"{value.amount}{converted}", marks, _where(value.sources)


def _courses(courses: Sequence[Course], paper: Paper) -> Iterator[Text]:
    for n, course in enumerate(courses):
        if n:
            yield Text()
        yield Text(f"{one_line(course.drug)}, {plural(len(course.episodes), 'course')}", "bold cyan")
        rows = [row for episode in course.episodes for row in _episode_rows(episode)]
        yield from columns(rows, paper, ("From", "Until", "Dose", "Source"))


def _episode_rows(episode: Episode) -> Iterator[tuple[str, ...]]:
    """A row a dose. `by` a day: it was taken then, and nobody says since when."""
    ended = {"stopped": "stopped", "held": "held", "left_out": "no longer listed", None: ""}[episode.ended]
    for n, period in enumerate(episode.periods):
        is_last = n == len(episode.periods) - 1
        until = _until(period.until, ended if is_last else "") or f"seen {episode.last_mention}"
        since = period.since if n or episode.start_is_stated else f"by {period.since}"
        yield since, until, _dose(period), _where(period.sources)
    if not episode.periods:
        yield episode.start, _until(episode.end, ended), "no dose stated", _where(episode.end_sources)


def _until(day: str | None, why: str) -> str:
    return " ".join(part for part in (day, why) if part)


def _dose(period: DosePeriod) -> str:
    often = _often(period.per_day) if period.per_day else ""
    needed = "as needed" if period.as_needed else ""
    return " ".join(part for part in (str(period.amount or ""), often, period.route, needed) if part)


def _often(per_day: Fraction) -> str:
    """`2x/day`, `1x/week`."""
    weekly = per_day * 7
    return f"{shown(weekly)}x/week" if per_day < 1 and weekly.denominator == 1 else f"{shown(per_day)}x/day"


def _stays(found: Timeline, paper: Paper) -> Iterator[Text]:
    stays: list[Encounter] = [e for e in found.encounters if e.kind == "stay"]
    visits = len(found.encounters) - len(stays)
    if found.topic or not found.encounters:
        return
    yield Text(f"Encounters: {plural(len(stays), 'stay')}, {plural(visits, 'visit')}", "bold cyan")
    rows = [(e.first, e.last, plural(len(e.doc_ids), "note"), ", ".join(e.note_types)) for e in stays]
    if rows:
        yield from columns(rows, paper, ("From", "To", "Notes", "Kinds"))


def _where(sources: Sequence[Source]) -> str:
    if not sources:
        return ""
    first = sources[0]
    more = f" +{len(sources) - 1}" if len(sources) > 1 else ""
    name = first.note_type or first.doc_id.rpartition("/")[2]
    return f"{name} {first.written}, s. {first.sentence}{more}"
