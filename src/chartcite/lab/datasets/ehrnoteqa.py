"""EHRNoteQA: questions about a patient's discharge summaries, five options each (Kweon et al., NeurIPS 2024).

`EHRNoteQA.jsonl` names the patient only; the summaries come from MIMIC-IV-Note's `discharge.csv.gz` in the same folder
(or `mimic/` or `note/` below it), the first `num_notes` of the patient by time. Other notes of the patient in the
tables that are there are context. The processed form with `note_1`, `note_2`, `note_3` is read as well; it has no
context. A question can be asked with its options, or without them: then the right option's words are the reference.
White space of the notes stays as it is, where the publishers' script squeezes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.choices import letter_of
from chartcite.lab.datafiles import read_objects, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field
from chartcite.lab.mimic import notes_of

_OPTIONS = "ABCDE"
_SUMMARY = "Discharge summary"


class Ehrnoteqa(Dataset):
    """Corpus (the patients' notes) and cases."""

    card = Card(
        "ehrnoteqa",
        "PhysioNet Credentialed Health Data License 1.5.0",
        "physionet.org/content/ehr-notes-qa-llms, with mimic-iv-note",
        "Kweon et al., NeurIPS 2024, EHRNoteQA",
        expected=(Expected("cases", 962),),
        note="Credentialed data: a run folder is as confidential as the records.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """The patients' notes: the processed form's own, else those of the MIMIC tables."""
        rows = list(_rows(folder))
        processed = {note.id: note for row in rows for note in _processed(row)}
        yield from processed.values()
        yield from notes_of(folder, {_patient(row) for row in rows} - {note.patient_id for note in processed.values()})

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions in the order of the file; a patient's second question is `PATIENT/2`."""
        rows = list(_rows(folder))
        summaries = _summaries(folder, rows)
        asked: dict[str, int] = defaultdict(int)
        for row in rows:
            patient = _patient(row)
            asked[patient] += 1
            choices = tuple(str(field(row, f"choice_{option}", "ehrnoteqa")) for option in _OPTIONS)
            case = patient if asked[patient] == 1 else f"{patient}/{asked[patient]}"
            right = letter_of(str(field(row, "answer", "ehrnoteqa")), choices, f"ehrnoteqa, question {case}")
            notes = [note.id for note in _processed(row)] or summaries[patient][: int(row.get("num_notes") or 3)]
            yield Case(
                case, field(row, "question", "ehrnoteqa"), references=(choices[_OPTIONS.index(right)],),
                relevant=tuple(map(Relevant, notes)), label=right, group=str(row.get("category") or ""),
                patient_id=patient, choices=choices, forms=("open", "choice"),
            )  # fmt: skip


def _summaries(folder: Path, rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Ids of the patients' discharge summaries, oldest first."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    if not any(_processed(row) for row in rows):
        for note in notes_of(folder, {_patient(row) for row in rows}):
            if note.note_type == _SUMMARY:
                found[note.patient_id].append((note.time, note.id))
    return defaultdict(list, {patient: [note for _, note in sorted(notes)] for patient, notes in found.items()})


def _processed(row: dict[str, Any]) -> list[CorpusItem]:
    patient = _patient(row)
    return [
        CorpusItem(f"{patient}-note-{n}", row[f"note_{n}"], patient_id=patient, note_type=_SUMMARY)
        for n in (1, 2, 3)
        if row.get(f"note_{n}")
    ]


def _patient(row: dict[str, Any]) -> str:
    return str(field(row, "patient_id", "ehrnoteqa"))


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    return read_objects(wanted("ehrnoteqa", folder, "EHRNoteQA.jsonl", "EHRNoteQA_processed.jsonl"))


DATASET = Ehrnoteqa()
