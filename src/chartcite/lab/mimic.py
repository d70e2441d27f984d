"""Notes of MIMIC-III and MIMIC-IV as the context of a question set: which notes, cleaned how, in which order.

Paper 000 puts each patient's other notes around the note a question is about (its appendix C.2): boilerplate taken out,
equal notes once, times in one form, the type of each note and its stay kept. The files are the user's own copies; read
by the same reader as `chartcite ingest`, row by row. Frequent lines are *not* taken for boilerplate: "No known
allergies" is frequent. Only what says nothing about anybody is taken out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from chartcite.core.documents import text_sha256
from chartcite.core.reading import Found, ReadOptions
from chartcite.lab.cases import CorpusItem
from chartcite.lab.datafiles import locate
from chartcite.readers.mimic import READER

TABLES = ("discharge.csv", "radiology.csv", "NOTEEVENTS.csv")
"""Where notes are, in the data set's folder or in `mimic/` or `note/` below it; as they are or with `.gz`."""
_FOLDERS = ("", "mimic/", "note/")
_NOTHING_SAID = re.compile(
    r"""[ \t]*(?:
      [_=*-]{3,}                                     # rulers
    | \(?\s*(?:over|cont(?:inued)?|cont'd)\.?\s*\)?  # page turns
    | final\s+report | wet\s+read(?:\s+version.*)?
    | (?:electronically\s+)?signed\s+(?:electronically\s+)?by:?(?:\s*[_*\[].*)?
    | (?:dictated|completed|transcribed)\s+by:?(?:\s*[_*\[].*)?
    | (?:job\s*\#?|d|t|dd|dt|td|tt):\s*(?:\[\*\*[^\]\n]*\*\*\]|_{2,})[\d:\s]*(?:[ap]\.?m\.?)?  # only where masked
    )[ \t]*""",
    re.IGNORECASE | re.VERBOSE,
)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


@dataclass(frozen=True, slots=True)
class Stay:
    """The notes of one stay, oldest first; `encounter_id` is empty for what was written outside any."""

    patient_id: str
    encounter_id: str
    notes: tuple[CorpusItem, ...]


def tables_of(folder: Path) -> list[Path]:
    """The note tables that are there, one copy each."""
    found = (locate(folder, *(f"{below}{name}" for below in _FOLDERS)) for name in TABLES)
    return [path for path in found if path is not None]


def notes_of(
    folder: Path, patients: Container[str] | None = None, leaving_out: Container[str] = frozenset()
) -> Iterator[CorpusItem]:
    """Notes in the order of the files, cleaned, a patient's equal texts once; what was entered in error is left out.

    Args:
        folder: with any of `TABLES`; without any there are no notes.
        patients: of these only; None is everybody. Memory grows with the number of notes by a hash each.
        leaving_out: ids of notes that are there already.
    """
    seen: set[tuple[str, str]] = set()
    for path in tables_of(folder):
        for found in READER.read(path, path.name, "", ReadOptions()):
            if not isinstance(found, Found) or found.document.status == "entered-in-error":
                continue
            patient, note = found.patient_id or "", found.document
            if (patients is not None and patient not in patients) or note.doc_id in leaving_out:
                continue
            text = without_boilerplate(note.text)
            key = (patient, text_sha256(text))
            if text.strip() and key not in seen:
                seen.add(key)
                yield CorpusItem(
                    note.doc_id, text, patient_id=patient, time=note.time.text if note.time else "",
                    note_type=note.note_type, encounter_id=note.encounter_id,
                )  # fmt: skip


def patients_of(folder: Path, notes: Container[str]) -> dict[str, str]:
    """Whose notes these are, by note id; only of those that the tables hold."""
    found: dict[str, str] = {}
    for path in tables_of(folder):
        for note in READER.read(path, path.name, "", ReadOptions()):
            if isinstance(note, Found) and note.document.doc_id in notes:
                found[note.document.doc_id] = note.patient_id or ""
    return found


def without_boilerplate(text: str) -> str:
    r"""A note without the lines that say nothing: rulers, page turns, who signed, job numbers.

    >>> without_boilerplate("INR 2.5\n_______\n(Over)\nNo known allergies.\n")
    'INR 2.5\nNo known allergies.\n'
    """
    lines = text.split("\n")
    kept = [line for line in lines if not line.strip() or not _NOTHING_SAID.fullmatch(line.rstrip("\r"))]
    return _BLANK_LINES.sub("\n\n", "\n".join(kept)) if len(kept) < len(lines) else text


def stays_of(items: Iterable[CorpusItem]) -> tuple[Stay, ...]:
    """Notes by patient and stay: patients by id, stays by their first note, notes by time, then by id.

    What belongs to no stay stands together, per patient, as a stay of its own. An undated note goes first.
    """
    by_stay: dict[tuple[str, str], list[CorpusItem]] = {}
    for item in items:
        by_stay.setdefault((item.patient_id, item.encounter_id), []).append(item)
    stays = [
        Stay(patient, encounter, tuple(sorted(notes, key=lambda note: (note.time, note.id))))
        for (patient, encounter), notes in by_stay.items()
    ]
    return tuple(sorted(stays, key=lambda stay: (stay.patient_id, stay.notes[0].time, stay.encounter_id)))
