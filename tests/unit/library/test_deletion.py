"""After a deletion nothing of a record is left: in no file of the store, in no temporary one, not in this process."""

from __future__ import annotations

import gc
import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import chartcite.core.remembered
from chartcite.core.remembered import forget_remembered
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.database import FILE

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

CANARIES = tuple(f"qz{a}{b}canary" for a in "aeiou" for b in "bdfgkl")
"""Thirty words that nothing else holds."""


def write_records(folder: Path) -> Path:
    """Notes of two patients in several formats; every canary stands in one place of one of them."""
    words = iter(CANARIES)
    inbox = folder / "inbox"
    for name, text in {
        "gone/2031-03-02_letter.txt": f"PLAN {next(words)}\nWarfarin 5 mg daily, {next(words)}. INR 2.2.\n",
        "gone/2031-03-03_note.txt": f"Denies {next(words)}. INR 2.3. No fever, {next(words)}.\n",
        f"gone/{next(words)}.md": f"# {next(words)}\n\nCreatinine 1.3 mg/dL; {next(words)}.\n",
        "stays/2031-03-02_letter.txt": "Metformin 500 mg daily. Potassium 4.4 mmol/L.\n",
    }.items():
        path = inbox / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    rows = [
        {"doc_id": next(words), "patient_id": "gone", "time": "2031-03-04", "note_type": next(words),
         "author": next(words), "title": next(words), "encounter_id": next(words), "text": f"Seen. {next(words)}."},
        {"doc_id": "d2", "patient_id": "gone", "time": "2031-03-05", "text": f"Warfarin 7 mg. {next(words)}."},
    ]  # fmt: skip
    (inbox / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    head = "note_id,person_id,note_date,note_title,note_text"
    table = f'{head}\n{next(words)},gone,2031-03-06,{next(words)},"{next(words)}"\n'
    (inbox / "NOTE.csv").write_text(table, "utf-8")
    report = {"resourceType": "DiagnosticReport", "id": next(words), "status": "final", "code": {"text": next(words)},
              "subject": {"reference": "Patient/gone"}, "conclusion": next(words)}  # fmt: skip
    (inbox / "report.json").write_text(json.dumps(report), "utf-8")
    (inbox / "result.hl7").write_text(
        f"MSH|^~\\&|L||||||ORU^R01|1\rPID|1||gone\rOBR|1|||{next(words)}\rOBX|1|TX|||{next(words)}\r",
        "utf-8",
    )
    (inbox / "summary.xml").write_text(
        '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole><id extension="gone"/></patientRole>'
        f"</recordTarget><component><structuredBody><component><section><title>{next(words)}</title>"
        f"<text>{next(words)}</text></section></component></structuredBody></component></ClinicalDocument>", "utf-8",
    )  # fmt: skip
    (inbox / "gone/loose").mkdir()
    (inbox / f"gone/loose/{next(words)}.txt").write_text("Nobody's.", "utf-8")  # a line of the ledger alone
    rest = list(words)
    (inbox / "gone/rest.txt").write_text(f"Also {' '.join(rest)}.\n", "utf-8")
    assert 0 < len(rest) < 10
    return inbox


@pytest.fixture
def book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[Book]:
    settings = Settings()
    engines = Engines(settings)
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", settings, engines=engines) as made:
        yield made


def traces(folder: Path, words: tuple[str, ...] = CANARIES) -> list[tuple[str, str]]:
    """Which files' bytes hold which of the words, in any case and as UTF-8 or UTF-16."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes().lower()
        found += [(path.name, w) for w in words if w.encode() in data or w.encode("utf-16-le") in data]
    return found


def ask_everything(book: Book) -> None:
    for question in ("What is the latest INR?", "Is there any record of fever?", CANARIES[3]):
        book.ask(question, patient="gone")
    book.search("potassium", patient="gone")


def test_nothing_of_a_deleted_patient_is_left(
    book: Book, tmp_path: Path, fake_encoder: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the disk the bytes of all files and the rows of all tables, in this process every object that can hold it."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    book.ingest(write_records(tmp_path), patient_from_folder=True)
    ask_everything(book)
    store = tmp_path / "store"
    scope = next(p.scope for p in book.patients() if p.scope.name == "gone")
    with book.store.read(scope) as reader:
        pass
    assert book.store.keep_replies(reader, {b"k" * 32: f"reply of {CANARIES[0]}".encode()})
    assert {word for _, word in traces(store)} == set(CANARIES)
    assert rows_of(store, "gone") >= {"documents", "sentences", "texts", "passages", "terms", "postings", "vectors"}
    assert any("lru_cache" in one for one in held(CANARIES)), "the caches that this is about can be seen"

    book.delete(patient="gone")

    assert traces(store) == []
    assert traces(temporary) == []
    assert rows_of(store, "gone") == set()
    assert [p.scope.name for p in book.patients()] == ["stays"]
    fake_encoder.texts.clear()
    assert "\n".join(held(CANARIES)) == ""


def rows_of(folder: Path, patient: str) -> set[str]:
    """Tables with a row that hangs on a partition of this name, or on none at all."""
    connection = sqlite3.connect(folder / FILE)
    try:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = set()
        for table in tables:
            columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            if path := next((clause for column, clause in _PATHS.items() if column in columns), ""):
                query = f"SELECT 1 FROM {table} x {path} WHERE p.name IS NULL OR p.name = ? LIMIT 1"
                found |= {table} if connection.execute(query, (patient,)).fetchone() else set()
        return found
    finally:
        connection.close()


_PATHS = {
    "partition": "LEFT JOIN partitions p ON p.id = x.partition",
    "document": "LEFT JOIN documents d ON d.id = x.document LEFT JOIN partitions p ON p.id = d.partition",
    "analyser": "LEFT JOIN texts t ON t.id = x.text LEFT JOIN partitions p ON p.id = t.partition",
    "encoder": "LEFT JOIN texts t ON t.id = x.text LEFT JOIN partitions p ON p.id = t.partition",
}


def held(words: tuple[str, ...]) -> list[str]:
    """Types of what in this process holds a text with one of the words, but for the tests themselves."""
    gc.collect()
    found = []
    for one in gc.get_objects():
        if isinstance(one, FrameType | ModuleType | type) or one is words:
            continue
        for inside in gc.get_referents(one):
            if isinstance(inside, str) and len(inside) < 5000 and any(word in inside for word in words):
                found.append(f"{type(one).__module__}.{type(one).__name__}: {inside[:60]!r}")
    return sorted(found)


def test_caches_are_found_wherever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    @cache
    def length(text: str) -> int:
        return len(text)

    @lru_cache(maxsize=1)
    def word_list() -> list[str]:
        return ["a"]

    module: Any = ModuleType("chartcite.made_up")
    module.length, module.word_list = length, word_list
    monkeypatch.setitem(sys.modules, "chartcite.made_up", module)
    assert (length("abc"), word_list()) == (3, ["a"])
    assert forget_remembered() >= 1
    assert (length.cache_info().currsize, word_list.cache_info().currsize) == (0, 1)
    assert chartcite.core.remembered.forget_remembered is forget_remembered
