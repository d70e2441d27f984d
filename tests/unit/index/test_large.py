"""A large collection searched in files against the same collection searched exactly: same passages, same scores."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chartcite.core.errors import StoreDamaged, StoreLocked, StoreMismatch, StoreUnwritable
from chartcite.core.scope import Scope
from chartcite.index.large import build, collection, files
from chartcite.index.large.collection import LargeIndex
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.index.port import SearchIndex
from chartcite.store.beside import stem

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

    from chartcite.core.documents import Document
    from chartcite.store.reader import PartitionReader

C = Scope.collection("c")
WORDS = (
    *("warfarin", "metformin", "aspirin", "dose", "mg", "daily", "pain", "chest", "no", "left", "knee", "inr"),
    *("high", "low", "stopped", "started", "today", "5", "2.5"),
)
QUERIES = ["warfarin dose", "no chest pain", "5 mg daily aspirin", "knee", "unknown", "inr high warfarin warfarin"]


def notes(make_note: MakeNote, n: int, seed: int = 1, prefix: str = "d") -> list[Document]:
    rng = Random(seed)
    made = []
    for i in range(n):
        lines = [" ".join(rng.choices(WORDS, k=rng.randint(2, 9))) + "." for _ in range(3)]
        text = "PLAN\n" + lines[0] + "\n\nHISTORY\n" + lines[1] + "\n\nLABS\n" + lines[2] + "\n"
        status = "entered-in-error" if rng.random() < 0.1 else "current"
        time = f"20{rng.randint(10, 29)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}" if i % 7 else ""
        made.append(make_note(f"{prefix}{i}", text, time, status=status))
    return made


def place(shelf: Shelf) -> Path:
    with shelf.store.read(C) as reader:
        return stem(shelf.store.folder, reader.incarnation, shelf.recipe)


def make(shelf: Shelf) -> Path:
    with shelf.store.read(C) as reader:
        return build.build(reader, shelf.recipe, place_of(shelf, reader))


def place_of(shelf: Shelf, reader: PartitionReader) -> Path:
    return stem(shelf.store.folder, reader.incarnation, shelf.recipe)


def both(shelf: Shelf, reader: PartitionReader) -> tuple[PartitionIndex, LargeIndex]:
    exact = PartitionIndex.build(reader, shelf.recipe, Bm25())
    return exact, LargeIndex.open(reader, shelf.recipe, Bm25(), place_of(shelf, reader))


def lists(shelf: Shelf, index: SearchIndex, reader: PartitionReader, depth: int, allowed: Any) -> list[Any]:
    """All that the port gives; dense scores rounded to the tolerance, 1e-6."""
    found: list[Any] = [index.size, index.sentences, [d.doc_id for d in index.documents]]
    for query in QUERIES:
        terms, encoded = Counter(shelf.kitchen.analyse(query)), shelf.kitchen.encoder.encode_query(query)
        found.append([(s.passage, s.score.hex()) for s in index.lexical_best(reader, terms, depth, allowed)])
        found.append([s.passage for s in index.dense_best(reader, encoded, depth, allowed)])
        found.append([pytest.approx(s.score, abs=1e-6) for s in index.dense_best(reader, encoded, depth, allowed)])
        found.append(index.idf(reader, list(terms)))
        numbers = reader.term_numbers(list(terms))
        found.append(sorted(index.having(reader, list(numbers.values()))))
    some = list(range(0, index.size, 5))
    found.append([index.places(p) for p in some])
    dims = shelf.kitchen.encoder.token_dims
    found.append(index.late_scores(reader, encoded, some, dims).tolist())
    found.append([index.token_vectors(reader, p, dims).tolist() for p in some])
    return [*found, [index.of_document(d.key) for d in index.documents]]


def agree(shelf: Shelf, as_of: str = "") -> None:
    with shelf.store.read(C, as_of) as reader:
        exact, large = both(shelf, reader)
        third = exact.of_documents([d.key for d in exact.documents][::3])
        assert large.of_documents([d.key for d in exact.documents][::3]).tolist() == third.tolist()
        for depth in (1, 10, 1000):
            for allowed in (None, third, np.zeros(exact.size, np.bool_)):
                mine, theirs = (lists(shelf, index, reader, depth, allowed) for index in (large, exact))
                assert mine == theirs
        assert large.nbytes > 0


@pytest.mark.parametrize("as_of", ["", "2020-06~", "2011~", "2009~"])
def test_files_give_what_exact_arrays_give(as_of: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 150))
    make(shelf)
    agree(shelf, as_of)


@pytest.mark.parametrize("as_of", ["", "2020-06~"])
def test_catching_up_with_what_came_and_went(as_of: str, shelf: Shelf, make_note: MakeNote) -> None:
    documents = notes(make_note, 150)
    shelf.put(C, *documents)
    make(shelf)
    shelf.put(C, *notes(make_note, 15, seed=2, prefix="later"))
    changed = [make_note(d.doc_id, d.text + "Amended: apixaban.", str(d.time or "")) for d in documents[:5]]
    gone = [make_note(d.doc_id, "Withdrawn.", status="entered-in-error") for d in documents[5:10]]
    shelf.put(C, *changed, *gone)
    shelf.store.writer("r").drop_unused_terms(C)
    agree(shelf, as_of)
    make(shelf)
    agree(shelf, as_of)


@pytest.mark.sqlite
def test_a_number_that_the_store_gave_again(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 30), make_note("copied", "Copied text."), make_note("last", "The last, warfarin."))
    make(shelf)
    number = shelf.rows("SELECT MAX(id) FROM texts")
    shelf.put(C, make_note("last", "Copied text."))
    assert shelf.rows("SELECT MAX(id) FROM texts") < number
    shelf.put(C, make_note("new", "Another text, aspirin daily."))
    assert shelf.rows("SELECT MAX(id) FROM texts") == number
    agree(shelf)


@pytest.mark.parametrize("as_of", ["", "2020-06~"])
def test_where_the_scan_chooses(as_of: str, shelf: Shelf, make_note: MakeNote, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer rows are scored than there are: what is found has its exact score, is allowed, and is mostly the best."""
    shelf.put(C, *notes(make_note, 150))
    make(shelf)
    shelf.put(C, *notes(make_note, 15, seed=2, prefix="later"))
    monkeypatch.setattr(collection, "_FEW", 0)
    monkeypatch.setattr(collection, "_SCORED_BY_BYTES", 1)
    monkeypatch.setattr(files.LargeFiles, "rescored", 120)
    shares = []
    with shelf.store.read(C, as_of) as reader:
        exact, large = both(shelf, reader)
        for allowed in (None, exact.of_documents([d.key for d in exact.documents][::2])):
            for query in QUERIES:
                encoded = shelf.kitchen.encoder.encode_query(query)
                found = dict(large.dense_best(reader, encoded, 10, allowed))
                best = dict(exact.dense_best(reader, encoded, 10, allowed))
                scores = exact.dense_scores(encoded)
                assert all(found[p] == pytest.approx(scores[p], abs=1e-6) for p in found)
                assert allowed is None or allowed[list(found)].all()
                shares.append(len(found.keys() & best.keys()) / max(1, len(best)))
    assert np.mean(shares) > 0.8
    assert min(shares) < 1, "the scan left nothing out, so that nothing was tested"


