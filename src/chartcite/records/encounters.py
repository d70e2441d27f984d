"""Stays and visits: the notes of one encounter, from the first to the last day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from chartcite.core.stored import DocumentInfo


@dataclass(frozen=True, slots=True)
class Encounter:
    """One encounter, by the source's own identifier.

    `kind`: a `stay` has notes of more than one day, and a discharge or admission note or a nurse's among them; days
    apart without one are a `visit` with later additions.
    """

    encounter_id: str
    kind: Literal["stay", "visit"]
    first: str
    last: str
    note_types: tuple[str, ...]
    doc_ids: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "encounter_id": self.encounter_id, "kind": self.kind, "first": self.first, "last": self.last,
            "note_types": list(self.note_types), "doc_ids": list(self.doc_ids),
        }  # fmt: skip


_OF_STAYS = ("discharge", "admission", "nursing", "inpatient", "alta", "enferm", "admiss", "interna")


def encounters(documents: Sequence[DocumentInfo]) -> list[Encounter]:
    """The encounters of a record, oldest first; notes without an identifier or a date belong to none."""
    by_id: dict[str, list[DocumentInfo]] = defaultdict(list)
    for document in documents:
        if document.encounter_id and document.time:
            by_id[document.encounter_id].append(document)
    found = [_encounter(name, own) for name, own in by_id.items()]
    return sorted(found, key=lambda e: (e.first, e.encounter_id))


def _encounter(name: str, own: Sequence[DocumentInfo]) -> Encounter:
    days = sorted(d.time.date for d in own if d.time)
    types = tuple(sorted({d.note_type for d in own if d.note_type}))
    is_stay = days[0] != days[-1] and any(mark in t.lower() for t in types for mark in _OF_STAYS)
    return Encounter(
        name, "stay" if is_stay else "visit", days[0], days[-1], types, tuple(d.doc_id for d in own)
    )  # fmt: skip
