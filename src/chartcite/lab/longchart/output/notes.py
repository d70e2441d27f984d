"""Notes as text files in folders of patients, and as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.notes.paper import Note


def write_text(notes: Iterable[Note], folder: Path) -> None:
    """`folder/PATIENT/YYYY-MM-DD_HHMM_note-type[_n].txt`; the path below `folder` is the doc_id."""
    for note in notes:
        path = folder / note.doc_id
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(note.text.encode("utf-8"))


def write_lines(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """One JSON object a line, keys in order of insertion."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False, separators=(", ", ": ")) + "\n")


def note_rows(notes: Sequence[Note]) -> Iterable[dict[str, Any]]:
    """The rows of `notes.jsonl`."""
    for note in notes:
        yield {
            "doc_id": note.doc_id, "patient_id": note.patient_id, "time": note.time, "note_type": note.note_type,
            "text": note.text, "encounter_id": f"{note.patient_id}.{note.encounter}", "author": note.author,
            "lang": note.lang, "title": note.title, "fhir_id": fhir_id(note.doc_id),
        }  # fmt: skip


def fhir_id(doc_id: str) -> str:
    """A doc_id as a FHIR id: letters, digits, `-` and `.`, at most 64.

    >>> fhir_id("lc-en-01/2010-01-02_0930_lab-report_2.txt")
    'lc-en-01.2010-01-02.0930.lab-report.2'
    """
    return doc_id.removesuffix(".txt").replace("/", ".").replace("_", ".")[:64]
