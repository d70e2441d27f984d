"""A visitor sees what is granted and nothing else, and cannot tell what is not granted from what is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chartcite.core.access import PERMISSIONS, Grant, Permission, Visitor
from chartcite.core.errors import AccessDenied, ChartciteError, NotPermitted, UnknownPartition, UsageError
from chartcite.core.feedback import Feedback
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.granted import GrantedBook
from chartcite.library.settings import Settings
from chartcite.store.access import FILE, AccessStore
from chartcite.store.audit import AuditTrail

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder

LATER = datetime.now(UTC) + timedelta(days=1)
QUESTION = "What is the warfarin dose?"
BAD_NAMES = [
    "", " ", "*", "p", "P1", "p1 ", "p1\u200b", "p%", "../p1", "p1/", "p1,p2", "\u0440\u0031", "p11", "everything",
]  # fmt: skip

ANSWER = {"schema": "chartcite.answer/1", "sentences": []}
NOT_READ = ("ingest", "delete", "verify_answer", "citation_quality", "feedback", "give_feedback")
USES: dict[str, Callable[[GrantedBook, str], object]] = {
    "ask": lambda b, p: b.ask(QUESTION, patient=p),
    "choose": lambda b, p: b.choose(QUESTION, ["5 mg", "7 mg"], patient=p),
    "span": lambda b, p: b.span(QUESTION, patient=p),
    "table": lambda b, p: b.table([QUESTION], patient=p),
    "search": lambda b, p: b.search("warfarin", patient=p),
    "timeline": lambda b, p: b.timeline("creatinine", patient=p),
    "document": lambda b, p: b.document(f"{p}/2021-01-01_note.txt", patient=p),
    "documents": lambda b, p: b.documents(patient=p),
    "page_picture": lambda b, p: b.page_picture(f"{p}/2021-01-01_note.txt", 1, patient=p),
    "feedback": lambda b, p: b.feedback(patient=p),
    "give_feedback": lambda b, p: b.give_feedback(Feedback({**ANSWER, "scope": {"patient": p}}, "right")),
    "verify_answer": lambda b, p: b.verify_answer({"scope": {"patient": p}}),
    "citation_quality": lambda b, p: b.citation_quality({"scope": {"patient": p}}),
    "ingest": lambda b, p: b.ingest("nowhere", patient=p),
    "delete": lambda b, p: b.delete(patient=p),
}


@pytest.fixture
def book(tmp_path: Path, fake_encoder: FakeEncoder) -> Iterator[Book]:
    for patient in ("p1", "p2", "p3"):
        folder = tmp_path / "notes" / patient
        folder.mkdir(parents=True)
        (folder / "2021-01-01_note.txt").write_text(f"PLAN\nWarfarin 5 mg nightly. Canary{patient} seen.\n")
    settings = Settings(audit_key=str(tmp_path / "keys" / "audit.key"), rerank="none")
    engines = Engines(settings)
    engines.__dict__["encoder"] = fake_encoder
    with Book(tmp_path / "store", settings, engines=engines, who="operator") as opened:
        opened.ingest(tmp_path / "notes", patient_from_folder=True)
        yield opened


@pytest.fixture
def access(book: Book) -> AccessStore:
    made = AccessStore(book.store.folder)
    made.add_user("ana")
    made.grant("ana", Grant("patient", "p1"))
    return made


def enter(book: Book, access: AccessStore, user: str = "ana", *may: Permission, only: tuple[Grant, ...] | None = None
          ) -> GrantedBook:  # fmt: skip
    token = access.make_token(user, may or tuple(PERMISSIONS), LATER, only)
    return GrantedBook(book, access, access.visitor(token))


def test_everything_that_takes_a_patient_is_tried_here() -> None:
    others = {"must_see", "must_see_everything", "sees", "patients", "collections"}
    assert {n for n in vars(GrantedBook) if not n.startswith("_")} - others == set(USES)


@pytest.mark.parametrize("use", USES)
def test_what_is_not_granted_looks_like_what_is_not_there(book: Book, access: AccessStore, use: str) -> None:
    visit, told = enter(book, access), []
    for patient in ("p2", "p99"):
        with pytest.raises(UnknownPartition) as refused:
            USES[use](visit, patient)
        told.append((str(refused.value), refused.value.advice))
    assert told[0] == told[1]
    assert isinstance(book.witness, AuditTrail)
    last = list(book.witness.lines())[-1]
    assert (last["who"], last["outcome"], last["reason"]) == ("ana", "refused", "UnknownPartition")
    assert "p2" in [p.scope.name for p in book.patients()]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", BAD_NAMES, ids=[f"name{n}" for n in range(len(BAD_NAMES))])
def test_no_other_spelling_of_a_granted_name_opens_it(book: Book, access: AccessStore, use: str, name: str) -> None:
    with pytest.raises(ChartciteError):
        USES[use](enter(book, access), name)


@pytest.mark.parametrize("use", [u for u in USES if u not in NOT_READ])
def test_what_is_granted_is_shown_under_the_visitors_name(book: Book, access: AccessStore, use: str) -> None:
    USES[use](enter(book, access, "ana", "read"), "p1")
    assert isinstance(book.witness, AuditTrail)
    last = list(book.witness.lines())[-1]
    assert (last["who"], last["subject_name"]) == ("ana", "p1")
    assert last["outcome"] != "refused"


def test_lists_hold_only_what_is_granted(book: Book, access: AccessStore) -> None:
    def seen(visit: GrantedBook) -> list[str]:
        return [p.scope.name for p in visit.patients()]

    assert seen(enter(book, access)) == ["p1"]
    access.make_list("ward")
    access.grant("ana", Grant("list", "ward"))
    assert seen(enter(book, access)) == ["p1"]
    access.add_to_list("ward", "p3")
    assert seen(enter(book, access)) == ["p1", "p3"]
    assert seen(enter(book, access, only=(Grant("list", "ward"),))) == ["p3"]
    assert seen(enter(book, access, only=(Grant("patient", "p2"),))) == []
    assert seen(enter(book, access, only=())) == []
    access.grant("ana", Grant("everything"))
    assert seen(enter(book, access)) == ["p1", "p2", "p3"]
    access.remove_list("ward")
    access.make_list("ward")
    assert access.grants("ana") == (Grant("everything"), Grant("patient", "p1"))


def test_a_grant_ends_at_once(book: Book, access: AccessStore) -> None:
    visit = enter(book, access)
    visit.search("warfarin", patient="p1")
    AccessStore(book.store.folder).revoke("ana", Grant("patient", "p1"))
    with pytest.raises(UnknownPartition):
        visit.search("warfarin", patient="p1")


def test_a_token_ends_at_once(book: Book, access: AccessStore) -> None:
    visit = enter(book, access)
    for token in access.tokens():
        access.revoke_token(token.id)
    with pytest.raises(AccessDenied):
        visit.search("warfarin", patient="p1")


def test_a_permission_is_needed_beside_the_grant(book: Book, access: AccessStore) -> None:
    visit = enter(book, access, "ana", "read")
    for use in ("ingest", "delete"):
        with pytest.raises(NotPermitted):
            USES[use](visit, "p1")
        with pytest.raises(UnknownPartition):
            USES[use](visit, "p2")


@pytest.mark.parametrize(
    "token", ["", "cct", "cct__", "cct_x_y", "ana", "cct_{id}_", "cct_{id}_x", "{right}x", "{right} "]
)
def test_only_the_very_token_is_let_in(access: AccessStore, token: str) -> None:
    right = access.make_token("ana", ["read"], LATER, None)
    assert access.visitor(right).user == "ana"
    assert right.split("_", 2)[2].encode() not in access.path.read_bytes()
    with pytest.raises(AccessDenied):
        access.visitor(token.format(id=access.tokens()[0].id, right=right))


def test_an_expired_token_lets_nobody_in(access: AccessStore) -> None:
    with pytest.raises(UsageError):
        access.make_token("ana", ["read"], datetime.now(UTC) - timedelta(seconds=1), None)
    info = access.tokens()
    token = access.make_token("ana", ["read"], LATER, None)
    assert not info
    assert access.tokens()[0].is_valid(LATER - timedelta(minutes=1))
    assert not access.tokens()[0].is_valid(LATER)
    access.remove_user("ana")
    with pytest.raises(AccessDenied):
        access.visitor(token)


def test_the_user_of_the_process_is_nobody_once_there_are_users(book: Book, tmp_path: Path) -> None:
    access = AccessStore(book.store.folder)
    visit = GrantedBook(book, access, Visitor("local", is_local=True))
    assert len(visit.patients()) == 3
    access.add_user("ana")
    with pytest.raises(AccessDenied):
        visit.patients()


def test_a_deleted_patient_leaves_no_name_in_the_file(book: Book, access: AccessStore) -> None:
    name = "p1"
    access.make_list("ward")
    for canary in (name, "zz-canary-zz"):
        access.add_to_list("ward", canary)
        access.grant("ana", Grant("patient", canary))
    access.make_token("ana", ["read"], LATER, (Grant("patient", "zz-canary-zz"), Grant("list", "ward")))
    assert b"zz-canary-zz" in access.path.read_bytes()
    enter(book, access).delete(patient=name)
    assert access.grants("ana") == (Grant("patient", "zz-canary-zz"),)
    access.forget(Scope.patient("zz-canary-zz"))
    assert access.grants("ana") == ()
    assert access.lists() == {"ward": []}
    for file in book.store.folder.glob(f"{FILE}*"):
        assert b"zz-canary-zz" not in file.read_bytes()


def test_feedback_is_in_the_visitors_own_name(book: Book, access: AccessStore) -> None:
    visit = enter(book, access, "ana", "read", "feedback")
    visit.give_feedback(Feedback({**ANSWER, "scope": {"patient": "p1"}}, "wrong", who="somebody else"))
    assert [row["who"] for row in visit.feedback(patient="p1")] == ["ana"]
    with pytest.raises(NotPermitted):
        enter(book, access, "ana", "read").give_feedback(Feedback({**ANSWER, "scope": {"patient": "p1"}}, "wrong"))
