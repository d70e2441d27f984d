"""From a seed to a folder: lives, notes, questions, files. Same arguments, same bytes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.facts.cast import cast_roles
from chartcite.lab.longchart.facts.course import Course
from chartcite.lab.longchart.facts.model import Life
from chartcite.lab.longchart.notes.chart import write_chart
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.output.fhir import write_fhir
from chartcite.lab.longchart.output.judgements import question_rows, write_qrels
from chartcite.lab.longchart.output.manifest import manifest, patient_row, write_manifest
from chartcite.lab.longchart.output.notes import note_rows, write_lines, write_text
from chartcite.lab.longchart.questions.maker import make_questions
from chartcite.lab.longchart.questions.model import Question

DEFAULT_SEED = 20
DEFAULT_MIX: Mapping[str, float] = {"en": 0.85, "pt": 0.15}
FORMATS = ("notes", "jsonl", "fhir")

Record = tuple[Life, Sequence[Note]]


def records(
    patients: int, seed: int, language_mix: Mapping[str, float] = DEFAULT_MIX, scale: float = 1.0
) -> list[Record]:
    """Lives with their notes, in memory. `scale` shrinks every record (tests)."""
    found: list[Record] = []
    for role in cast_roles(patients, seed, language_mix, scale):
        life = Course(role.person, role.size, seed, role.shape, role.age).live()
        found.append((life, write_chart(life, seed)))
    return found


def questions_of(everybody: Sequence[Record], seed: int) -> list[Question]:
    """All questions, patient by patient."""
    by_id = {life.person.patient_id: (life, notes) for life, notes in everybody}
    return [
        question
        for life, notes in everybody
        for question in make_questions(life, notes, by_id.get(life.person.twin), seed)
    ]


def generate(
    patients: int = 20,
    seed: int = DEFAULT_SEED,
    language_mix: Mapping[str, float] | None = None,
    out: Path | str = "longchart",
    *,
    formats: Collection[str] = FORMATS,
    scale: float = 1.0,
) -> dict[str, Any]:
    """Write a data set and return its manifest.

    Args:
        patients: at least 1; sizes fall from about 800 notes to about 50.
        seed: every byte depends on it and on the other arguments only.
        language_mix: share of patients by language (`en`, `pt`).
        out: a folder that is empty or does not exist.
        formats: which forms of the notes to write beside questions and judgements.
        scale: multiplies the number of notes of every patient.

    Raises:
        ValueError: no patients, an unknown language or format, or a folder that holds something.
    """
    mix = dict(language_mix or DEFAULT_MIX)
    folder = Path(out)
    _check(patients, mix, formats, folder)
    folder.mkdir(parents=True, exist_ok=True)
    everybody = records(patients, seed, mix, scale)
    questions = questions_of(everybody, seed)
    notes = [note for _, written in everybody for note in written]
    if "notes" in formats:
        write_text(notes, folder / "notes")
    if "jsonl" in formats:
        write_lines(note_rows(notes), folder / "notes.jsonl")
    if "fhir" in formats:
        write_fhir(everybody, folder / "fhir")
    rows = [patient_row(life, written) for life, written in everybody]
    write_lines(rows, folder / "patients.jsonl")
    write_lines(question_rows(questions), folder / "questions.jsonl")
    write_qrels(questions, folder / "qrels.txt")
    settings = {"seed": seed, "patients": patients, "language_mix": mix, "scale": scale, "formats": sorted(formats)}
    content = manifest(folder, settings, rows, questions)
    write_manifest(folder, content)
    return content


def _check(patients: int, mix: Mapping[str, float], formats: Collection[str], folder: Path) -> None:
    if patients < 1:
        raise ValueError("patients must be at least 1")
    if unknown := sorted(set(mix) - {"en", "pt"}):
        raise ValueError(f"unknown language: {', '.join(unknown)} (known: en, pt)")
    if unknown := sorted(set(formats) - set(FORMATS)):
        raise ValueError(f"unknown format: {', '.join(unknown)} (known: {', '.join(FORMATS)})")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError("the output folder is not empty")
