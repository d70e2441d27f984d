"""Every read is one partition in one state; what may be evidence, and as of when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import UnknownPartition
from chartcite.core.scope import Scope

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

    from chartcite.core.documents import Status

P1 = Scope.patient("p1")


def evidence(shelf: Shelf, as_of: str = "") -> list[str]:
    """The doc_ids that may be evidence; documents, sentences and passages must agree on them."""
    with shelf.store.read(P1, as_of) as reader:
        documents = reader.documents()
        places = reader.passages(shelf.recipe).places
        assert set(places[:, 1].tolist()) == {d.key for d in documents}
        assert reader.count_sentences() == sum(len(reader.sentences(d.key)) for d in documents)
        return [d.doc_id for d in documents]


@pytest.mark.parametrize("name", ["p", "p11", "P1", "p1%", "*", "р1"])
def test_an_unknown_partition_is_refused(name: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d1", "Text."))
    with pytest.raises(UnknownPartition) as refused, shelf.store.read(Scope.patient(name)):
        pass
    assert refused.value.exit_code == 2
    with pytest.raises(UnknownPartition), shelf.store.read(Scope.collection("p1")):
        pass
    with shelf.store.read(P1) as reader:  # the connection is free again
        assert len(reader.documents()) == 1


def test_order_is_the_record_s_whatever_the_order_of_ingest(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(
        "p1", make_note("b", "One.", "2021-03-02"), make_note("c", "Two.", "2021-03-02T00:00:01"),
        make_note("a", "Three.", "2021-03-02"), make_note("z", "Four."), make_note("y", "Five.", "2021"),
        make_note("x", "Six.", "2021-03-02T10:00+14:00"),
    )  # fmt: skip
    assert evidence(shelf) == ["z", "y", "x", "a", "b", "c"]


@pytest.mark.parametrize(
    ("as_of", "seen"),
    [
        ("", ["undated", "y", "jan", "feb", "feb2"]), ("2020~", []), ("2021-01-01~", []),
        ("2021-01-31~", ["jan"]), ("2021-02-03~", ["jan", "feb"]),
        ("2021-02-03T08:00:00", ["jan", "feb"]), ("2021-02-03T07:59:59", ["jan"]),
        ("2021-02-04T08:00:00", ["jan", "feb"]), ("2021-02-04~", ["jan", "feb", "feb2"]),
        ("2021-12-30~", ["jan", "feb", "feb2"]), ("2021~", ["y", "jan", "feb", "feb2"]),
        ("9999~", ["y", "jan", "feb", "feb2"]),
    ],
)  # fmt: skip
def test_as_of_hides_what_came_later_and_what_has_no_date(
    as_of: str, seen: list[str], shelf: Shelf, make_note: MakeNote
) -> None:
    times = {"undated": "", "y": "2021", "jan": "2021-01-15", "feb": "2021-02-03T10:00+02:00", "feb2": "2021-02-04"}
    shelf.put("p1", *(make_note(name, f"Note {name}.", time) for name, time in times.items()))
    assert evidence(shelf, as_of) == seen


def test_an_error_is_never_evidence(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Wrong patient.", status="entered-in-error"), make_note("b", "Right."))
    assert evidence(shelf) == ["b"]
    with shelf.store.read(P1) as reader:
        assert reader.find("a") is not None  # a stored answer can still be checked against it


@pytest.mark.parametrize("status", ["current", "preliminary", "amended"])
def test_other_statuses_are_evidence(status: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Text.", status=status))
    assert evidence(shelf) == ["a"]


def test_a_superseded_note_is_evidence_until_its_replacement_is_there(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("old", "Warfarin 5 mg.", "2021-01-01", status="superseded"))
    assert evidence(shelf) == ["old"]
    shelf.put("p2", make_note("new", "Warfarin 2.5 mg.", "2021-01-02", replaces=("old",)))
    assert evidence(shelf) == ["old"]  # another patient's note replaces nothing here
    shelf.put("p1", make_note("new", "Warfarin 2.5 mg.", "2021-01-02", replaces=("old",), status="entered-in-error"))
    assert evidence(shelf) == ["old"]
    shelf.put("p1", make_note("new", "Warfarin 2.5 mg.", "2021-01-02", replaces=("old",)))
    assert evidence(shelf) == ["new"]


def test_before_the_replacement_was_written_the_old_note_is_evidence(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(
        "p1", make_note("old", "Warfarin 5 mg.", "2021-01-01", status="superseded"),
        make_note("new", "Warfarin 2.5 mg.", "2021-06-01", replaces=("old",)),
    )  # fmt: skip
    assert evidence(shelf, "2021-03-01~") == ["old"]
    assert evidence(shelf, "2021-06-01~") == ["new"]


@pytest.mark.parametrize(
    ("status", "expected"),
    [("current", ["new"]), ("amended", ["new"]), ("preliminary", ["old", "new"]), ("entered-in-error", ["old"])],
)
def test_a_note_that_was_not_told_is_replaced_all_the_same(
    shelf: Shelf, make_note: MakeNote, status: Status, expected: list[str]
) -> None:
    shelf.put("p1", make_note("old", "Potassium 9.9 mmol/L.", "2021-01-01"))
    shelf.put("p1", make_note("new", "Potassium 4.1 mmol/L.", "2021-01-02", replaces=("old",), status=status))
    assert evidence(shelf) == expected


def test_of_two_notes_that_replace_each_other_both_stay(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "One.", "2021-01-01", replaces=("b",)))
    shelf.put("p1", make_note("b", "Two.", "2021-01-02", replaces=("a",)))
    assert evidence(shelf) == ["a", "b"]


def test_a_note_that_says_it_replaces_itself_stays(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Text.", status="superseded", replaces=("a",)))
    assert evidence(shelf) == ["a"]


def test_a_chain_of_replacements_leaves_the_last(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(
        "p1", make_note("a", "One.", status="superseded"), make_note("b", "Two.", status="superseded", replaces=("a",)),
        make_note("c", "Three.", replaces=("b",)),
    )  # fmt: skip
    assert evidence(shelf) == ["c"]


def test_readers_see_one_state_while_another_process_writes(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    writer, one, two = (open_shelf("store") for _ in range(3))
    writer.put("p1", make_note("d1", "First."))
    with one.store.read(P1) as early:
        assert (early.seq, len(early.documents())) == (1, 1)
        writer.put("p1", make_note("d1", "First, corrected."), make_note("d2", "Second."))
        with two.store.read(P1) as late:
            assert (late.seq, len(late.documents()), late.count_sentences()) == (3, 2, 2)
            writer.put("p1", make_note("d3", "Third."))
            assert len(late.documents()) == 2
            assert len(late.passages(writer.recipe).places) == 2
        assert (len(early.documents()), early.count_sentences()) == (1, 1)
        found = early.find("d1")
        assert found is not None
        assert (found.text, found.sha256) == ("First.", early.documents()[0].sha256)
    assert evidence(one) == evidence(two) == ["d1", "d2", "d3"]


def test_a_partition_with_nothing_that_may_be_evidence(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Text.", "2021", status="entered-in-error"))
    with shelf.store.read(P1) as reader:
        arrays = reader.passages(shelf.recipe)
        assert (len(arrays.text_keys), arrays.places.shape, arrays.postings.starts.tolist()) == (0, (0, 4), [0])
        assert reader.documents() == []
        assert reader.count_sentences() == 0


def test_list_of_partitions(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p2", make_note("a", "One.", "2021-03-02T10:00"), make_note("b", "Two.", "2019"))
    shelf.put("p10", make_note("a", "One."))
    shelf.put(Scope.collection("c"), make_note("a", "One.", "2020-01-01"))
    shown = [(s.scope.kind, s.scope.name, s.documents, s.seq, s.first, s.last) for s in shelf.store.partitions()]
    assert shown == [
        ("patient", "p10", 1, 1, "", ""), ("patient", "p2", 2, 2, "2019", "2021-03-02"),
        ("collection", "c", 1, 1, "2020-01-01", "2020-01-01"),
    ]  # fmt: skip
    assert [s.scope.name for s in shelf.store.partitions("collection")] == ["c"]


def test_a_document_keeps_the_encounter_it_is_of(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d1", "Text.", "2020-01-01", encounter_id="e7"), make_note("d2", "Text.", "2020-01-02"))
    with shelf.store.read(P1) as reader:
        assert [d.encounter_id for d in reader.documents()] == ["e7", ""]
