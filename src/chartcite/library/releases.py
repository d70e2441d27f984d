"""A patient's documents with surrogates for what identifies: what can be handed on, as far as rules can tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chartcite.deid.deidentifier import Deidentifier, Hidden, HiddenSpan
from chartcite.store.reader import PartitionReader

SCHEMA = "chartcite.deidentified/1"


@dataclass(frozen=True, slots=True)
class Release:
    """One document. Its id, and the patient's, are numbers in the order of the record; its time is moved."""

    doc_id: str
    patient_id: str
    time: str
    note_type: str
    lang: str
    text: str
    spans: tuple[HiddenSpan, ...]
    counts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """A line that `chartcite ingest` reads; spans are of the new text, and hold nothing of the old."""
        return {
            "doc_id": self.doc_id, "patient_id": self.patient_id, "time": self.time or None,
            "note_type": self.note_type, "lang": self.lang, "text": self.text,
            "hidden": [{"start": s.new_start, "end": s.new_end, "kind": s.kind} for s in self.spans],
        }  # fmt: skip


def release(reader: PartitionReader, hider: Deidentifier) -> Iterator[Release]:
    """Every document that may be evidence, oldest first."""
    patient = hider.hide(reader.scope.name).text
    for n, info in enumerate(reader.documents(), start=1):
        document = reader.document(info.key)
        hidden: Hidden = hider.hide(document.text)
        yield Release(
            doc_id=f"note-{n:04}", patient_id=patient, time=hider.move(info.time.text) if info.time else "",
            note_type=hider.hide(document.note_type).text, lang=document.lang, text=hidden.text, spans=hidden.spans,
            counts=hidden.counts,
        )  # fmt: skip
