"""Courses of drugs, from what sentences state of them.

A dose goes on until another is stated; it ends when the record says so, or when a later list of all medicines no longer
has it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chartcite.records.doses import Course, DosePeriod, DoseStated, End, Episode
from chartcite.records.entries import Source

LIST_LENGTH = 3
"""A note that states the doses of so many drugs under one header has a list of all medicines."""


def courses(found: Iterable[DoseStated], listing: Mapping[str, tuple[str, int]]) -> list[Course]:
    """By drug, its episodes.

    Args:
        found: what the sentences state.
        listing: by doc_id, when it was written and how many entries its list of medicines has.
    """
    by_drug: Mapping[str, list[DoseStated]] = defaultdict(list)
    for one in found:
        by_drug[one.drug].append(one)
    by_drug = {drug: _without_copied(stated) for drug, stated in by_drug.items()}
    lists = sorted((day, doc_id) for doc_id, (day, entries) in listing.items() if entries >= LIST_LENGTH)
    made = [Course(drug, tuple(_episodes(by_drug[drug], _omitting(by_drug[drug], lists)))) for drug in sorted(by_drug)]
    return [course for course in made if course.episodes]


def _without_copied(found: Sequence[DoseStated]) -> list[DoseStated]:
    """What is stated, less the entries of lists whose own note says that the drug was stopped before: they are copied.

    Not where anything speaks of a dose or a new start since that stop.
    """
    stopped = {one.source.doc_id: one.day for one in found if one.action == "stop"}
    since = {
        doc_id: [one for one in found if not _is_entry(one) and one.action != "stop" and one.day > day]
        for doc_id, day in stopped.items()
    }
    return [one for one in found if not (_is_entry(one) and since.get(one.source.doc_id) == [])]


def _is_entry(one: DoseStated) -> bool:
    return one.is_listed and one.action == "dose"


@dataclass(slots=True)
class _Open:
    """An episode while it is being read."""

    first: DoseStated
    periods: list[list[DoseStated]] = field(default_factory=list)
    last: str = ""


def _episodes(found: Sequence[DoseStated], lists: Sequence[tuple[str, bool]]) -> Iterator[Episode]:
    current: _Open | None = None
    for one in sorted(found, key=lambda s: (s.day, not s.is_own, s.source.written, s.source.doc_id, s.source.start)):
        if current is not None:
            gone = _left_out(current.last, one.day, lists)
            if gone and one.action in ("dose", "start"):
                yield _closed(current, gone, "left_out", ())
                current = None
        if one.action in ("stop", "hold"):
            if current is not None:
                yield _closed(current, one.day, "stopped" if one.action == "stop" else "held", (one.source,))
                current = None
            continue
        if current is None:
            if one.amount is None and not one.varies and one.action == "dose":
                continue
            current = _Open(one)
        current.last = max(current.last, one.source.written if one.is_own else one.day)
        _add(current, one)
    if current is not None:
        gone = _left_out(current.last, "9999", lists)
        yield _closed(current, gone, "left_out" if gone else None, ())


def _add(current: _Open, one: DoseStated) -> None:
    if one.amount is None and not one.varies:
        return
    last = current.periods[-1][0] if current.periods else None
    if last is None or not _same_dose(last, one):
        current.periods.append([one])
    else:
        current.periods[-1].append(one)


def _same_dose(one: DoseStated, other: DoseStated) -> bool:
    if one.varies or other.varies:
        return one.varies == other.varies and _plain(one.text) == _plain(other.text)
    a, b = one.amount, other.amount
    is_same = a is not None and b is not None and (a.low, a.unit) == (b.low, b.unit)
    return is_same and (one.per_day is None or other.per_day is None or one.per_day == other.per_day)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace(",", " ").split())


def _closed(current: _Open, end: str | None, ended: End | None, sources: tuple[Source, ...]) -> Episode:
    starts = [group[0].day for group in current.periods]
    periods = tuple(_period(group, until) for group, until in zip(current.periods, [*starts, end][1:], strict=False))
    first = current.first
    return Episode(first.drug, first.day, first.action == "start", end, ended, current.last, periods, sources)


def _period(group: Sequence[DoseStated], until: str | None) -> DosePeriod:
    first = group[0]
    per_day = next((one.per_day for one in group if one.per_day is not None), None)
    sources = tuple(dict.fromkeys(one.source for one in group))
    route = next((one.route for one in group if one.route), "")
    return DosePeriod(
        first.day, until, first.amount, per_day, route, first.text, first.as_needed, sources, first.varies
    )


def _omitting(found: Sequence[DoseStated], lists: Sequence[tuple[str, str]]) -> list[tuple[str, bool]]:
    """(day, whether it has the drug) of each list, oldest first."""
    having = {one.source.doc_id for one in found if one.is_listed and one.action == "dose"}
    return [(day, doc_id in having) for day, doc_id in lists]


def _left_out(last: str, before: str, lists: Sequence[tuple[str, bool]]) -> str | None:
    """The day of the first of two or more lists after the last mention, none of which has the drug."""
    later = [(day, has) for day, has in lists if last < day < before]
    return later[0][0] if len(later) > 1 and not any(has for _, has in later) else None
