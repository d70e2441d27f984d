"""Packs: a partition opened from them is the partition opened row by row, to the byte, and they outlive no change."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chartcite.core.errors import StoreDamaged, StoreMismatch
from chartcite.core.scope import Scope
from chartcite.core.stored import PassageArrays, Postings
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.store.packs import read_pack

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

    from chartcite.store.reader import PartitionReader

P1 = Scope.patient("p1")


def fill(shelf: Shelf, make_note: MakeNote) -> None:
    """Copies, undated, retracted and replaced notes, in no order of time."""
    shelf.put(
        "p1",
        make_note("c", "PLAN\nWarfarin 5 mg.\n\nHISTORY\nNo chest pain.", "2021-03-01"),
        make_note("a", "PLAN\nWarfarin 5 mg.\n\nHISTORY\nKnee pain.", "2021-01-01"),
        make_note("u", "Aspirin, undated."),
        make_note("e", "HISTORY\nKnee pain.\n\nPLAN\nEntered in error.", "2020-01-01", status="entered-in-error"),
        make_note("s", "Superseded text, heparin.", "2021-02-01", status="superseded"),
        make_note("n", "Its replacement, apixaban.", "2021-06-01", replaces=("s",)),
    )
    shelf.put("p2", make_note("x", "PLAN\nWarfarin 5 mg.", "2021"))


def pack(shelf: Shelf) -> bool:
    return shelf.store.pack(P1, shelf.recipe, least=1)


def arrays(shelf: Shelf, as_of: str = "") -> PassageArrays:
    with shelf.store.read(P1, as_of) as reader:
        return reader.passages(shelf.recipe)


def scored(shelf: Shelf, as_of: str) -> tuple[list[str], bytes, bytes]:
    query = shelf.kitchen.encoder.encode_query("warfarin pain")
    with shelf.store.read(P1, as_of) as reader:
        index = PartitionIndex.build(reader, shelf.recipe, Bm25())
        words = ["warfarin", "pain", "heparin", "no", "aspirin"]
        idf = [f"{word} {value!r}" for word, value in index.idf(reader, words).items()]
        return (
            idf,
            index.lexical_scores(reader, dict.fromkeys(words, 1.0)).tobytes(),
            index.dense_scores(query).tobytes(),
        )


@pytest.mark.parametrize("as_of", ["", "2021-02-15~", "2021-01~", "2019~"])
def test_the_same_bytes_with_a_pack_and_without(as_of: str, shelf: Shelf, make_note: MakeNote) -> None:
    fill(shelf, make_note)
    before, scores = arrays(shelf, as_of), scored(shelf, as_of)
    assert pack(shelf)
    after = arrays(shelf, as_of)
    for name in ("text_keys", "vectors", "places"):
        assert getattr(before, name).tobytes() == getattr(after, name).tobytes(), name
    assert scored(shelf, as_of) == scores


@pytest.mark.sqlite
def test_a_pack_is_what_is_read(shelf: Shelf, make_note: MakeNote) -> None:
    """Or the test above would compare the rows with themselves."""
    fill(shelf, make_note)
    pack(shelf)
    shelf.rows("UPDATE packs SET data = zeroblob(length(data)) WHERE part = 'vectors'")
    assert not arrays(shelf).vectors.any()


def test_every_change_drops_the_packs_of_its_partition(shelf: Shelf, make_note: MakeNote) -> None:
    fill(shelf, make_note)
    shelf.store.pack(Scope.patient("p2"), shelf.recipe, least=1)
    for change in (
        make_note("new", "New."),
        make_note("c", "Changed."),
        make_note("c", "Changed.", status="superseded"),
    ):
        assert pack(shelf)
        shelf.put("p1", change)
        assert shelf.rows("SELECT DISTINCT p.name FROM packs k JOIN partitions p ON p.id = k.partition") == [("p2",)]
    document = make_note("new", "New.")
    assert pack(shelf)
    shelf.store.writer("r").add_derived(P1, shelf.prepare(P1, document), replace(shelf.recipe, splitter="other"))
    assert shelf.rows("SELECT COUNT(*) FROM packs WHERE partition = 1") == [(0,)]


@pytest.mark.sqlite
def test_no_trace_of_a_pack_is_left_when_its_patient_is_deleted(shelf: Shelf, make_note: MakeNote) -> None:
    fill(shelf, make_note)
    pack(shelf)
    with shelf.store.read(P1) as reader:
        two_rows = reader.all_texts(shelf.recipe).vectors[1:3].tobytes()  # side by side only in a pack
    path = shelf.store.folder / "chartcite.sqlite3"
    shelf.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    assert two_rows in path.read_bytes()
    shelf.store.delete(P1)
    assert shelf.rows("SELECT COUNT(*) FROM packs") == [(0,)]
    assert two_rows not in path.read_bytes()


def test_a_pack_of_another_state_or_recipe_is_not_read(shelf: Shelf, make_note: MakeNote) -> None:
    fill(shelf, make_note)
    pack(shelf)
    connection: Any = shelf.store._connection
    cursor = connection.cursor()
    (seq,) = shelf.rows("SELECT seq FROM partitions WHERE name = 'p1'")[0]
    assert read_pack(cursor, 1, seq, shelf.recipe) is not None
    assert read_pack(cursor, 1, seq + 1, shelf.recipe) is None
    assert read_pack(cursor, 1, seq, replace(shelf.recipe, encoder="other")) is None
    assert read_pack(cursor, 2, seq, shelf.recipe) is None


def test_what_is_not_packed(shelf: Shelf, make_note: MakeNote) -> None:
    fill(shelf, make_note)
    assert not shelf.store.pack(P1, shelf.recipe, least=1000)
    assert not shelf.store.pack(P1, shelf.recipe, least=1, most=2)
    with pytest.raises(StoreMismatch):
        shelf.store.pack(P1, replace(shelf.recipe, encoder="other"), least=1)
    assert shelf.rows("SELECT COUNT(*) FROM packs") == [(0,)]


@pytest.mark.parametrize("part", ["keys", "vectors", "terms", "starts", "rows", "counts", "lengths", "places"])
@pytest.mark.parametrize("damage", ["DELETE FROM packs WHERE part = ?", "UPDATE packs SET data = x'00' WHERE part = ?"])
@pytest.mark.sqlite
def test_a_damaged_pack_is_named(part: str, damage: str, shelf: Shelf, make_note: MakeNote) -> None:
    fill(shelf, make_note)
    pack(shelf)
    shelf.rows(damage, part)
    with pytest.raises(StoreDamaged) as said:
        arrays(shelf)
    assert "chartcite index" in said.value.advice
    assert shelf.store.pack(P1, shelf.recipe, least=1, afresh=True)
    assert len(arrays(shelf).text_keys)


def test_a_pack_without_documents(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "Text.", status="entered-in-error"))
    pack(shelf)
    assert arrays(shelf).vectors.shape == (0, 24)


@pytest.mark.sqlite
def test_a_store_of_the_first_version_is_read_as_it_is_and_upgraded_by_the_first_writer(
    shelf: Shelf, make_note: MakeNote
) -> None:
    fill(shelf, make_note)
    expected = scored(shelf, "")
    shelf.rows("DROP TABLE packs")
    shelf.rows("PRAGMA user_version=1")
    assert scored(shelf, "") == expected
    assert shelf.rows("PRAGMA user_version") == [(1,)]
    assert pack(shelf)
    assert shelf.rows("PRAGMA user_version") == [(9,)]
    assert scored(shelf, "") == expected
    shelf.rows("DROP TABLE packs")
    shelf.rows("PRAGMA user_version=1")
    shelf.put("p1", make_note("new", "New."))  # drops packs: the table must be there
    assert shelf.store.check() == []


def test_arrays_have_the_types_they_promise(shelf: Shelf, make_note: MakeNote) -> None:
    fill(shelf, make_note)
    expected = {
        "text_keys": np.int64, "vectors": np.float32, "lengths": np.int32, "places": np.int64, "terms": np.int64,
        "starts": np.int64, "rows": np.int32, "counts": np.uint16,
    }  # fmt: skip
    for _ in range(2):
        found = arrays(shelf)
        for owner in (found, found.postings):
            for field in fields(owner):
                value = getattr(owner, field.name)
                if value is not None and not isinstance(value, Postings):
                    assert value.dtype == expected[field.name], field.name
        assert pack(shelf)


def test_a_pack_is_not_written_over_what_came_between(
    shelf: Shelf, make_note: MakeNote, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chartcite.store import reader as reading  # noqa: PLC0415

    fill(shelf, make_note)
    read = reading.PartitionReader.all_texts

    def overtaken(self: PartitionReader, recipe: object) -> object:
        found = read(self, shelf.recipe)
        self._cursor.execute("COMMIT")
        shelf.put("p1", make_note("between", "Came between."))
        return found

    monkeypatch.setattr(reading.PartitionReader, "all_texts", overtaken)
    assert not pack(shelf)
    assert shelf.rows("SELECT COUNT(*) FROM packs") == [(0,)]
