"""Tables: questions read from files, rows as CSV that no spreadsheet runs, and resuming."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from chartcite.app.cli.files import UnreadableFile
from chartcite.app.cli.table import Part
from chartcite.app.questions import read_questions
from chartcite.app.render.layout import ASCII, Paper, plain
from chartcite.app.render.question_table import LONG, long_rows, table_lines, wide_columns, wide_rows
from chartcite.core.table import Asked
from chartcite.lab.csv_safe import csv_text
from chartcite.lab.errors import BadTable


def document(doc_id: str, **fields: Any) -> dict[str, Any]:
    base = {"title": "T", "time": None, "authors": ["Aalto R", "Osei K"], "year": "2019", "doi": None, "pmid": None}
    return {"doc_id": doc_id, **base, "url": None, **fields}


def cell(doc_id: str, text: str | None, **fields: Any) -> dict[str, Any]:
    cited = {"page": 3, "start": 5, "end": 9, "quote": text}
    sentence = {"text": text, "verdict": "supported", "citations": [cited]} if text else None
    base: dict[str, Any] = {"sentence": sentence, "corrections": [], "relevance": 5, "fallbacks": []}
    return {"doc_id": doc_id, **base, "reason": None if text else "weak_evidence", **fields}


TABLE: dict[str, Any] = {
    "documents": [document("a.pdf"), document("b.pdf", title="=cmd", authors=[], year=None, time="2020-01-02")],
    "questions": [
        {"id": "1", "question": "Which dose?", "cells": [
            cell("a.pdf", "=5 mg\nnightly", corrections=[{"text": "Not 5 but 4 mg."}]),
            cell("b.pdf", None, reason="not_mentioned", relevance=None)]},
        {"id": "2", "question": "Which dose?", "cells": [
            cell("a.pdf", None), cell("b.pdf", "Once daily.", fallbacks=["lenient_evidence", "correction_found"])]},
    ],
}  # fmt: skip


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_a_cell() -> None:
    text, count = csv_text(LONG, long_rows(TABLE))
    rows = read(text)
    assert count == len(rows) == 4
    assert [(r["question_id"], r["doc_id"]) for r in rows] == [
        ("1", "a.pdf"), ("1", "b.pdf"), ("2", "a.pdf"), ("2", "b.pdf")
    ]  # fmt: skip
    assert rows[0]["answer"] == "'=5 mg nightly"  # no spreadsheet runs it
    assert (rows[0]["corrections"], rows[0]["page"], rows[0]["start"]) == ("Not 5 but 4 mg.", "3", "5")
    assert (rows[1]["answer"], rows[1]["reason"], rows[1]["title"]) == ("", "not_mentioned", "'=cmd")
    assert rows[3]["fallbacks"] == "lenient_evidence; correction_found"


def test_a_row_a_document() -> None:
    text, count = csv_text(wide_columns(TABLE), wide_rows(TABLE))
    rows = read(text)
    assert count == 2
    assert rows[0]["Which dose?"] == "'=5 mg nightly (p. 3) [correction: Not 5 but 4 mg.]"
    assert rows[0]["2: Which dose?"] == "[weak evidence]"
    assert rows[1]["Which dose?"] == "[not mentioned]"


@pytest.mark.parametrize("width", [20, 80])
def test_lines(width: int) -> None:
    said = plain(table_lines(TABLE, Paper(width, ASCII)))
    assert said.isascii()
    assert all(len(line) <= max(width, 30) and line == line.rstrip() for line in said.split("\n"))
    if width == 80:
        assert "Aalto R et al. 2019 - page 3\n    =5 mg nightly\n    correction: Not 5 but 4 mg." in said
        assert "1 of 2 documents; not mentioned in 1" in said


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("q.txt", "One?\n\n  Two  words?\n", [Asked("1", "One?"), Asked("2", "Two words?")]),
        ("q.csv", 'id,question\nx,"A, b?"\n,C?\n', [Asked("x", "A, b?"), Asked("2", "C?")]),
        ("q.jsonl", '{"id": 7, "question": "A?"}\n\n{"text": "B?"}\n', [Asked("7", "A?"), Asked("2", "B?")]),
    ],
)
def test_questions(tmp_path: Path, name: str, text: str, expected: list[Asked]) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert read_questions(tmp_path / name) == expected


@pytest.mark.parametrize(
    ("name", "text"), [("q.txt", "\n"), ("q.csv", "id\n1\n"), ("q.jsonl", "[1]\n"), ("q.jsonl", '{"question": 1}\n')]
)
def test_what_holds_no_questions_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises((UnreadableFile, BadTable)):
        read_questions(tmp_path / name)


def test_an_interrupted_table_keeps_its_whole_rows(tmp_path: Path) -> None:
    part = Part(tmp_path / "t.csv.part")
    assert part.rows("k") == []
    part.begin("k", [])
    part.add({"id": "1"})
    part.add({"id": "2", "text": "two\nlines"})
    with part.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "3"})[:-2])  # torn
    assert [row["id"] for row in part.rows("k")] == ["1", "2"]
    assert part.rows("another") == []  # other questions, documents, settings or another state of the store
    part.begin("k", part.rows("k"))
    part.add({"id": "3"})
    assert [row["id"] for row in part.rows("k")] == ["1", "2", "3"]


def test_a_kept_row_that_was_changed_is_made_again_with_all_after_it(tmp_path: Path) -> None:
    part = Part(tmp_path / "t.csv.part")
    part.begin("k", [{"id": "1"}, {"id": "2", "text": "Warfarin 5 mg"}, {"id": "3"}])
    whole = part.path.read_text("utf-8")
    part.path.write_text(whole.replace("5 mg", "50 mg"), "utf-8")
    assert [row["id"] for row in part.rows("k")] == ["1"]
    part.path.write_text(whole + "{not json\n", "utf-8")
    assert [row["id"] for row in part.rows("k")] == ["1", "2", "3"]
