"""Text copied forward: how much of a record it is, and where else a sentence stands; never in another record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chartcite.core.copies import AlsoIn, CopiedShare, Occurrence
from chartcite.core.scope import Scope
from chartcite.records.copies import Copies

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

P1 = Scope.patient("p1")
HISTORY = "She had a heart attack in 2009 and has been well since."
NOTES = (
    ("a", "2020-01-01", f"HISTORY\n{HISTORY}\n\nALLERGIES\nNone.\n"),
    ("b", "2020-02-01", f"HISTORY\n{HISTORY.upper()}\nShe now walks two miles a day.\n\nMEDICATIONS\nNone.\n"),
    ("c", "2020-03-01", "HISTORY\nShe had a heart attack\nin 2009 and has been well since.\n\nALLERGIES\nNone.\n"),
)  # fmt: skip


def filled(shelf: Shelf, make_note: MakeNote) -> Shelf:
    shelf.put("p1", *(make_note(name, text, day) for name, day, text in NOTES))
    shelf.put("p2", make_note("x", f"HISTORY\n{HISTORY}\n", "2019-01-01"))
    return shelf


def also(shelf: Shelf, doc_id: str, said: str, as_of: str = "") -> AlsoIn | None:
    with shelf.store.read(P1, as_of) as reader:
        key = next(info.key for info in reader.documents() if info.doc_id == doc_id)
        text = reader.document(key).text
        unit = next(s for s in reader.sentences(key) if said in text[s.start : s.end].lower())
        return Copies(reader).of(key, text[unit.start : unit.end], unit)


def share(shelf: Shelf, scope: Scope = P1) -> CopiedShare:
    with shelf.store.read(scope) as reader:
        return Copies(reader).share()


def test_a_sentence_names_its_first_and_latest_place(shelf: Shelf, make_note: MakeNote) -> None:
    filled(shelf, make_note)
    first, last = Occurrence("a", "2020-01-01"), Occurrence("c", "2020-03-01")
    assert also(shelf, "a", "heart attack") == AlsoIn(2, first, last, 2)
    assert also(shelf, "b", "heart attack") == AlsoIn(2, first, last, 1)
    assert also(shelf, "b", "two miles") is None


def test_a_fragment_is_the_same_only_under_the_same_header(shelf: Shelf, make_note: MakeNote) -> None:
    filled(shelf, make_note)
    found = also(shelf, "a", "none")
    assert found is not None
    assert (found.count, found.latest.doc_id) == (1, "c")
    assert also(shelf, "b", "none") is None


def test_what_was_written_later_is_not_there_as_of_a_day(shelf: Shelf, make_note: MakeNote) -> None:
    filled(shelf, make_note)
    found = also(shelf, "a", "heart attack", "2020-02-15T23:59:59")
    assert found is not None
    assert (found.count, found.latest.doc_id) == (1, "b")


def test_the_share_of_a_record_is_its_own(shelf: Shelf, make_note: MakeNote) -> None:
    filled(shelf, make_note)
    assert share(shelf) == CopiedShare(7, 3)
    assert share(shelf, Scope.patient("p2")) == CopiedShare(1, 0)
    assert CopiedShare(0, 0).to_dict() == {"sentences": 0, "copied": 0, "share": None}


def test_a_store_without_marks_says_the_same(shelf: Shelf, make_note: MakeNote) -> None:
    filled(shelf, make_note)
    kept = also(shelf, "b", "heart attack"), share(shelf)
    shelf.rows("DELETE FROM marks")
    assert (also(shelf, "b", "heart attack"), share(shelf)) == kept


def test_marks_go_with_their_document(shelf: Shelf, make_note: MakeNote) -> None:
    filled(shelf, make_note)
    assert shelf.rows("SELECT COUNT(*) FROM marks") == [(4,)]
    shelf.put("p1", make_note("c", "Nothing of before.", "2020-03-01"))
    assert shelf.rows("SELECT COUNT(*) FROM marks") == [(4,)]
    found = also(shelf, "a", "heart attack")
    assert found is not None
    assert found.latest.doc_id == "b"
    shelf.store.delete(P1)
    assert shelf.rows("SELECT COUNT(*) FROM marks") == [(1,)]
