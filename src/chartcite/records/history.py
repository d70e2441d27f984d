"""Diagnoses and procedures of a patient: types, and what is made of all that a record states of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from chartcite.records.entries import Source
from chartcite.records.naming import canonical

Status = Literal["active", "possible", "history", "resolved", "ruled_out"]
"""`history`: it was so, and nobody says whether it still is."""


@dataclass(frozen=True, slots=True)
class ConditionStated:
    """What one sentence says of one diagnosis of the patient. `since`: ISO date, maybe a month or year; or empty."""

    name: str
    status: Status
    day: str
    since: str
    source: Source


@dataclass(frozen=True, slots=True)
class ProcedureStated:
    """A procedure that was done. `day`: ISO date, maybe a month or year; empty where nobody says when."""

    name: str
    side: str
    day: str
    source: Source


@dataclass(frozen=True, slots=True)
class Condition:
    """One diagnosis.

    Attributes:
        name: as most sentences write it.
        status: as stated last.
        first, last: the days of the first and the last note that states it.
        since: the days on which it began, as stated, most often stated first; more than one is a conflict.
        conflict: it is both ruled out and stated to be there, or its begin is stated otherwise.
        sources: of each status and begin the first and the last sentence, oldest first; `stated` counts all.
    """

    name: str
    status: Status
    first: str
    last: str
    since: tuple[str, ...]
    statuses: tuple[Status, ...]
    conflict: bool
    stated: int
    sources: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "name": self.name, "status": self.status, "first": self.first, "last": self.last, "since": list(self.since),
            "statuses": list(self.statuses), "conflict": self.conflict, "stated": self.stated,
            "sources": [source.to_dict() for source in self.sources],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Procedure:
    """One procedure.

    `precision` of `day`: `day`, `month`, `year`, or `none`. `conflict`: the record has it, once, on more than one year.
    """

    name: str
    side: str
    day: str
    precision: Literal["day", "month", "year", "none"]
    conflict: bool
    stated: int
    sources: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "name": self.name, "side": self.side or None, "day": self.day or None, "precision": self.precision,
            "conflict": self.conflict, "stated": self.stated, "sources": [source.to_dict() for source in self.sources],
        }  # fmt: skip


_MOST_SOURCES = 8


def conditions(found: Iterable[ConditionStated]) -> list[Condition]:
    """By name, oldest begin first."""
    groups: dict[str, list[ConditionStated]] = defaultdict(list)
    for one in found:
        groups[canonical(one.name)].append(one)
    made = [_condition(group) for group in groups.values()]
    return sorted(made, key=lambda c: (c.since[0] if c.since else c.first, c.name.lower()))


def procedures(found: Iterable[ProcedureStated]) -> list[Procedure]:
    """Each once, oldest first, those that nobody dates last."""
    groups: dict[str, list[ProcedureStated]] = defaultdict(list)
    for one in found:
        groups[canonical(one.name)].append(one)
    made = [procedure for group in groups.values() for procedure in _procedures(group)]
    return sorted(made, key=lambda p: (p.day or "9999", p.name.lower(), p.side))


def _condition(group: Sequence[ConditionStated]) -> Condition:
    in_order = sorted(group, key=lambda one: (one.source.written, one.source.doc_id, one.source.start))
    since = _distinct_days(one.since for one in in_order if one.since)
    statuses = tuple(dict.fromkeys(one.status for one in in_order))
    there = {"active", "history", "resolved"} & set(statuses)
    conflict = len(since) > 1 or ("ruled_out" in statuses and bool(there))
    ends: list[ConditionStated] = []
    for key in dict.fromkeys((one.status, one.since) for one in in_order):
        same = [one for one in in_order if (one.status, one.since) == key]
        ends += [same[0], same[-1]]
    sources = sorted({one.source for one in ends}, key=lambda s: (s.written, s.doc_id, s.start))[:_MOST_SOURCES]
    return Condition(
        _usual([one.name for one in in_order]), in_order[-1].status, in_order[0].day, in_order[-1].day, since, statuses,
        conflict, len(in_order), tuple(sources),
    )  # fmt: skip


def _distinct_days(days: Iterable[str]) -> tuple[str, ...]:
    """Most often stated first; a year goes with the only day in it."""
    counts = Counter(days)
    for day in sorted(counts, key=len):
        finer = [other for other in counts if other != day and other.startswith(day)]
        if len(finer) == 1:
            counts[finer[0]] += counts.pop(day)
    return tuple(sorted(counts, key=lambda day: (-counts[day], day)))


def _usual(names: Sequence[str]) -> str:
    """The wording that most sentences have, the longer of two."""
    plain = Counter(" ".join(name.split()) for name in names)
    return max(plain.items(), key=lambda item: (item[1], len(item[0]), item[0]))[0]


def _procedures(group: Sequence[ProcedureStated]) -> list[Procedure]:
    by_day: dict[tuple[str, str], list[ProcedureStated]] = defaultdict(list)
    for one in sorted(
        group, key=lambda o: (-len(o.day), not o.side, o.source.written, o.source.doc_id, o.source.start)
    ):
        fits = [
            key for key in by_day
            if key[0].startswith(one.day) and (not one.side or not key[1] or key[1] == one.side)
        ]  # fmt: skip
        # Of two that it may be, it is the one of its own day, or nobody knows which.
        exact = [key for key in fits if key == (one.day, one.side)] or [key for key in fits if key[0] == one.day]
        key = exact[0] if exact else fits[0] if len(fits) == 1 else (one.day, one.side)
        by_day[key].append(one)
    years = {day[:4] for day, _ in by_day if day}
    is_vague = all(len(day) == 4 for day, _ in by_day if day)
    return [_procedure(key, members, conflict=is_vague and len(years) > 1) for key, members in by_day.items()]


def _procedure(key: tuple[str, str], members: Sequence[ProcedureStated], *, conflict: bool) -> Procedure:
    day, side = key
    sources = sorted({one.source for one in members}, key=lambda s: (s.written, s.doc_id, s.start))
    side = side or next((one.side for one in members if one.side), "")
    precision: Any = {10: "day", 7: "month", 4: "year"}.get(len(day), "none")
    name = _usual([one.name for one in members])
    return Procedure(name, side, day, precision, conflict and bool(day), len(sources), tuple(sources[:_MOST_SOURCES]))
