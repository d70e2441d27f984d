"""Book: the Python door, with the fake encoder where the model is not the point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

import chartcite
import chartcite.library.book
import chartcite.readers.detect
from chartcite.core.errors import InvalidQuestion, InvalidScope, StoreMismatch, UnknownPartition, UsageError
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

OpenBook = Callable[..., Book]
NOTES = {
    "p1/2021-01-01_note.txt": "HISTORY\nAtrial fibrillation.\n\nPLAN\nWarfarin 5 mg nightly. INR in one week.\n",
    "p1/2021-02-01_note.txt": "HISTORY\nAtrial fibrillation.\n\nPLAN\nWarfarin 2.5 mg nightly after INR 3.4.\n",
    "p1/2021-03-01_note.txt": "SUBJECTIVE\nNo chest pain. Knee pain after a fall.\n",
    "p2/2021-01-01_note.txt": "PLAN\nWarfarin 7.5 mg nightly.\n",
}


@pytest.fixture
def open_book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[OpenBook]:
    opened: list[Book] = []

    def go(name: str = "store", real: bool = False, **settings: Any) -> Book:
        chosen = Settings(**settings)
        engines = Engines(chosen)
        if not real:
            engines.__dict__["encoder"] = fake_encoder
        opened.append(Book(tmp_path / name, chosen, engines=engines))
        return opened[-1]

    yield go
    for book in opened:
        book.close()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        path = tmp_path / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "notes"


def test_ingest_and_search(open_book: OpenBook, notes: Path) -> None:
    book = open_book()
    assert book.ingest(notes, patient_from_folder=True).total("added") == 4
    assert [(s.scope.name, s.documents) for s in book.patients()] == [("p1", 3), ("p2", 1)]
    found = book.search("warfarin 2.5 mg", patient="p1")
    assert found[0].text.startswith("PLAN\nWarfarin 2.5 mg")
    assert all("7.5" not in f.text for f in found)
    assert book.search("warfarin", patient="p1", as_of="2021-01") != book.search("warfarin", patient="p1")
    assert "2.5" not in str(book.search("warfarin", patient="p1", as_of="2021-01-31"))
    assert book.rank_documents("knee pain", patient="p1")[0][0] == "p1/2021-03-01_note.txt"


@pytest.mark.parametrize("question", ["", "  \n", "x" * 20_001])
def test_questions_that_cannot_be(question: str, open_book: OpenBook, notes: Path) -> None:
    book = open_book()
    book.ingest(notes, patient_from_folder=True)
    for ask in (book.ask, book.search, book.rank_documents):
        with pytest.raises(InvalidQuestion):
            ask(question, patient="p1")


@pytest.mark.parametrize(
    ("scope", "error"),
    [
        ({}, UsageError), ({"patient": "p1", "collection": "c"}, UsageError), ({"patient": ""}, InvalidScope),
        ({"patient": "p1\u200b"}, InvalidScope), ({"patient": " p1"}, InvalidScope),
        ({"patient": ["p1"]}, InvalidScope), ({"patient": "*"}, UnknownPartition), ({"patient": "p"}, UnknownPartition),
        ({"patient": "P1"}, UnknownPartition),
        ({"patient": "р1"}, UnknownPartition), ({"patient": "../p1"}, UnknownPartition),
        ({"collection": "p1"}, UnknownPartition), ({"patient": "p1%"}, UnknownPartition),
    ],
)  # fmt: skip
def test_bad_scopes_read_nothing(
    scope: dict[str, Any], error: type[Exception], open_book: OpenBook, notes: Path
) -> None:
    book = open_book()
    book.ingest(notes, patient_from_folder=True)
    for act in (book.ask, book.search, book.rank_documents):
        with pytest.raises(error):
            act("warfarin", **scope)
    with pytest.raises(error):
        book.delete(**scope)
    assert len(book.patients()) == 2


@pytest.mark.parametrize("date", ["", "soon", "2021-02-30", "21"])
def test_dates_that_cannot_be(date: str, open_book: OpenBook, notes: Path) -> None:
    book = open_book()
    book.ingest(notes, patient_from_folder=True)
    with pytest.raises(UsageError):
        book.search("warfarin", patient="p1", as_of=date)


def test_as_of_a_minute_takes_in_its_seconds(open_book: OpenBook, tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    row = {"doc_id": "d", "patient_id": "p1", "time": "2021-03-02T10:30:40", "text": "Warfarin."}
    path.write_text(json.dumps(row))
    book = open_book()
    book.ingest(path)
    assert book.search("warfarin", patient="p1", as_of="2021-03-02T10:29") == []
    assert len(book.search("warfarin", patient="p1", as_of="2021-03-02T10:30")) == 1


def test_other_settings_than_those_of_the_ingest(open_book: OpenBook, notes: Path) -> None:
    open_book().ingest(notes, patient_from_folder=True)
    with pytest.raises(StoreMismatch) as refused:
        open_book(splitter="fixed").search("warfarin", patient="p1")
    assert "chartcite index" in refused.value.advice


@pytest.mark.parametrize("other", [{"splitter": "fixed"}, {"language": "pt"}])
def test_what_was_not_built_can_be_built(other: dict[str, Any], open_book: OpenBook, notes: Path) -> None:
    """Any part of the recipe may change alone: the passages, the terms or the vectors."""
    plain, changed = open_book(), open_book(**other)
    plain.ingest(notes, patient_from_folder=True)
    before = plain.search("warfarin 2.5 mg", patient="p1")
    with pytest.raises(StoreMismatch):
        changed.search("warfarin", patient="p1")
    assert changed.index().total("failed") == 0
    assert changed.index().total("unchanged") == 4
    assert changed.search("warfarin 2.5 mg", patient="p1")
    assert plain.search("warfarin 2.5 mg", patient="p1") == before
    fresh = open_book("fresh", **other)
    fresh.ingest(notes, patient_from_folder=True)
    assert fresh.search("warfarin 2.5 mg", patient="p1") == changed.search("warfarin 2.5 mg", patient="p1")


@pytest.mark.parametrize(
    "wrong", [{"top_k": 0}, {"bm25_b": 2}, {"unknown": 1}, {"rerank": "all"}, {"answer_words": 1}, {"language": "de"}]
)
def test_settings_out_of_range(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValidationError):
        chartcite.open(tmp_path / "store", **wrong)
    assert not (tmp_path / "store").exists()


def test_what_changes_an_answer_changes_its_hash() -> None:
    plain = Settings()
    assert Settings(jobs=3, cache_mb=1).answer_hash({}) == plain.answer_hash({})
    for change in ({"top_k": 5}, {"rrf_k": 1}, {"bm25_k1": 0.9}, {"order": "rank"}, {"rerank": "none"}):
        assert Settings(**change).answer_hash({}) != plain.answer_hash({})
    assert plain.answer_hash({"encoder": "a@1"}) != plain.answer_hash({"encoder": "a@2"})


def test_a_deleted_patient_is_gone_from_the_arrays_too(open_book: OpenBook, notes: Path) -> None:
    book = open_book()
    book.ingest(notes, patient_from_folder=True)
    book.search("warfarin", patient="p1")
    assert book.delete(patient="p1") == 3
    with pytest.raises(UnknownPartition):
        book.search("warfarin", patient="p1")
    assert book.search("warfarin", patient="p2")


def test_nothing_of_a_deleted_patient_stays_in_memory(open_book: OpenBook, notes: Path) -> None:
    book = open_book()
    book.ingest(notes, patient_from_folder=True)
    narrow = book.narrowed(without=["none"])

    def held() -> set[str]:
        return {
            scope.name
            for scope, *_ in (*book._indexes, *narrow._indexes, *book._veils._facts)
            if isinstance(scope, Scope)
        }

    for patient in ("p1", "p2"):
        book.search("warfarin", patient=patient)
        narrow.search("warfarin", patient=patient)
        book.deidentifier(patient=patient)
    assert held() == {"p1", "p2"}
    book.delete(patient="p1")
    assert held() == {"p2"}
    book.close()
    assert held() == set()


def test_search_and_table_tell_of_an_encoder_elsewhere(
    open_book: OpenBook, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = open_book()
    book.ingest(notes, patient_from_folder=True)
    told: list[tuple[str, int]] = []

    def asked() -> list[str]:
        book.search("warfarin", patient="p1", fallback=lambda name, count: told.append((name, count)))
        found: list[str] = book.table(["What is the warfarin dose?"], patient="p1").to_dict()["fallbacks"]
        return found

    assert (asked(), told) == ([], [])
    monkeypatch.setattr(book.engines.encoder, "is_remote", True, raising=False)
    name = "question_embedded_on_another_machine"
    assert (asked(), told) == ([name], [(name, 1)])


def test_arrays_follow_what_another_process_writes(open_book: OpenBook, notes: Path) -> None:
    one, two = open_book(), open_book()
    one.ingest(notes, patient_from_folder=True)
    before = two.search("warfarin", patient="p1")
    (notes / "p1" / "2021-04-01_note.txt").write_text("PLAN\nWarfarin stopped.\n")
    one.ingest(notes, patient_from_folder=True)
    after = two.search("warfarin", patient="p1")
    assert len(after) == len(before) + 1


def test_arrays_of_a_patient_deleted_and_ingested_again_elsewhere(open_book: OpenBook, tmp_path: Path) -> None:
    """The new partition has as many changes as the old one had; its arrays are others."""
    one, two = open_book(), open_book()
    for text in ("Warfarin 5 mg.", "Aspirin 100 mg."):
        (tmp_path / "note.txt").write_text(text)
        one.ingest(tmp_path / "note.txt", patient="p1")
        assert [f.text for f in two.search(text, patient="p1")] == [text]
        one.delete(patient="p1")


def test_a_small_cache_changes_no_result(open_book: OpenBook, notes: Path) -> None:
    book, small = open_book(), open_book(cache_mb=0)
    book.ingest(notes, patient_from_folder=True)
    for _ in range(2):
        for patient in ("p1", "p2"):
            assert small.search("warfarin", patient=patient) == book.search("warfarin", patient=patient)


def test_with_the_bundled_models(open_book: OpenBook, notes: Path) -> None:
    """Twice the same bytes; the same after another patient came; nothing of another patient; no foreign socket."""
    book = open_book(real=True)
    book.ingest(notes / "p1", patient="p1")

    def answers(book: Book) -> str:
        questions = ("What is the warfarin dose?", "Does she have chest pain?", "Is she on insulin?")
        return json.dumps([book.ask(q, patient="p1").to_dict() for q in questions])

    first = answers(book)
    hits = book.search("warfarin dose", patient="p1")
    assert "Warfarin" in hits[0].text
    assert answers(book) == first
    book.ingest(notes / "p2", patient="p2")
    assert answers(book) == first
    assert "7.5" not in first
    other = open_book("other", real=True)
    for name in sorted((notes / "p1").iterdir(), reverse=True):
        other.ingest(name, patient="p1")
    assert other.search("warfarin dose", patient="p1") == hits


PROGRAM = """
import json, sys, chartcite
with chartcite.open(sys.argv[1], jobs=int(sys.argv[3])) as book:
    book.ingest(sys.argv[2], patient_from_folder=True)
    asked = [book.ask(q, patient="p1").to_dict() for q in ("What is the warfarin dose?", "Any chest pain?")]
    print(json.dumps([asked, [f.to_dict() for f in book.search("warfarin INR", patient="p1")]]))
