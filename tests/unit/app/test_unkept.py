"""After a change of the rules, `doctor`, `ask` and `timeline` say that findings are made anew, and `index` ends it."""

from __future__ import annotations

import json
import sqlite3
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.app.cli import options, unkept
from chartcite.app.cli.main import main
from chartcite.app.doctor import _store
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.database import FILE

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder


@pytest.fixture
def store(tmp_path: Path, fake_encoder: FakeEncoder) -> Path:
    notes = [
        {"doc_id": f"d{n}", "patient_id": "p", "time": f"2031-03-{n + 1:02d}", "text": f"Potassium 4.{n % 10} mmol/L."}
        for n in range(unkept.ENOUGH)
    ]
    (tmp_path / "notes.jsonl").write_text("\n".join(map(json.dumps, notes)), "utf-8")
    engines = Engines(Settings())
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", Settings(), engines=engines) as book:
        book.ingest(tmp_path / "notes.jsonl")
        assert book.unkept_findings() == book.unkept_findings("p") == 0
    return tmp_path / "store"


def change_rules(store: Path, documents: int) -> None:
    with sqlite3.connect(store / FILE) as connection:
        connection.execute("UPDATE findings SET rules = 'earlier' WHERE document <= ?", (documents,))
    connection.close()


def test_the_doctor_and_the_timeline_say_it(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", "potassium", "-p", "p", "--store", str(store)]) == 0
    assert capsys.readouterr().err == ""
    change_rules(store, 99)
    assert main(["timeline", "potassium", "-p", "p", "--store", str(store), "--json"]) == 0
    said = capsys.readouterr()
    assert f"{unkept.ENOUGH} documents" in said.err
    assert "chartcite index" in said.err
    assert json.loads(said.out)
    (check,) = (c for c in _store(options.configure(str(store), None, None)) if c.name == "timeline")
    assert (check.status, f"{unkept.ENOUGH} documents" in check.detail) == ("warn", True)


def test_a_few_documents_are_not_worth_a_word(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change_rules(store, unkept.ENOUGH - 1)
    assert main(["timeline", "potassium", "-p", "p", "--store", str(store)]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_no_evidence_is_not_missed(tmp_path: Path, fake_encoder: FakeEncoder) -> None:
    """One of the demo's patients has a withdrawn note and a corrected one."""
    engines = Engines(Settings())
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", Settings(), engines=engines) as book, as_file(files("chartcite.demo")) as data:
        book.ingest(data / "records", patient_from_folder=True)
        states = {row[0] for row in book.store._connection.execute("SELECT status FROM documents")}
        assert states >= {"entered-in-error", "superseded"}
        assert book.unkept_findings() == 0
