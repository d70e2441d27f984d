"""A timeline as tables for people: values by day, doses with their periods, diagnoses, procedures, stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.text import Text

from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line
from chartcite.app.render.scanned import reading_of
from chartcite.app.render.tables import columns
from chartcite.app.words import Words
from chartcite.records.entries import shown

if TYPE_CHECKING:
    from chartcite.records.doses import Course, DosePeriod, Episode
    from chartcite.records.encounters import Encounter
    from chartcite.records.entries import Series, Source, Value
    from chartcite.records.history import Condition, Procedure, Status
    from chartcite.records.timeline import Timeline

_STANDING = {"stated": "", "retold": "retold", "corrected": "was corrected", "correction": "correction"}


def timeline_lines(found: Timeline, paper: Paper) -> Iterator[Text]:
    """All of it, part by part."""
    said = False
    parts = (
        _values(found.series, paper), _courses(found.courses, paper), _conditions(found.conditions, paper),
        _procedures(found.procedures, paper), _stays(found, paper),
    )  # fmt: skip
    for part in parts:
        for n, line in enumerate(part):
            if n == 0 and said:
                yield Text()
            said = True
            yield line
    if not (found.series or found.courses or found.conditions or found.procedures):
        if found.undated:  # one of them may state it
            yield from paper.hanging("", Text(paper.words("Nothing of it is stated in a document with a date.")))
        else:
            yield Text(paper.words("Nothing of it is stated in the record."))
    yield Text()
    words = paper.words
    span = f", {words('{first} to {last}', first=found.first, last=found.last)}" if found.first else ""
    undated = (
        words("; {ones} cannot be placed", ones=words.plural(found.undated, "undated one")) if found.undated else ""
    )
    as_of = f" {words('as of {day}', day=one_line(found.as_of))}" if found.as_of else ""
    read = f"{words('Read')}{as_of}: {words.plural(found.documents, 'document')}{span}{undated}."
    yield from paper.hanging("", Text(read, "dim"))


def _values(series: Sequence[Series], paper: Paper) -> Iterator[Text]:
    for n, one in enumerate(series):
        if n:
            yield Text()
        unit = f" ({one.unit})" if one.unit else ""
        yield Text(f"{one_line(one.analyte)}{unit}, {paper.words.plural(len(one.values), 'value')}", "bold cyan")
        if one.unit_conflict:
            units = ", ".join(f"{name or paper.words('no unit')} {count}" for name, count in one.units)
            said = paper.words("units differ and are not converted: {units}", units=units)
            yield from paper.hanging("  ", Text(said, "yellow"))
        rows = [value_row(value, paper.words) for value in one.values]
        head = [paper.words(name) for name in ("Day", "Value", "", "Source")]
        yield from columns(rows, paper, head, frozenset((1,)))


def value_row(value: Value, words: Words) -> tuple[str, ...]:
    """Day, number, what is said of it, and where it stands."""
    reference = words("ref. {reference}", reference=value.reference) if value.reference else ""
    standing = words(_STANDING[value.standing])
    status = next((source.status for source in value.sources), "")
    marks = ", ".join(part for part in (value.flag, reference, standing, status, _rests(value, words)) if part)
    converted = f" = {value.converted}" if value.converted else ""
    return value.day, f"{value.amount}{converted}", marks, _where(value.sources, words)


def _rests(value: Value, words: Words) -> str:
    """What a counted day rests on: `counted: POD#1, operation 2022-03-07`."""
    rests = value.rests
    if rests is None:
        return ""
    said = one_line(rests.said)
    if rests.source is None:
        return words("counted: {said}", said=said)
    event = {"admission": "admission", "operation": "operation", "discharge": "discharge"}[rests.basis]
    return words("counted: {said}, {event} {where}", said=said, event=words(event), where=rests.source.doc_id)


def _courses(courses: Sequence[Course], paper: Paper) -> Iterator[Text]:
    for n, course in enumerate(courses):
        if n:
            yield Text()
        yield Text(f"{one_line(course.drug)}, {paper.words.plural(len(course.episodes), 'course')}", "bold cyan")
        gaps = dict(course.gaps)
        rows = [row for episode in course.episodes for row in _with_gap(episode, gaps, paper.words)]
        yield from columns(rows, paper, [paper.words(name) for name in ("From", "Until", "Dose", "Source")])


def _with_gap(episode: Episode, gaps: Mapping[str, str], words: Words) -> Iterator[tuple[str, ...]]:
    yield from course_rows(episode, words)
    if episode.end in gaps:
        yield episode.end or "", gaps[episode.end or ""], words("not taken"), ""


def course_rows(episode: Episode, words: Words) -> Iterator[tuple[str, ...]]:
    """A row a dose. `by` a day: it was taken then, and nobody says since when."""
    ended = words({"stopped": "stopped", "held": "held", "left_out": "no longer listed", None: ""}[episode.ended])
    for n, period in enumerate(episode.periods):
        is_last = n == len(episode.periods) - 1
        until = _until(period.until, ended if is_last else "") or words("seen {day}", day=episode.last_mention)
        since = period.since if n or episode.start_is_stated else words("by {day}", day=period.since)
        yield since, until, _dose(period, words), _where(period.sources, words)
    if not episode.periods:
        yield episode.start, _until(episode.end, ended), words("no dose stated"), _where(episode.end_sources, words)


def _until(day: str | None, why: str) -> str:
    return " ".join(part for part in (day, why) if part)


def _dose(period: DosePeriod, words: Words) -> str:
    if period.varies:
        return one_line(period.text)
    often = _often(period.per_day, words) if period.per_day else ""
    needed = words("as needed") if period.as_needed else ""
    return " ".join(part for part in (str(period.amount or ""), often, period.route, needed) if part)


def _often(per_day: Fraction, words: Words) -> str:
    """`2x/day`, `1x/week`."""
    weekly = per_day * 7
    if per_day < 1 and weekly.denominator == 1:
        return words("{times}x/week", times=shown(weekly))
    return words("{times}x/day", times=shown(per_day))


_SAID: Mapping[Status, str] = {
    "active": "active", "possible": "possible", "history": "history", "resolved": "resolved", "ruled_out": "ruled out",
}  # fmt: skip


def _conditions(conditions: Sequence[Condition], paper: Paper) -> Iterator[Text]:
    """A row a diagnosis; where statements differ all of them are shown."""
    if not conditions:
        return
    words = paper.words
    yield Text(words.plural(len(conditions), "diagnosis", "diagnoses"), "bold cyan")
    rows = [condition_row(one, words) for one in conditions]
    yield from columns(rows, paper, [words(name) for name in CONDITION_HEADS])


CONDITION_HEADS = ("Since", "Diagnosis", "Status", "Stated", "Source")


def condition_row(one: Condition, words: Words) -> tuple[str, ...]:
    """Begin, name, status, when it was stated, and where."""
    status = ", ".join(words(_SAID[name]) for name in (one.statuses if one.conflict else (one.status,)))
    said = f"{one.first} - {one.last}" if one.first != one.last else one.first
    begin = f" {words('or')} ".join(one.since)
    return begin, one_line(one.name), status, said, _where(one.sources, words, one.stated)


_HOW = {"": "", "left": "left", "right": "right", "bilateral": "both sides"}


def _procedures(procedures: Sequence[Procedure], paper: Paper) -> Iterator[Text]:
    """A row a procedure. `or another year`: the record has it on more than one."""
    if not procedures:
        return
    words = paper.words
    yield Text(words.plural(len(procedures), "procedure"), "bold cyan")
    rows = [procedure_row(one, words) for one in procedures]
    yield from columns(rows, paper, [words(name) for name in PROCEDURE_HEADS])


PROCEDURE_HEADS = ("Day", "Procedure", "", "Source")


def procedure_row(one: Procedure, words: Words) -> tuple[str, ...]:
    """Day, name with its side, what is to be said of it, and where it stands."""
    side = words(_HOW[one.side])
    name = ", ".join(part for part in (one_line(one.name), side) if part)
    remark = words("the record has another year, too") if one.conflict else ""
    return one.day or words("undated"), name, remark, _where(one.sources, words, one.stated)


def _stays(found: Timeline, paper: Paper) -> Iterator[Text]:
    stays: list[Encounter] = [e for e in found.encounters if e.kind == "stay"]
    visits = len(found.encounters) - len(stays)
    if found.topic or not found.encounters:
        return
    words = paper.words
    counts = {"stays": words.plural(len(stays), "stay"), "visits": words.plural(visits, "visit")}
    yield Text(words("Encounters: {stays}, {visits}", **counts), "bold cyan")
    rows = [(e.first, e.last, words.plural(len(e.doc_ids), "note"), ", ".join(e.note_types)) for e in stays]
    if rows:
        yield from columns(rows, paper, [words(name) for name in ("From", "To", "Notes", "Kinds")])


def _where(sources: Sequence[Source], words: Words, stated: int = 0) -> str:
    """The first source, how many more there are, and whether all were read from images."""
    if not sources:
        return ""
    first, more_of_them = sources[0], max(stated, len(sources)) - 1
    more = f" +{more_of_them}" if more_of_them else ""
    name = first.note_type or first.doc_id.rpartition("/")[2]
    read = {"": "", "read": ", OCR", "unsure": f", {words('unsure OCR')}"}[reading_of(sources)]
    return f"{name} {first.written}, s. {first.sentence}{more}{read}"