def test_too_much_has_come(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 20))
    make(shelf)
    shelf.put(C, *notes(make_note, 20, seed=2, prefix="later"))
    with shelf.store.read(C) as reader, pytest.raises(StoreMismatch) as said:
        both(shelf, reader)
    assert "chartcite index" in said.value.advice
    with shelf.store.read(C) as reader:
        assert build.refresh(reader, shelf.recipe, place_of(shelf, reader))
        assert not build.refresh(reader, shelf.recipe, place_of(shelf, reader))
        assert build.refresh(reader, shelf.recipe, place_of(shelf, reader), afresh=True)
    agree(shelf)


def test_files_that_were_never_made(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 3))
    with shelf.store.read(C) as reader, pytest.raises(StoreMismatch) as said:
        both(shelf, reader)
    assert "chartcite index" in said.value.advice


def test_only_the_newest_files_are_kept_and_their_owner_alone_may_read_them(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 3))
    first = make(shelf)
    with shelf.store.read(C) as reader:
        old = LargeIndex.open(reader, shelf.recipe, Bm25(), place_of(shelf, reader))
        before = old.lexical_best(reader, {"warfarin": 1, "mg": 1}, 5)
    shelf.put(C, make_note("new", "New text."))
    second = make(shelf)
    assert (first.exists(), second.exists(), files.find(place(shelf))) == (False, True, second)
    assert second.parent.stat().st_mode & 0o077 == second.stat().st_mode & 0o077 == 0
    with shelf.store.read(C) as reader:  # who has the old files mapped keeps them
        assert old.lexical_best(reader, {"warfarin": 1, "mg": 1}, 5) == before


