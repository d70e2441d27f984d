"""All that identifies somebody in a text, in order, without overlaps; masks that are there already stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chartcite.deid.addresses import find_addresses
from chartcite.deid.ages import find_ages
from chartcite.deid.contacts import find_contacts
from chartcite.deid.dates import FoundDate, find_all
from chartcite.deid.ids import find_ids
from chartcite.deid.known import RecordFacts
from chartcite.deid.masks import find_masks
from chartcite.deid.mentions import Mention
from chartcite.deid.names import find_names
from chartcite.deid.places import find_places
from chartcite.text.escapes import blank_escapes

_UNHIDEABLE = re.compile(r'[\x00-\x1f"\\\x7f\u2028\u2029]')
"""What no mention but a label may hold: it would not stand in one line of JSON."""


@dataclass(frozen=True, slots=True)
class Found:
    """One mention; a date comes with what it says."""

    mention: Mention
    date: str = ""


def find(text: str, record: RecordFacts) -> list[Found]:
    """Mentions from left to right. Of two that overlap the more certain kind is taken, and of one kind the longer."""
    taken = bytearray(len(text))
    for start, end in find_masks(text, record.names.names):
        taken[start:end] = b"\1" * (end - start)
    kept: list[Found] = []
    for label in _labels(text, record):
        start, end, _ = label.mention
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            kept.append(label)
    for group in _groups(blank_escapes(text), record):
        for found in sorted(group, key=lambda f: (f.mention.start - f.mention.end, f.mention.start)):
            start, end, _ = found.mention
            if start < end and not any(taken[start:end]) and not _UNHIDEABLE.search(_flat(text, found)):
                taken[start:end] = b"\1" * (end - start)
                kept.append(found)
    return sorted(kept, key=lambda f: f.mention.start)


def _flat(text: str, found: Found) -> str:
    """The mention; a date may go over the end of a line, since its surrogate does so at the same place."""
    written = text[found.mention.start : found.mention.end]
    return written.replace("\n", " ") if found.date else written


def _labels(text: str, record: RecordFacts) -> list[Found]:
    """The record's own identifiers, the longer ones first."""
    longest = sorted(record.labels, key=lambda label: (-len(label), label))
    return [Found(Mention(m.start(), m.end(), "id")) for label in longest for m in _whole(label).finditer(text)]


def _groups(text: str, record: RecordFacts) -> Iterator[Sequence[Found]]:
    yield [Found(m) for m in find_contacts(text) if m.kind != "phone"]
    dates = [Found(Mention(d.start, d.end, "date"), d.form) for d in _dates(text, record)]
    full = [d for d in dates if len(d.date) > 4]
    yield [d for d in full if d.date.count("-") > 1]
    yield [Found(m) for m in find_ids(text)]
    yield [Found(m) for m in find_contacts(text) if m.kind == "phone"]
    yield [Found(m) for m in find_addresses(text)]
    yield full
    yield dates
    yield [Found(m) for m in find_ages(text)]
    yield [Found(m) for m in find_places(text)]
    yield [Found(Mention(n.start, n.end, "name")) for n in find_names(text, record.names)]


def _dates(text: str, record: RecordFacts) -> Iterator[FoundDate]:
    return find_all(text, day_first=record.day_first)


def _whole(label: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(label)}(?![^\W_])", re.IGNORECASE)
