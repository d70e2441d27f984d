"""EHR-DS-QA: questions that two models wrote about discharge summaries; 506 were checked (Kotschenreuther, 2024).

Splits: `verified` (checked and found right: the 478 that paper 000 uses), `incorrect` (checked and found wrong),
`unverified`. A case's relevant item is the note it was written about; the other notes of its patient in the MIMIC-IV
tables of the folder are context.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chartcite.lab.cases import Case, CorpusItem, Relevant
from chartcite.lab.datafiles import read_list, wanted
from chartcite.lab.dataset import Card, Dataset, Expected, field
from chartcite.lab.mimic import notes_of

_NOTE_TYPES = {"DS": "Discharge summary", "AD": "Discharge summary addendum"}


class EhrDsQa(Dataset):
    """Corpus (the notes asked about, and their patients' others) and cases."""

    card = Card(
        "ehr_ds_qa",
        "PhysioNet Credentialed Health Data License 1.5.0",
        "physionet.org/content/ehr-ds-qa, with mimic-iv-note",
        "Kotschenreuther, EHR-DS-QA, PhysioNet 2024",
        expected=(Expected("cases", 478, split="verified"), Expected("cases", 28, split="incorrect")),
        note="Written by models; take the split verified. Credentialed data.",
    )

    def corpus(self, folder: Path) -> Iterator[CorpusItem]:
        """Each note once; then, of the MIMIC tables, what else there is of these patients."""
        seen: dict[str, str] = {}
        for row in _rows(folder):
            note, patient = _note_id(row), str(row.get("subject_id") or _note_id(row))
            if note not in seen:
                seen[note] = patient
                kind = str(row.get("note_type") or "")
                yield CorpusItem(
                    note, field(row, "note", "ehr_ds_qa"), patient_id=patient, note_type=_NOTE_TYPES.get(kind, kind),
                    time=str(row.get("charttime") or ""), encounter_id=str(row.get("hadm_id") or ""),
                )  # fmt: skip
        yield from notes_of(folder, set(seen.values()), seen)

    def cases(self, folder: Path) -> Iterator[Case]:
        """The questions, note by note, numbered within the row."""
        for number, row in enumerate(_rows(folder), start=1):
            note = _note_id(row)
            own = str(row.get("original_id") or number)
            for n, pair in enumerate(field(row, "qa_pairs", "ehr_ds_qa"), start=1):
                yield Case(
                    f"{own}/{n}", field(pair, "question", "ehr_ds_qa"), _split(row, pair),
                    references=(field(pair, "answer", "ehr_ds_qa"),), relevant=(Relevant(note),),
                    patient_id=str(row.get("subject_id") or note),
                )  # fmt: skip


def _split(row: dict[str, Any], pair: dict[str, Any]) -> str:
    """By the marks on the row and on the pair; a pair that was checked says whether it is correct."""
    if not pair.get("human_verified", row.get("human_verified", False)):
        return "unverified"
    return "verified" if pair.get("correct") else "incorrect"


def _note_id(row: dict[str, Any]) -> str:
    return str(field(row, "note_id", "ehr_ds_qa"))


def _rows(folder: Path) -> list[dict[str, Any]]:
    return read_list(wanted("ehr_ds_qa", folder, "discharge_notes_qa.json", "discharge_notes_qa.jsonl"))


DATASET = EhrDsQa()
