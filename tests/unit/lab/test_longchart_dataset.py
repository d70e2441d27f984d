"""The adapter on a small generated folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chartcite.lab.cases import Case, CorpusItem, cluster_of
from chartcite.lab.dataset import qrels_of
from chartcite.lab.datasets.longchart import DATASET
from chartcite.lab.errors import BadTable, MissingData
from chartcite.lab.longchart import generate
from chartcite.lab.rows import read_rows_jsonl, write_rows_jsonl


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("longchart") / "out"
    generate(2, 3, {"en": 0.5, "pt": 0.5}, folder, formats=("jsonl",), scale=0.1)
    return folder


def _read(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text("utf-8").splitlines())


def test_one_item_a_note(folder: Path) -> None:
    rows = list(_read(folder / "notes.jsonl"))
    items = list(DATASET.corpus(folder))
    assert [(i.id, i.text, i.patient_id, i.time, i.note_type, i.lang) for i in items] == [
        (r["doc_id"], r["text"], r["patient_id"], r["time"], r["note_type"], r["lang"]) for r in rows
    ]
    assert all(not i.title for i in items)  # it would go above the text and move every offset
    assert {i.lang for i in items} == {"en", "pt"}


def test_one_case_a_question(folder: Path) -> None:
    rows = list(_read(folder / "questions.jsonl"))
    cases = list(DATASET.cases(folder))
    assert [(c.id, c.question, c.split, c.group, c.as_of, c.references) for c in cases] == [
        (r["id"], r["question"], r["split"], r["kind"], r["as_of"] or "", (r["answer"]["text"],)) for r in rows
    ]
    assert any(c.as_of for c in cases)
    assert {cluster_of(c) for c in cases} == {r["patient_id"] for r in rows}


def test_relevant_notes_are_those_of_the_qrels(folder: Path) -> None:
    wanted: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.txt").read_text("utf-8").splitlines():
        case, _, doc_id, grade = line.split()
        wanted.setdefault(case, {})[doc_id] = int(grade)
    assert qrels_of(DATASET.cases(folder)) == wanted
    absent = [c for c in DATASET.cases(folder) if c.group == "absent"]
    assert absent
    assert not any(c.relevant for c in absent)


@pytest.mark.parametrize(("kind", "row"), [("cases", Case), ("corpus", CorpusItem)])
def test_rows_go_to_a_file_and_back(folder: Path, tmp_path: Path, kind: Any, row: type[Any]) -> None:
    rows = list(DATASET.rows(kind, folder))
    write_rows_jsonl(tmp_path / "rows.jsonl", rows)
    assert list(read_rows_jsonl(tmp_path / "rows.jsonl", row)) == rows


@pytest.mark.parametrize("kind", ["cases", "corpus"])
def test_what_is_not_there_is_made_by_a_command(tmp_path: Path, kind: Any) -> None:
    with pytest.raises(MissingData, match="The data set longchart is not in ") as caught:
        list(DATASET.rows(kind, tmp_path))
    assert f"chartcite lab generate longchart --out {tmp_path}" in caught.value.advice


def test_another_files_content_is_a_named_error(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text('{"id": "1", "question": "q"}\n', "utf-8")
    with pytest.raises(BadTable, match="no field 'answer'"):
        list(DATASET.cases(tmp_path))