"""


def test_another_process_with_other_hashes_and_threads_says_the_same(tmp_path: Path, notes: Path) -> None:
    said = set()
    for seed, jobs in (("0", "1"), ("4", "2")):
        command = [sys.executable, "-c", PROGRAM, str(tmp_path / f"store-{seed}"), str(notes), jobs]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        said.add(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)
    assert len(said) == 1


@pytest.mark.parametrize("host", ["example.org", "8.8.8.8", "::ffff:1.2.3.4"])
def test_tests_cannot_reach_the_world(host: str) -> None:
    import socket  # noqa: PLC0415

    with pytest.raises(OSError, match="tests may not"):
        socket.create_connection((host, 80), timeout=0.1)


HIDDEN = "p1/2021-02-01_note.txt"
OTHERS = [name for name in NOTES if name.startswith("p1/") and name != HIDDEN]


@pytest.mark.parametrize("sight", [{"without": [HIDDEN]}, {"only": OTHERS}], ids=["without", "only"])
def test_what_is_out_of_sight_is_as_if_it_were_not_there(open_book: OpenBook, notes: Path, sight: Any) -> None:
    whole, poorer = open_book("whole"), open_book("poorer")
    whole.ingest(notes, patient_from_folder=True)
    (notes / HIDDEN).unlink()
    poorer.ingest(notes, patient_from_folder=True)
    narrowed = whole.narrowed(**sight)
    for question in ("warfarin 2.5 mg", "INR", "knee pain"):
        assert narrowed.search(question, patient="p1") == poorer.search(question, patient="p1")
        assert narrowed.search(question, patient="p1", as_of="2021-01-31") == poorer.search(
            question, patient="p1", as_of="2021-01-31"
        )
        assert narrowed.rank_documents(question, patient="p1") == poorer.rank_documents(question, patient="p1")
    assert "2.5" in str(whole.search("warfarin 2.5 mg", patient="p1"))  # the whole book is what it was


def test_a_narrowed_book_counts_what_it_shows(open_book: OpenBook, notes: Path) -> None:
    book = open_book()
    book.ingest(notes, patient_from_folder=True)
    nothing = book.narrowed(only=[])
    assert nothing.search("warfarin", patient="p1") == []
    with book.narrowed(without=[HIDDEN])._open(Scope.patient("p1"), None) as (reader, index):
        assert ([d.doc_id for d in reader.documents()], index.sentences) == (sorted(OTHERS), reader.count_sentences())
        assert 0 < index.sentences < 12


def test_a_partition_searched_in_files_is_not_narrowed(open_book: OpenBook, notes: Path) -> None:
    book = open_book(large_passages=0)
    book.ingest(notes, patient_from_folder=True)
    with pytest.raises(UsageError, match="cannot be narrowed"):
        book.narrowed(only=[]).search("warfarin", patient="p1")
    assert book.search("warfarin", patient="p1")


def test_the_splitters_sizes_are_a_setting(open_book: OpenBook, notes: Path) -> None:
    book = open_book(splitter="fixed:6-2")
    book.ingest(notes, patient_from_folder=True)
    assert book.engines.recipe.splitter.startswith("fixed-6-2@")
    assert len(book.search("warfarin", patient="p1")) > 3
    with pytest.raises(UsageError, match="takes no sizes"):
        _ = open_book("other", splitter="sentences:100").engines.splitter


def test_sources_that_are_not_there_any_more_are_named_and_their_documents_stay(
    open_book: OpenBook, notes: Path
) -> None:
    book, name = open_book(), "p1/2021-03-01_note.txt"
    assert book.ingest(notes, patient_from_folder=True).gone == []
    (notes / name).unlink()
    ledger = book.ingest(notes, patient_from_folder=True)
    assert (ledger.gone, ledger.to_dict()["gone"], ledger.failed) == ([name], [name], False)
    assert [(s.scope.name, s.documents) for s in book.patients()] == [("p1", 3), ("p2", 1)]
    assert book.ingest(notes / "p1/2021-01-01_note.txt", patient="p1").gone == [], "another target, no folder"
    moved = notes.rename(notes.with_name("moved"))
    assert book.ingest(moved, patient_from_folder=True).gone == [], "of another place nothing is known"
    (moved / name).write_text(NOTES[name])
    assert book.ingest(moved, patient_from_folder=True).gone == []


def test_what_other_readers_read_is_read_again(
    open_book: OpenBook, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, read = open_book(), chartcite.readers.detect.read_source
    seen: list[str] = []

    def reading(path: Path, name: str, *rest: Any) -> Any:
        seen.append(name)
        return read(path, name, *rest)

    monkeypatch.setattr(chartcite.readers.detect, "read_source", reading)
    book.ingest(notes, patient_from_folder=True)
    first = sorted(seen)
    book.ingest(notes, patient_from_folder=True)
    assert sorted(seen) == first
    monkeypatch.setattr(chartcite.library.book, "code_digest", lambda _: "other")
    book.ingest(notes, patient_from_folder=True)
    assert sorted(seen) == sorted(first * 2)
