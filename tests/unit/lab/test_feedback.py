"""What people said of answers becomes questions that the lab reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chartcite.core.errors import UsageError
from chartcite.lab.datasets.plain_csv import DATASET
from chartcite.lab.feedback import QUESTIONS, ROWS, export_feedback


def row(number: int, verdict: str, **sentences: str) -> dict[str, Any]:
    shown = [
        {"text": "Warfarin 5 mg.", "citations": [{"doc_id": "a.txt"}]},
        {"text": "=1+1 INR 2.4.", "citations": [{"doc_id": "b.txt"}, {"doc_id": "a.txt"}]},
    ]
    answer = {"question": 'Dose, or\n"not"?', "scope": {"patient": "p1"}, "sentences": shown}
    return {"schema": "chartcite.feedback/1", "id": number, "at": "2026-01-01T00:00:00+00:00", "verdict": verdict,
            "sentences": sentences, "comment": "=cmd", "who": "ana", "answer": answer}  # fmt: skip


def test_the_lab_reads_what_was_said(tmp_path: Path) -> None:
    rows = [row(1, "right"), row(2, "wrong"), row(3, "right", **{"2": "wrong"}), row(4, "missing")]
    assert export_feedback(rows, tmp_path / "out") == {"missing": 1, "right": 2, "wrong": 1}
    cases = list(DATASET.cases(tmp_path / "out"))
    assert [(c.id, c.group, c.patient_id) for c in cases] == [
        ("f1", "right", "p1"), ("f2", "wrong", "p1"), ("f3", "right", "p1"), ("f4", "missing", "p1"),
    ]  # fmt: skip
    assert cases[0].references == ("Warfarin 5 mg. =1+1 INR 2.4.",)
    assert [r.item_id for r in cases[0].relevant] == ["a.txt", "b.txt"]
    assert cases[1].references == ()
    assert cases[2].references == ("Warfarin 5 mg.",)
    assert cases[0].question == 'Dose, or\n"not"?'
    kept = [json.loads(line) for line in (tmp_path / "out" / ROWS).read_text("utf-8").splitlines()]
    assert kept == rows
    for name in (QUESTIONS, ROWS):
        assert (tmp_path / "out" / name).stat().st_mode & 0o77 == 0


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(UsageError):
        export_feedback([], tmp_path)
    assert (tmp_path / "there").read_text() == "mine"
