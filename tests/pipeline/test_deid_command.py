"""`chartcite deid`: what is written names nobody, is counted on stderr, and a record can be ingested again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.pipeline.test_small_records import note, put

from chartcite.app.cli.main import main
from chartcite.library.book import Book

NOTE = "Patient: Ottoline Grabowski\nSeen on 2019-03-02 by Dr. Hartigan. Warfarin 5 mg every evening.\n"
LATER = "Ms. Grabowski was seen on 2019-03-09 by Dr. Hartigan. INR 2.4.\n"


@pytest.fixture
def book(demo: Book, tmp_path: Path) -> Iterator[Book]:
    with Book(tmp_path / "store", engines=demo.engines) as opened:
        yield opened


def test_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "note.txt"
    path.write_text(NOTE)
    assert main(["deid", str(path)]) == 0
    shown = capsys.readouterr()
    assert "Warfarin 5 mg every evening." in shown.out
    assert not any(word in shown.out for word in ("Ottoline", "Grabowski", "Hartigan", "2019-03-02"))
    assert "Hidden in 1 document: date 1, name 2." in shown.err
    assert "No rules find everything" in shown.err
    assert main(["deid", str(path), "--out", str(tmp_path / "out.jsonl"), "--json"]) == 0
    row = json.loads((tmp_path / "out.jsonl").read_text())
    assert [span["kind"] for span in row["hidden"]] == ["name", "date", "name"]
    for span in row["hidden"]:
        assert row["text"][span["start"] : span["end"]].strip()


@pytest.mark.parametrize(
    ("command", "named"),
    [
        (["deid", "note.txt", "--store", "s"], "--store"),
        (["deid", "note.txt", "--preset", "default"], "--preset"),
        (["deid", "note.txt", "--config", "c.toml"], "--config"),
        (["deid", "--patient", "p", "--encoding", "latin-1"], "--encoding"),
        (["ask", "Why?", "--patient", "p", "--timings", "--format", "markdown"], "--timings"),
    ],
    ids=["store", "preset", "config", "encoding", "timings"],
)
def test_options_that_would_do_nothing_are_refused(
    command: list[str], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text(NOTE)
    assert main(command) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert named in shown.err


def test_a_record_is_the_same_every_time_and_can_be_ingested(
    book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(book, tmp_path, note("d1", NOTE, "2019-03-02", patient_id="grabowski-1"))
    put(book, tmp_path, note("d2", LATER, "2019-03-09", patient_id="grabowski-1"))
    how = ["deid", "--patient", "grabowski-1", "--store", str(book.store.folder), "--out"]
    outs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    assert [main([*how, str(out)]) for out in outs] == [0, 0]
    assert "Hidden in 2 documents" in capsys.readouterr().err
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert b"rabowski" not in outs[0].read_bytes()
    rows = [json.loads(line) for line in outs[0].read_text().splitlines()]
    assert [row["doc_id"] for row in rows] == ["note-0001", "note-0002"]
    assert all(row["time"] in row["text"] for row in rows)  # moved like the dates in the text
    book.ingest(outs[0])
    assert [p.documents for p in book.patients()] == [2, 2]


def test_neither_or_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deid"]) == 2
    assert main(["deid", str(tmp_path / "nothing.txt")]) == 2
    assert "There is no file" in capsys.readouterr().err