def test_deleting_the_collection_leaves_no_file_and_no_byte(
    shelf: Shelf, make_note: MakeNote, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.put(C, *notes(make_note, 30))
    folder = make(shelf)
    seen: list[bool] = []
    remove = shutil.rmtree

    def look_and_remove(path: Path) -> None:
        seen.extend(not any(file.read_bytes()) for file in path.iterdir())
        remove(path)

    monkeypatch.setattr(shutil, "rmtree", look_and_remove)
    shelf.store.delete(C)
    assert seen
    assert all(seen), "a file was removed that had not been overwritten"
    assert not folder.exists()
    assert list((shelf.store.folder / "large").iterdir()) == []


def test_a_killed_build_is_cleared_away_and_two_builders_do_not_meet(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 3))
    new = place(shelf).with_name(f"{place(shelf).name}.new")
    new.mkdir(parents=True)
    (new / "keys.npy").write_bytes(b"half")
    with build._alone(place(shelf)), pytest.raises(StoreLocked):
        make(shelf)
    make(shelf)
    assert not new.exists()
    agree(shelf)


def test_a_full_disk(shelf: Shelf, make_note: MakeNote, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.put(C, *notes(make_note, 12))
    folder = make(shelf)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "posix_fallocate", full)
        with pytest.raises(StoreUnwritable) as said:
            make(shelf)
    assert "space" in f"{said.value} {said.value.advice}"
    assert [p.name for p in sorted(folder.parent.iterdir())] == sorted([folder.name, f"{place(shelf).name}.lock"])
    agree(shelf)


@pytest.mark.parametrize("name", ["manifest.json", *(f"{n}.npy" for n in files._SHAPES)])
@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_damaged_files_are_named(name: str, damage: str, shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 12))
    path = make(shelf) / name
    if damage == "gone":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-9])
    elif name == files.MANIFEST:
        path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    else:
        np.save(path, np.zeros((3, 3), np.float64))
    with shelf.store.read(C) as reader:
        with pytest.raises(StoreDamaged) as said:
            both(shelf, reader)
        assert "chartcite index" in said.value.advice
        assert build.refresh(reader, shelf.recipe, place_of(shelf, reader))
    agree(shelf)


def test_the_manifest_says_what_was_measured(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put(C, *notes(make_note, 200))
    manifest = files.load(make(shelf)).manifest
    assert manifest["recall_at_10"] >= 0.97
    assert 0 < manifest["rescored"] <= manifest["rows"]
    assert manifest["recall_queries"] > 0
    assert manifest["recipe"] == shelf.recipe.to_dict()


def test_the_order_of_ingest_changes_no_byte(open_shelf: OpenShelf, make_note: MakeNote) -> None:
    documents, found = notes(make_note, 60), []
    for seed in range(2):
        shelf = open_shelf(f"s{seed}")
        shelf.put(C, *Random(seed).sample(documents, len(documents)))
        make(shelf)
        with shelf.store.read(C) as reader:
            _, large = both(shelf, reader)
            names = {d.key: d.doc_id for d in large.documents}
            given: list[object] = [[(names[d], *span) for d, *span in large.places(p)] for p in range(large.size)]
            for query in QUERIES:
                encoded = shelf.kitchen.encoder.encode_query(query)
                dense = large.dense_best(reader, encoded, 20)
                lexical = large.lexical_best(reader, Counter(shelf.kitchen.analyse(query)), 20)
                given.append([(s.passage, s.score.hex()) for s in (*dense, *lexical)])
        found.append(given)
    assert found[0] == found[1]
