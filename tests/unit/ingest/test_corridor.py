"""A whole ingest: what becomes of every source, what a rerun does, and that nothing of a batch is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.core.documents import Span
from chartcite.core.errors import CorruptSource, StoreUnwritable
from chartcite.core.reading import Found, Problem
from chartcite.core.scope import Scope
from chartcite.ingest.corridor import Corridor
from chartcite.ingest.ledger import Ledger, SourceEntry
from chartcite.ingest.pool import EncodingPool
from chartcite.ingest.routing import Route
from chartcite.ingest.walk import SourceFile

if TYPE_CHECKING:
    from tests.conftest import FakeEncoder, MakeNote, OpenShelf, Shelf
    from tests.unit.ingest.conftest import Ingest, WriteNotes

P1 = Scope.patient("p1")
NAMES = ("added", "updated", "unchanged", "failed", "skipped")


def totals(ledger: Ledger) -> dict[str, int]:
    return {name: ledger.total(name) for name in NAMES if ledger.total(name)}


def kinds(ledger: Ledger) -> list[str]:
    return [p.kind for source in ledger.sources for p in source.problems]


def texts(shelf: Shelf, patient: str = "p1") -> dict[str, str]:
    with shelf.store.read(Scope.patient(patient)) as reader:
        reader.passages(shelf.recipe)  # complete, or it would refuse
        return {d.doc_id: reader.document(d.key).text for d in reader.documents()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"p1/a.txt": "One.", "p1/b.txt": "Two.", "p2/a.txt": "Three."}.items():
        path = tmp_path / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "notes"


def test_a_folder_of_patients(folder: Path, ingest: Ingest, shelf: Shelf, fake_encoder: FakeEncoder) -> None:
    ledger = ingest(folder, folder=True)
    assert totals(ledger) == {"added": 3}
    assert (ledger.passages, ledger.encoded, ledger.failed) == (3, 3, False)
    assert texts(shelf) == {"p1/a.txt": "One.", "p1/b.txt": "Two."}
    assert texts(shelf, "p2") == {"p2/a.txt": "Three."}


@pytest.mark.sqlite
def test_a_rerun_is_a_no_op(folder: Path, ingest: Ingest, shelf: Shelf, fake_encoder: FakeEncoder) -> None:
    ingest(folder, folder=True)
    before, encoded = shelf.dump(), list(fake_encoder.texts)
    connection: Any = shelf.store._connection
    changes = connection.total_changes
    ledger = ingest(folder, folder=True)
    assert totals(ledger) == {"unchanged": 3}
    assert shelf.dump() == before
    assert fake_encoder.texts == encoded
    assert connection.total_changes == changes


def test_a_rerun_with_a_failing_record_changes_nothing_either(
    write_notes: WriteNotes, ingest: Ingest, shelf: Shelf
) -> None:
    """Its source is read again every time: the same records must win every time."""
    path = write_notes("n.jsonl", ("d1", "p1", "First."), ("d1", "p1", "Second."), ("d2", "p1", "Other."))
    for expected in ({"added": 2, "failed": 1}, {"unchanged": 2, "failed": 1}, {"unchanged": 2, "failed": 1}):
        ledger = ingest(path)
        assert totals(ledger) == expected
        assert kinds(ledger) == ["RepeatedDocument"]
        assert texts(shelf) == {"d1": "First.", "d2": "Other."}


def test_a_doc_id_in_two_sources_is_the_first_one_s_in_every_run(
    write_notes: WriteNotes, ingest: Ingest, shelf: Shelf
) -> None:
    one = write_notes("in/1.jsonl", ("d1", "p1", "First."))
    write_notes("in/2.jsonl", ("d1", "p1", "Second."), ("d2", "p1", "Other."))
    for _ in range(3):
        ledger = ingest(one.parent)
        assert kinds(ledger) == ["RepeatedDocument"]
        assert texts(shelf) == {"d1": "First.", "d2": "Other."}


def test_the_same_record_in_two_sources_is_one_document(write_notes: WriteNotes, ingest: Ingest, shelf: Shelf) -> None:
    one = write_notes("in/1.jsonl", ("d1", "p1", "First."))
    write_notes("in/2.jsonl", ("d1", "p1", "First."))
    assert totals(ingest(one.parent)) == {"added": 1, "unchanged": 1}
    assert texts(shelf) == {"d1": "First."}


def test_the_same_doc_id_for_two_patients_is_two_documents(
    write_notes: WriteNotes, ingest: Ingest, shelf: Shelf
) -> None:
    assert totals(ingest(write_notes("n.jsonl", ("d1", "p1", "One."), ("d1", "p2", "Two.")))) == {"added": 2}
    assert (texts(shelf), texts(shelf, "p2")) == ({"d1": "One."}, {"d1": "Two."})


def test_a_changed_file_updates_its_document(folder: Path, ingest: Ingest, shelf: Shelf) -> None:
    ingest(folder, folder=True)
    (folder / "p1" / "a.txt").write_text("One, corrected.")
    assert totals(ingest(folder, folder=True)) == {"updated": 1, "unchanged": 2}
    assert texts(shelf) == {"p1/a.txt": "One, corrected.", "p1/b.txt": "Two."}
    assert shelf.rows("SELECT term FROM terms WHERE term LIKE 'correct%'") == [("correct",)]


def test_words_of_an_earlier_version_go(folder: Path, ingest: Ingest, shelf: Shelf) -> None:
    (folder / "p1" / "a.txt").write_text("Canary.")
    ingest(folder, folder=True)
    (folder / "p1" / "a.txt").write_text("Nothing.")
    ingest(folder, folder=True)
    assert shelf.rows("SELECT term FROM terms WHERE term LIKE 'canar%'") == []


def test_a_paragraph_added_to_a_note(folder: Path, ingest: Ingest, shelf: Shelf, fake_encoder: FakeEncoder) -> None:
    """The passages that stay are not encoded again, and are not lost with the old version."""
    text = "HISTORY\nTakes warfarin.\n\nPLAN\nGo on.\n"
    (folder / "p1" / "a.txt").write_text(text)
    ingest(folder, folder=True)
    count = len(fake_encoder.texts)
    (folder / "p1" / "a.txt").write_text(text + "\nADDENDUM\nStopped.\n")
    assert totals(ingest(folder, folder=True)) == {"updated": 1, "unchanged": 2}
    assert len(fake_encoder.texts) == count + 1
    assert len(texts(shelf)) == 2


@pytest.mark.parametrize("order", [("p1/a.txt", "p1/b.txt"), ("p1/b.txt", "p1/a.txt")])
def test_a_text_that_moves_to_another_file_in_the_same_run(
    order: tuple[str, str], folder: Path, ingest: Ingest, shelf: Shelf
) -> None:
    """When the second document is prepared, its text stands in the first; when it is committed, no more."""
    was, becomes = order
    (folder / was).write_text("PLAN\nThe moving paragraph.\n")
    ingest(folder, folder=True)
    (folder / was).write_text("PLAN\nSomething new.\n")
    (folder / becomes).write_text("PLAN\nThe moving paragraph.\n")
    assert totals(ingest(folder, folder=True)) == {"updated": 2, "unchanged": 1}
    assert texts(shelf) == {was: "PLAN\nSomething new.\n", becomes: "PLAN\nThe moving paragraph.\n"}


def test_files_of_one_name_in_two_folders_are_both_kept(tmp_path: Path, ingest: Ingest, shelf: Shelf) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "note.txt").write_text(f"From {place}.")
    assert totals(ingest(tmp_path / "one", tmp_path / "two", patient="p1")) == {"added": 2}
    found = texts(shelf)
    assert sorted(found.values()) == ["From one.", "From two."]
    assert set(found) > {"note.txt"}
    assert all(name.startswith("note.txt") for name in found)
    assert totals(ingest(tmp_path / "two", tmp_path / "one", patient="p1")) == {"unchanged": 2}
    assert texts(shelf) == found
    (tmp_path / "two" / "note.txt").write_text("Corrected.")
    assert totals(ingest(tmp_path / "two", patient="p1")) == {"updated": 1}
    assert sorted(texts(shelf).values()) == ["Corrected.", "From one."]


def test_equal_files_of_one_name_are_one_document_until_one_of_them_changes(
    tmp_path: Path, ingest: Ingest, shelf: Shelf
) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "note.txt").write_text("Equal.")
    both = (tmp_path / "one", tmp_path / "two")
    assert totals(ingest(*both, patient="p1")) == {"added": 1, "unchanged": 1}
    (tmp_path / "one" / "note.txt").write_text("Changed.")
    assert totals(ingest(*both, patient="p1")) == {"updated": 1, "added": 1}
    assert sorted(texts(shelf).values()) == ["Changed.", "Equal."]


def test_a_folder_that_moved_is_not_ingested_twice(folder: Path, ingest: Ingest, shelf: Shelf) -> None:
    ingest(folder, folder=True)
    moved = folder.rename(folder.with_name("elsewhere"))
    assert totals(ingest(moved, folder=True)) == {"unchanged": 3}
    assert len(texts(shelf)) == 2


def failing_reader(make_note: MakeNote) -> Any:
    def read(source: SourceFile) -> Iterator[Found | Problem]:
        yield Found(make_note(f"{source.name}-1", f"First of {source.name}."), "p1")
        yield Problem(f"{source.name}#2", CorruptSource("broken record", "mend it"))
        if source.name == "p1/b.txt":
            raise CorruptSource("the rest cannot be read", "mend it")
        yield Found(make_note(f"{source.name}-3", f"Third of {source.name}."), "p1")

    return read


def test_a_source_that_fails_in_the_middle_loses_nothing_else(
    folder: Path, ingest: Ingest, shelf: Shelf, make_note: MakeNote
) -> None:
    ledger = ingest(folder, read=failing_reader(make_note))
    assert totals(ledger) == {"added": 5, "failed": 4}
    assert [s.outcome for s in ledger.sources] == ["partial"] * 3
    assert sorted(texts(shelf)) == ["p1/a.txt-1", "p1/a.txt-3", "p1/b.txt-1", "p2/a.txt-1", "p2/a.txt-3"]
    assert ledger.failed
    rows = shelf.rows("SELECT source, outcome, kind, documents FROM ledger ORDER BY id")
    assert rows[:2] == [("p1/a.txt", "partial", "", 2), ("p1/a.txt", "failed", "CorruptSource", 0)]
    assert len(rows) == 7
    again = ingest(folder, read=failing_reader(make_note))  # a source with a failure is read again
    assert totals(again) == {"unchanged": 5, "failed": 4}


@pytest.mark.parametrize("fails_at", [1, 2, 3, 4])
def test_ctrl_c_in_the_middle(fails_at: int, folder: Path, ingest: Ingest, shelf: Shelf, open_shelf: OpenShelf) -> None:
    calls = 0

    def progress(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(folder, folder=True, progress=progress)
    assert shelf.store.check() == []
    ledger = ingest(folder, folder=True)
    assert not ledger.failed
    undisturbed = open_shelf("undisturbed")
    ingest(folder, folder=True, shelf=undisturbed)
    assert shelf.dump() == undisturbed.dump()


def test_files_that_cannot_be_read(folder: Path, ingest: Ingest, shelf: Shelf) -> None:
    (folder / "p1" / "dangling.txt").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "p1" / "pipe.txt")  # reading it would wait for ever
    (folder / "p1" / "empty.txt").touch()
    (folder / "p1" / "blank.txt").write_text(" \n\t\n")
    (folder / "p1" / "binary.txt").write_bytes(bytes(range(256)) * 8)
    elsewhere = folder.parent / "of-another-patient.txt"
    elsewhere.write_text("Warfarin 5 mg daily.")
    (folder / "p1" / "link.txt").symlink_to(elsewhere)
    ledger = ingest(folder, folder=True)
    outcomes = {s.name: s.outcome for s in ledger.sources}
    assert {name for name, outcome in outcomes.items() if outcome == "failed"} == {
        f"p1/{n}.txt" for n in ("dangling", "pipe", "empty", "blank", "binary", "link")
    }
    assert totals(ledger)["added"] == 3
    assert all(p.reason and p.advice for s in ledger.sources for p in s.problems if p.kind == "UnreadableSource")
    assert len(texts(shelf)) == 2


@pytest.mark.parametrize("name", [b"caf\xe9.txt", "cafe\u0301 \u202e.txt".encode(), b"new\nline.txt", b"  .txt"])
def test_odd_file_names(name: bytes, folder: Path, ingest: Ingest, shelf: Shelf) -> None:
    """A name in another encoding is no reason to lose the file, still less the others."""
    (Path(os.fsdecode(os.fsencode(folder / "p1") + b"/" + name))).write_text("Odd.")
    ledger = ingest(folder, folder=True)
    assert totals(ledger)["added"] >= 3
    assert totals(ledger).get("failed", 0) + totals(ledger)["added"] == 4
    assert totals(ingest(folder, folder=True))["unchanged"] >= 3


@pytest.mark.parametrize("field", ["doc_id", "title", "author", "note_type", "text"])
def test_a_lone_surrogate_in_a_record(field: str, tmp_path: Path, ingest: Ingest, shelf: Shelf) -> None:
    """JSON can hold what no encoding can carry."""
    good = '{"doc_id": "d%d", "patient_id": "p1", "text": "Fine."}\n'
    bad = '{"doc_id": "x", "patient_id": "p1", "text": "Odd.", "%s": "odd \\ud800"}\n' % field  # noqa: UP031
    path = tmp_path / "n.jsonl"
    path.write_text(good % 1 + bad + good % 2)
    ledger = ingest(path)
    assert totals(ledger)["added"] >= 2
    assert {"d1", "d2"} <= set(texts(shelf))


def test_an_engine_s_failure_is_a_line_of_the_ledger(
    folder: Path, ingest: Ingest, shelf: Shelf, fake_encoder: FakeEncoder
) -> None:
    (folder / "p1" / "a.txt").write_text("PLAN\nCanary.\n\nOTHER\nFine.\n")
    (folder / "p1" / "copy.txt").write_text("PLAN\nCanary.\n")
    fake_encoder.fails_on = "Canary"
    ledger = ingest(folder, folder=True)
    assert totals(ledger) == {"added": 2, "failed": 2}
    assert kinds(ledger) == ["EngineFailed"] * 2
    assert "Canary" not in str(ledger.to_dict())
    assert texts(shelf) == {"p1/b.txt": "Two."}
    assert shelf.rows("SELECT COUNT(*) FROM texts")[0][0] == 2
    fake_encoder.fails_on = ""
    assert totals(ingest(folder, folder=True)) == {"added": 2, "unchanged": 2}


def test_an_engine_that_fails_while_it_counts_tokens(
    folder: Path, ingest: Ingest, shelf: Shelf, fake_encoder: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    offsets = fake_encoder.offsets

    def fail_on_two(texts: list[str]) -> Any:
        if any("Two" in t for t in texts):
            raise RuntimeError("Two")
        return offsets(texts)

    monkeypatch.setattr(fake_encoder, "offsets", fail_on_two)
    ledger = ingest(folder, folder=True)
    assert totals(ledger) == {"added": 2, "failed": 1}
    assert kinds(ledger) == ["EngineFailed"]


def test_an_engine_that_fails_while_the_store_is_indexed_anew(
    folder: Path, ingest: Ingest, shelf: Shelf, fake_encoder: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(folder, folder=True)
    with shelf.store.read(P1) as reader:
        documents = [reader.document(key) for key in reader.all_keys()]
    kitchen = replace(shelf.kitchen, recipe=replace(shelf.recipe, encoder="fake@2"), encoder=fake_encoder)
    offsets = fake_encoder.offsets
    monkeypatch.setattr(fake_encoder, "offsets", lambda texts: 1 / 0 if "One." in texts else offsets(texts))
    pool = EncodingPool(fake_encoder, 1)
    corridor = Corridor(kitchen, shelf.store.writer("again"), pool, Route(), "")
    corridor.reindex(P1, documents, SourceEntry("p1"), lambda *_: None)
    pool.close()
    assert totals(corridor.ledger) == {"unchanged": 1, "failed": 1}
    assert kinds(corridor.ledger) == ["EngineFailed"]
    assert len(texts(shelf)) == 2  # what was there is still there


@pytest.mark.sqlite
def test_a_full_store_ends_the_ingest_and_keeps_what_was_acknowledged(
    folder: Path, ingest: Ingest, shelf: Shelf
) -> None:
    for n in range(60):
        (folder / "p1" / f"n{n:02}.txt").write_text(f"Note {n}. " * 400)
    shelf.rows(f"PRAGMA max_page_count={shelf.rows('PRAGMA page_count')[0][0] + 60}")
    acknowledged = []
    with pytest.raises(StoreUnwritable):
        ingest(folder, folder=True, progress=lambda entry, _: acknowledged.append(entry.name))
    assert set(texts(shelf)) >= {name for name in acknowledged if name.startswith("p1")}
    shelf.rows("PRAGMA max_page_count=1000000")
    assert not ingest(folder, folder=True).failed
    assert len(texts(shelf)) == 62


def test_hidden_text_is_in_no_sentence_and_no_passage(
    ingest: Ingest, shelf: Shelf, folder: Path, make_note: MakeNote
) -> None:
    text = "Seen one. Secret canary. Seen two.\n\nPLAN\nSeen three. Another canary here. Seen four.\n"
    spans = tuple(Span(text.index(s), text.index(s) + len(s)) for s in ("Secret canary.", "canary here"))
    document = make_note("d", text, hidden=spans)
    ingest(folder / "p1" / "a.txt", read=lambda _: iter([Found(document, "p1")]))
    with shelf.store.read(P1) as reader:
        (info,) = reader.documents()
        shown = [text[s.start : s.end] for s in reader.sentences(info.key)]
        passages = [text[start:end] for _, _, start, end in reader.passages(shelf.recipe).places.tolist()]
    assert shown == ["Seen one.", "Seen two.", "PLAN", "Seen three.", "Seen four."]
    assert passages
    assert not any("canary" in part.lower() for part in shown + passages)
    assert not shelf.rows("SELECT 1 FROM terms WHERE term LIKE 'canar%'")


def test_a_document_that_is_hidden_whole(ingest: Ingest, shelf: Shelf, folder: Path, make_note: MakeNote) -> None:
    document = make_note("d", "Secret. Canary.", hidden=(Span(0, 15),))
    ledger = ingest(folder / "p1" / "a.txt", read=lambda _: iter([Found(document, "p1")]))
    assert kinds(ledger) == ["EmptySource"]
    assert shelf.store.counts()["documents"] == 0


def test_a_note_of_ten_thousand_words(ingest: Ingest, shelf: Shelf, folder: Path) -> None:
    words = " ".join(f"Word{n} is{'.' if n % 12 == 0 else ''}" for n in range(5000))
    (folder / "p1" / "a.txt").write_text(words)
    assert not ingest(folder, folder=True).failed
    with shelf.store.read(P1) as reader:
        text = reader.find("p1/a.txt")
        places = [p for p in reader.passages(shelf.recipe).places.tolist() if p[1] == reader.documents()[0].key]
    assert text is not None
    covered = "".join(text.text[start:end] for _, _, start, end in places)
    assert covered.split() == words.split() or "".join(covered.split()) == "".join(words.split())
    assert len(places) > 10


@pytest.mark.parametrize("text", ["\n" * 5000 + "x", "x" * 200_000, "a\n" * 20_000, "(**" * 20_000, ". " * 30_000])
def test_shapes_that_could_be_slow(text: str, ingest: Ingest, shelf: Shelf, folder: Path) -> None:
    (folder / "p1" / "a.txt").write_text(text)
    assert not ingest(folder, folder=True).failed
    assert texts(shelf)["p1/a.txt"] == text


def test_documents_are_committed_in_the_order_of_the_sources(
    folder: Path, ingest: Ingest, shelf: Shelf, fake_encoder: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from time import sleep  # noqa: PLC0415

    encode = fake_encoder.encode_passage

    def slow_at_first(text: str) -> Any:
        if text == "One.":
            sleep(0.2)
        return encode(text)

    monkeypatch.setattr(fake_encoder, "encode_passage", slow_at_first)
    ingest(folder, folder=True)
    assert shelf.rows("SELECT doc_id FROM documents ORDER BY id") == [("p1/a.txt",), ("p1/b.txt",), ("p2/a.txt",)]


def test_two_ingests_at_once(folder: Path, ingest: Ingest, open_shelf: OpenShelf) -> None:
    """A second process that ingests the same files while the first has them in its queue."""
    one, two = open_shelf("store"), open_shelf("store")
    done = False

    def progress(*_: object) -> None:
        nonlocal done
        if not done:
            done = True
            ingest(folder, folder=True, shelf=two)

    ledger = ingest(folder, folder=True, shelf=one, progress=progress)
    assert totals(ledger)["added"] + totals(ledger)["unchanged"] == 3
    assert one.store.counts()["documents"] == 3
    assert one.store.check() == []
    assert len(texts(one)) == 2


def test_a_source_is_read_again_after_its_patient_was_deleted(folder: Path, ingest: Ingest, shelf: Shelf) -> None:
    ingest(folder, folder=True)
    shelf.store.delete(P1)
    assert totals(ingest(folder, folder=True)) == {"added": 2, "unchanged": 1}
    assert len(texts(shelf)) == 2
