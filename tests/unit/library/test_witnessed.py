"""Every use of a partition leaves a line before its result is seen; refusals and failures too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.errors import AuditKeyMissing, ChartciteError, StoreLocked, UnknownPartition
from chartcite.core.feedback import Feedback
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.store.audit import FILE, AuditTrail
from chartcite.store.audit_check import check

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

QUESTION = "What is the warfarin dose of Zebulon?"


@pytest.fixture
def book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[Book]:
    folder = tmp_path / "notes" / "p1"
    folder.mkdir(parents=True)
    (folder / "2021-01-01_note.txt").write_text("PLAN\nWarfarin 5 mg nightly. Creatinine 1.1 mg/dL.\n")
    settings = Settings(audit_key=str(tmp_path / "keys" / "audit.key"), rerank="none")
    engines = Engines(settings)
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", settings, engines=engines, who="dr who") as opened:
        opened.ingest(tmp_path / "notes", patient_from_folder=True)
        yield opened


def lines(book: Book) -> list[dict[str, Any]]:
    assert isinstance(book.witness, AuditTrail)
    return list(book.witness.lines())


def _table(book: Book) -> object:
    return book.table([QUESTION], patient="p1")


USES: dict[str, Callable[[Book], object]] = {
    "ask": lambda b: b.ask(QUESTION, patient="p1"),
    "choose": lambda b: b.choose(QUESTION, ["5 mg", "7 mg"], patient="p1"),
    "span": lambda b: b.span(QUESTION, patient="p1"),
    "table": _table,
    "search": lambda b: b.search("warfarin", patient="p1"),
    "rank": lambda b: b.rank_documents("warfarin", patient="p1"),
    "grade": lambda b: b.grades("warfarin", patient="p1"),
    "timeline": lambda b: b.timeline("creatinine", patient="p1"),
    "document": lambda b: b.document("p1/2021-01-01_note.txt", patient="p1"),
    "documents": lambda b: b.documents(patient="p1"),
    "deidentify": lambda b: list(b.deidentified("p1")),
}


@pytest.mark.parametrize("action", USES)
def test_each_use_leaves_a_line(book: Book, action: str) -> None:
    USES[action](book)
    found = lines(book)
    assert [line["action"] for line in found[:2]] == ["ingest", action]
    last = found[-1]
    assert (last["who"], last["subject_name"], last["action"]) == ("dr who", "p1", action)
    assert last["outcome"] in ("answered", "abstained", "done")
    assert last["document_names"] == ["p1/2021-01-01_note.txt"] or last["outcome"] == "abstained"
    assert isinstance(book.witness, AuditTrail)
    assert not check(book.witness, book.witness.anchor()).faults
    stored = b"".join(p.read_bytes() for p in book.store.folder.glob(f"{FILE}*"))
    assert b"Zebulon" not in stored
    assert b"Warfarin" not in stored


def test_no_public_door_to_a_record_is_left_out() -> None:
    """Whoever adds one to `Book` that takes a patient gives it a line here, or says why not."""
    told_otherwise = {"ingest", "open_table", "models", "delete", "page_picture", "feedback"}
    show_nothing = {"index", "deidentifier", "unkept_findings", "copied"}
    without = told_otherwise | show_nothing
    takers = {
        name
        for name, method in vars(Book).items()
        if not name.startswith("_") and callable(method) and "patient" in getattr(method, "__annotations__", {})
    }
    own = {"rank_documents": "rank", "grades": "grade", "deidentified": "deidentify"}
    assert {own.get(name, name) for name in takers - without} == set(USES)


def test_pictures_of_pages_and_feedback_leave_a_line(book: Book) -> None:
    assert book.page_picture("p1/2021-01-01_note.txt", 1, patient="p1") is None
    shown = {"schema": "chartcite.answer/1", "scope": {"patient": "p1"}, "sentences": []}
    book.give_feedback(Feedback(shown, "missing", comment="Warfarin Zebulon"))
    book.feedback(patient="p1")
    first, *rest = lines(book)[-3:]
    assert (first["action"], first["document_names"]) == ("document", ["p1/2021-01-01_note.txt"])
    assert [(line["action"], line["subject_name"], line["outcome"]) for line in rest] == 2 * [
        ("feedback", "p1", "done")
    ]
    assert b"Zebulon" not in b"".join(p.read_bytes() for p in book.store.folder.glob(f"{FILE}*"))


def test_a_refusal_is_a_line_without_the_name_that_was_typed(book: Book) -> None:
    for patient, question in (("Nobody Canary", QUESTION), ("p1", " ")):
        with pytest.raises(ChartciteError):
            book.ask(question, patient=patient)
    first, second = lines(book)[-2:]
    assert (first["outcome"], first["reason"], first["subject_name"]) == ("refused", "UnknownPartition", None)
    assert (second["outcome"], second["reason"], second["subject_name"]) == ("refused", "InvalidQuestion", "p1")


def test_what_cannot_be_told_is_not_shown(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise StoreLocked("The trail cannot be written.", "Wait.")

    monkeypatch.setattr(book.witness, "record", full)
    for use in USES.values():
        with pytest.raises(StoreLocked):
            use(book)


def test_what_was_deleted_while_it_was_asked_is_not_given_away(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the answer nor, in the trail, the name, which the deletion took out."""
    asked = book._asked

    def slow(*given: Any) -> Any:
        found = asked(*given)
        with Book(book.store.folder, book.settings, engines=book.engines, who="operator") as other:
            other.delete(patient="p1")
        return found

    monkeypatch.setattr(book, "_asked", slow)
    with pytest.raises(UnknownPartition):
        book.ask(QUESTION, patient="p1")
    last = lines(book)[-1]
    assert (last["action"], last["outcome"], last["reason"]) == ("ask", "refused", "UnknownPartition")
    assert all(line["subject_name"] is None for line in lines(book))


def test_a_deletion_is_told_twice_and_takes_the_names(book: Book) -> None:
    book.ask(QUESTION, patient="p1")
    book.delete(patient="p1")
    found = lines(book)
    assert [(line["action"], line["outcome"]) for line in found[-2:]] == [("delete", "begun"), ("delete", "done")]
    assert {line["subject_name"] for line in found} == {None}
    assert b"2021-01-01_note" not in b"".join(p.read_bytes() for p in book.store.folder.glob(f"{FILE}*"))


def test_rows_that_nobody_wants_any_more_are_no_failure(book: Book) -> None:
    taken = book.deidentified("p1")
    next(taken)
    taken.close()  # type: ignore[attr-defined]
    assert [line["outcome"] for line in lines(book)[-2:]] == ["begun", "done"]


def test_an_audited_store_is_not_opened_without_its_key(book: Book) -> None:
    with pytest.raises(AuditKeyMissing):
        Book(book.store.folder, Settings())
