"""Feedback: kept with the patient before it is acknowledged, and gone with the patient."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import UnknownPartition, UsageError
from chartcite.core.feedback import MOST_COMMENT_CHARS, Feedback
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder


@pytest.fixture
def book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[Book]:
    (tmp_path / "notes" / "p1").mkdir(parents=True)
    (tmp_path / "notes" / "p2").mkdir()
    (tmp_path / "notes" / "p1" / "a.txt").write_text("Plan:\nWarfarin 5 mg every evening.\n")
    (tmp_path / "notes" / "p2" / "b.txt").write_text("Plan:\nMetformin 500 mg daily.\n")
    settings = Settings()
    engines = Engines(settings)
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", settings, engines=engines) as made:
        made.ingest(tmp_path / "notes", patient_from_folder=True)
        yield made


def test_it_is_there_after_reopening_and_in_order(book: Book, tmp_path: Path) -> None:
    shown = SHOWN
    assert book.give_feedback(Feedback(shown, "right", {1: "right"}, "", "ana")) == 1
    assert book.give_feedback(Feedback(shown, "missing", {}, "the INR — 2,5", "rui")) == 2
    book.close()
    with Book(tmp_path / "store") as again:
        first, second = again.feedback(patient="p1")
        assert again.feedback(patient="p2") == []
    assert (first["id"], first["verdict"], first["sentences"], first["who"]) == (1, "right", {"1": "right"}, "ana")
    assert (second["comment"], second["answer"]) == ("the INR — 2,5", shown)


def test_it_goes_with_the_patient(book: Book, tmp_path: Path) -> None:
    shown = SHOWN
    book.give_feedback(Feedback(shown, "wrong", {}, "qzfeedbackcanary"))
    book.delete(patient="p1")
    assert book.store._connection.execute("SELECT COUNT(*) FROM feedback").fetchone() == (0,)
    assert not any(b"qzfeedbackcanary" in path.read_bytes() for path in (tmp_path / "store").iterdir())
    with pytest.raises(UnknownPartition):
        book.give_feedback(Feedback(shown, "right"))
    with pytest.raises(UnknownPartition):
        book.feedback(patient="p1")


SHOWN = {"schema": "chartcite.answer/1", "scope": {"patient": "p1"}, "sentences": [{"text": "x"}]}
BAD: dict[str, dict[str, object]] = {
    "verdict": {"verdict": "maybe"},
    "verdict of a sentence": {"sentences": {1: "so"}},
    "sentence that is not there": {"sentences": {2: "right"}},
    "sentence before the first": {"sentences": {0: "right"}},
    "comment": {"comment": "x" * (MOST_COMMENT_CHARS + 1)},
    "answer without sentences": {"answer": {**SHOWN, "sentences": None}, "sentences": {1: "right"}},
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_feedback(kind: str) -> None:
    with pytest.raises(UsageError):
        Feedback(**({"answer": SHOWN, "verdict": "right"} | BAD[kind]))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "answer",
    [{}, {**SHOWN, "schema": "x"}, {**SHOWN, "scope": {}}, {**SHOWN, "scope": {"patient": "p1", "collection": "c"}}],
    ids=["empty", "schema", "no scope", "two scopes"],
)
def test_feedback_is_of_an_answer(answer: dict[str, object], book: Book) -> None:
    with pytest.raises(UsageError):
        book.give_feedback(Feedback(answer, "right"))


def test_an_old_store_gets_its_table(book: Book) -> None:
    book.store._connection.execute("DROP TABLE feedback")
    book.store._connection.execute("PRAGMA user_version=8")
    assert book.feedback(patient="p1") == []
    assert book.give_feedback(Feedback(SHOWN, "right")) == 1
