"""Deleting a partition removes every trace of it: searched for in the bytes of the store's files."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from chartcite.core.documents import Provenance
from chartcite.core.errors import StoreLocked, UnknownPartition
from chartcite.core.scope import Scope
from chartcite.core.time import When

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

    from chartcite.core.documents import Document

P1, P2 = Scope.patient("canarypatient"), Scope.patient("p2")
FIELDS = ("canarytitle", "canarytype", "canaryauthor", "canaryencounter", "canarysource", "canarydoc", "canaryword")


def secret_note(make_note: MakeNote, n: int, words: str = "canaryword") -> Document:
    source = Provenance(f"canarysource/{n}.txt", "00", "text")
    return make_note(
        f"canarydoc-{n}", f"HISTORY\nThe {words} was seen, {n} times {words}.\n\nPLAN\nGo on with canaryword{n}.\n",
        f"2021-03-{n % 28 + 1:02d}", title="canarytitle", note_type="canarytype", author="canaryauthor",
        encounter_id="canaryencounter", replaces=(f"canarydoc-{n - 1}",), source=source,
    )  # fmt: skip


def raw_bytes(shelf: Shelf) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(shelf.store.folder.iterdir()))


def traces(shelf: Shelf) -> list[str]:
    raw = raw_bytes(shelf).lower()
    return [word for word in (*FIELDS, "canary") if word.encode() in raw]


@pytest.mark.sqlite
def test_no_word_of_a_deleted_patient_is_left_on_the_disk(shelf: Shelf, make_note: MakeNote) -> None:
    """Documents of two patients in turn, so that they share pages of the file."""
    order = random.Random(5)
    for n in range(60):
        shelf.put("canarypatient", secret_note(make_note, n, "canaryword " * order.randrange(1, 40)))
        shelf.put("p2", make_note(f"d{n}", "PLAN\n" + "Metformin stays. " * order.randrange(1, 60) + f"Visit {n}.\n"))
    for n in range(0, 60, 7):  # updates leave old versions behind
        shelf.put("canarypatient", secret_note(make_note, n, "canaryword is corrected"))
    writer = shelf.store.writer("run-1")
    writer.record_source("canarysource/1.txt", "patient:canarypatient 0123456789abcdef", "00", "", 1)
    writer.record_ledger([("2021", "canarysource/1.txt", "read", "", "", "", 1, 10)])
    assert traces(shelf)
    others = [row for row in shelf.dump() if "p2" in row]
    assert shelf.store.delete(P1) == 60
    assert traces(shelf) == []
    assert [row for row in shelf.dump() if "p2" in row] == others
    assert shelf.store.check() == []
    with pytest.raises(UnknownPartition), shelf.store.read(P1):
        pass
    shelf.store.close()
    assert traces(shelf) == []


@pytest.mark.sqlite
def test_vectors_of_a_deleted_patient_are_gone(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p2", make_note("d", "Metformin stays."))
    documents = [secret_note(make_note, n) for n in range(20)]
    shelf.put("canarypatient", *documents)
    blobs = [
        bytes(row[0]) for table, column in (("vectors", "vector"), ("token_vectors", "codes"))
        for row in shelf.rows(
            f"SELECT b.{column} FROM {table} b JOIN texts t ON t.id = b.text JOIN partitions p ON p.id = t.partition"
            " WHERE p.name = 'canarypatient'"
        )
    ]  # fmt: skip
    assert len(blobs) == 80
    assert all(blob[:16] in raw_bytes(shelf) for blob in blobs)
    shelf.store.delete(P1)
    raw = raw_bytes(shelf)
    assert not any(blob[:16] in raw for blob in blobs)
    counts = shelf.store.counts()
    assert (counts["partitions"], counts["documents"], counts["texts"], counts["vectors"]) == (1, 1, 1, 1)


def test_a_large_document_on_overflow_pages(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("canarypatient", make_note("canarydoc", "The canaryword was seen again. " * 3000))
    shelf.put("p2", make_note("d", "Metformin stays."))
    shelf.store.delete(P1)
    assert traces(shelf) == []


def test_text_of_an_earlier_version_does_not_outlive_the_update(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p2", make_note("d", "Sent to the wrong canaryword. " * 50))
    shelf.put("p2", make_note("d", "Corrected."))
    shelf.store.writer("run-2").drop_unused_terms(P2)
    shelf.store.close()
    assert traces(shelf) == []


@pytest.mark.parametrize("target", ["patient:canarypatient 0123456789abcdef", "folder 0123456789abcdef", "source 01"])
@pytest.mark.sqlite
def test_sources_and_ledger_lines_of_files_that_gave_no_document(
    target: str, shelf: Shelf, make_note: MakeNote
) -> None:
    """A file that failed is named after the patient all the same."""
    shelf.put("canarypatient", make_note("d", "Text."))
    shelf.put("p2", make_note("d", "Text.", source=Provenance("p2/d.txt", "00", "text")))
    writer = shelf.store.writer("run-1")
    writer.record_source("canarypatient/scan.pdf", target, "00", "", 0)
    writer.record_source("other/x.txt", "patient:canarypatient2 0123456789abcdef", "00", "", 0)
    writer.record_ledger([
        ("2021", "canarypatient/scan.pdf", "failed", "EmptySource", "no text", "", 0, 0),
        ("2021", "p2/d.txt", "read", "", "", "", 1, 5),
    ])  # fmt: skip
    shelf.store.delete(P1)
    assert traces(shelf) == ["canary"]
    assert raw_bytes(shelf).count(b"canarypatient") == raw_bytes(shelf).count(b"canarypatient2")
    assert shelf.rows("SELECT source FROM ledger") == [("p2/d.txt",)]
    assert len(shelf.rows("SELECT 1 FROM sources WHERE target LIKE 'patient:canarypatient2 %'")) == 1


def test_sources_that_also_fed_a_deleted_patient_are_read_again(shelf: Shelf, make_note: MakeNote) -> None:
    """A second file with the same records is remembered as read, though no document bears its name."""
    for target in ("source 0", "source 1"):
        shelf.store.writer("run-1").record_source(f"{target}.jsonl", target, "00", "s", 2)
    source = Provenance("source 0.jsonl", "00", "jsonl")
    shelf.put("canarypatient", make_note("a", "One.", source=source))
    shelf.put("p2", make_note("b", "Two.", source=source))
    shelf.store.delete(P1)
    writer = shelf.store.writer("run-2")
    assert [writer.source_done(f"source {n}.jsonl", f"source {n}", "00", "s") for n in (0, 1)] == [None, None]


@pytest.mark.sqlite
def test_a_reader_that_is_still_open_is_said_and_the_second_try_succeeds(
    open_shelf: OpenShelf, make_note: MakeNote
) -> None:
    shelf, other = open_shelf("store", busy_seconds=0.1), open_shelf("store")
    shelf.put("p2", make_note("d", "Metformin stays."))
    shelf.put("canarypatient", secret_note(make_note, 1))
    with other.store.read(P1) as reader:
        with pytest.raises(StoreLocked) as said:
            shelf.store.delete(P1)
        assert "run the same command again" in said.value.advice
        assert len(reader.documents()) == 1
        with pytest.raises(StoreLocked):  # still not gone from the log
            shelf.store.delete(P1)
    assert traces(shelf)
    with pytest.raises(UnknownPartition):
        shelf.store.delete(P1)
    assert traces(shelf) == []


def test_an_unknown_partition(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p2", make_note("d", "Text."))
    before = shelf.dump()
    for scope in (Scope.patient("p"), Scope.collection("p2"), Scope.patient("P2")):
        with pytest.raises(UnknownPartition):
            shelf.store.delete(scope)
    assert shelf.dump() == before


def test_a_deleted_patient_can_come_back(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d", "Text.", "2021"))
    before = shelf.dump()
    shelf.store.delete(Scope.patient("p1"))
    shelf.put("p1", make_note("d", "Text.", "2021"))
    assert shelf.dump() == before
    with shelf.store.read(Scope.patient("p1"), When.parse("2022").sort_key) as reader:
        assert len(reader.passages(shelf.recipe).vectors) == 1
