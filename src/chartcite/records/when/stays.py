"""Days that wait for an event of their stay: `POD#1` in a note whose operation another note of the encounter states.

A note of the operation or of the admission itself has the day of its event, where no note of the stay states one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from chartcite.core.stored import DocumentInfo
from chartcite.records.entries import Rests, Source
from chartcite.records.findings import Findings
from chartcite.records.sources import source_at
from chartcite.records.values_stated import Stated
from chartcite.records.when.resolved import Event, days_from

Stays = Mapping[str, Mapping[Event, Mapping[str, Source]]]
"""By encounter and event the days, each with what states it first."""
_OWN_NOTES: tuple[tuple[Event, re.Pattern[str]], ...] = (
    ("operation", re.compile(r"\boperative\b|\boperation\b|\bop note|\bcir[úu]rgic|\bcirurgia", re.IGNORECASE)),
    ("admission", re.compile(r"\badmission\b|\bh&p\b|\badmiss[ãa]o|\binterna[çc][ãa]o", re.IGNORECASE)),
)
_NEAR = 120


def completed(read: Sequence[tuple[DocumentInfo, Findings]]) -> Iterator[tuple[DocumentInfo, Findings]]:
    """The same findings; a value that waits for a day has it, or is gone."""
    stays: Stays | None = None
    for info, found in read:
        if all(one.day for one in found.values):
            yield info, found
            continue
        stays = _stays(read) if stays is None else stays
        values = (_placed(one, stays.get(info.encounter_id, {})) for one in found.values)
        yield info, replace(found, values=tuple(one for one in values if one))


def _stays(read: Sequence[tuple[DocumentInfo, Findings]]) -> Stays:
    stated: dict[str, dict[Event, dict[str, Source]]] = defaultdict(lambda: defaultdict(dict))
    notes: dict[str, dict[Event, dict[str, Source]]] = defaultdict(lambda: defaultdict(dict))
    for info, found in read:
        if not info.encounter_id:
            continue
        for one in found.events:
            stated[info.encounter_id][one.event].setdefault(one.day, one.source)
        for event, name in _OWN_NOTES:
            if info.time and len(info.time.date) == 10 and name.search(info.note_type):
                notes[info.encounter_id][event].setdefault(info.time.date, source_at(info, 0, 0, 0, ""))
    names = dict.fromkeys((*stated, *notes))
    return {name: {**notes.get(name, {}), **stated.get(name, {})} for name in names}


def _placed(one: Stated, stay: Mapping[Event, Mapping[str, Source]]) -> Stated | None:
    """A value with the day that it waits for; None where its stay has no such day, or several."""
    rests = one.rests
    if one.day or rests is None or rests.basis == "document":
        return one
    days = stay.get(rests.basis, {})
    if len(days) != 1:
        return None
    event, source = next(iter(days.items()))
    day = days_from(date.fromisoformat(event), rests.offset).isoformat()
    written = one.source.written
    if day > written or not _is_near(day, written):
        return None
    return replace(one, day=day, is_own=day == written, rests=Rests(rests.basis, rests.said, source, rests.offset))


def _is_near(day: str, written: str) -> bool:
    return (date.fromisoformat(written) - date.fromisoformat(day)).days <= _NEAR
