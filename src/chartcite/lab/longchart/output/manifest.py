"""Counts, hashes and shares, so that anyone can tell two copies apart."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chartcite.lab.longchart.facts.model import Life
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.model import Question

FORMAT = "chartcite.longchart/1"
VERSION = "1"


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a note, white space evened out."""
    return [" ".join(p.split()) for p in re.split(r"\n\s*\n", text) if p.strip()]


def patient_row(life: Life, notes: Sequence[Note]) -> dict[str, Any]:
    """One patient's line of `patients.jsonl`."""
    parts = [p for n in notes for p in paragraphs(n.text)]
    masked = [re.sub(r"\d+", "0", p) for p in parts]
    person = life.person
    return {
        "patient_id": person.patient_id,
        "name": person.name,
        "sex": person.sex,
        "born": person.born.isoformat(),
        "lang": person.lang,
        "split": person.split,
        "twin": person.twin or None,
        "first": notes[0].time,
        "last": notes[-1].time,
        "notes": len(notes),
        "words": sum(len(n.text.split()) for n in notes),
        "paragraphs": len(parts),
        "unique_paragraphs": len(set(parts)),
        "unique_paragraphs_digits_masked": len(set(masked)),
        "stays": len(life.stays),
        "results": len(life.results),
        "doses": len(life.doses),
        "note_types": dict(sorted(Counter(n.note_type for n in notes).items())),
    }


def manifest(
    folder: Path, settings: Mapping[str, Any], patients: Sequence[Mapping[str, Any]], questions: Sequence[Question]
) -> dict[str, Any]:
    """The manifest of a written data set. Folders of notes and bundles have one hash each, over names and contents."""
    kinds: dict[str, dict[str, int]] = {}
    for question in questions:
        row = kinds.setdefault(question.kind, {"dev": 0, "test": 0})
        row[question.split] += 1
    parts, unique = (sum(int(p[k]) for p in patients) for k in ("paragraphs", "unique_paragraphs"))
    return {
        "format": FORMAT,
        "version": VERSION,
        **settings,
        "counts": {
            "patients": len(patients),
            "notes": sum(int(p["notes"]) for p in patients),
            "words": sum(int(p["words"]) for p in patients),
            "paragraphs": parts,
            "unique_paragraph_share": round(unique / max(1, parts), 4),
            "questions": len(questions),
            "answerable": sum(q.answerable for q in questions),
        },
        "kinds": dict(sorted(kinds.items())),
        "note_types": dict(sorted(sum((Counter(p["note_types"]) for p in patients), Counter()).items())),
        "sha256": _hashes(folder),
    }


def _hashes(folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name == "manifest.json":
            continue
        name = path.relative_to(folder).as_posix()
        if name.startswith("notes/"):
            continue
        found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    for patient in sorted(p for p in (folder / "notes").iterdir() if p.is_dir()) if (folder / "notes").is_dir() else []:
        digest = hashlib.sha256()
        for path in sorted(patient.iterdir()):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        found[f"notes/{patient.name}/"] = digest.hexdigest()
    return found


def write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """`manifest.json`."""
    (folder / "manifest.json").write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
