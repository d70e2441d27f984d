"""Replies of models live and die with the partition that they were given text of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import StoreLocked
from chartcite.core.scope import Scope
from chartcite.store import replies

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

P1, P2 = Scope.patient("p1"), Scope.patient("p2")
KEY, REPLY = b"k" * 32, b'{"text": "canaryreply"}'


def keep(shelf: Shelf, scope: Scope, **kept: bytes) -> None:
    with shelf.store.read(scope) as reader:
        pass
    shelf.store.keep_replies(reader, {name.encode() * 32: data for name, data in kept.items()})


def find(shelf: Shelf, scope: Scope, key: bytes = KEY) -> bytes | None:
    with shelf.store.read(scope) as reader:
        return reader.reply(key)


def raw(shelf: Shelf) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(shelf.store.folder.iterdir()))


@pytest.fixture
def twins(shelf: Shelf, make_note: MakeNote) -> Shelf:
    for patient in ("p1", "p2"):
        shelf.put(patient, make_note("d", "Warfarin 5 mg."))
    return shelf


def test_a_reply_is_found_in_its_own_partition_only(twins: Shelf) -> None:
    keep(twins, P1, k=REPLY)
    assert find(twins, P1) == REPLY
    assert find(twins, P2) is None
    assert find(twins, P1, b"other" * 6) is None


@pytest.mark.sqlite
def test_it_is_deleted_with_the_patient_and_overwritten(twins: Shelf) -> None:
    keep(twins, P1, k=REPLY)
    keep(twins, P2, k=b"another one")
    assert b"canaryreply" in raw(twins)
    twins.store.delete(P1)
    assert b"canaryreply" not in raw(twins)
    assert find(twins, P2) == b"another one"


def test_it_goes_when_a_document_is_replaced_and_stays_when_one_is_added(twins: Shelf, make_note: MakeNote) -> None:
    keep(twins, P1, k=REPLY)
    twins.put("p1", make_note("e", "INR was 2.1."))
    assert find(twins, P1) == REPLY
    twins.put("p2", make_note("d", "Warfarin 6 mg."))
    assert find(twins, P1) == REPLY
    twins.put("p1", make_note("d", "Warfarin 7 mg."))
    assert find(twins, P1) is None


def test_nothing_is_kept_for_a_partition_that_changed_or_went(twins: Shelf, make_note: MakeNote) -> None:
    with twins.store.read(P1) as before:
        pass
    twins.put("p1", make_note("d", "Warfarin 7 mg."))
    assert not twins.store.keep_replies(before, {KEY: REPLY})
    assert find(twins, P1) is None
    with twins.store.read(P2) as gone:
        pass
    twins.store.delete(P2)
    twins.put("p2", make_note("d", "Warfarin 5 mg."))
    assert not twins.store.keep_replies(gone, {KEY: REPLY})
    assert find(twins, P2) is None


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE replies SET data = x'00'", "UPDATE replies SET digest = x'00'", "UPDATE replies SET data = 'text'",
        "UPDATE replies SET data = zeroblob(length(data))",
    ],
    ids=["data", "digest", "type", "zeros"],
)  # fmt: skip
@pytest.mark.sqlite
def test_a_damaged_row_is_as_good_as_none(damage: str, twins: Shelf) -> None:
    keep(twins, P1, k=REPLY)
    twins.rows(damage)
    assert find(twins, P1) is None
    keep(twins, P1, k=REPLY)
    assert find(twins, P1) == REPLY


def test_the_oldest_go_first(twins: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "MOST_REPLIES", 2)
    keep(twins, P2, a=b"0")
    for name in "abc":
        keep(twins, P1, **{name: name.encode()})
    assert [find(twins, P1, name.encode() * 32) for name in "abc"] == [None, b"b", b"c"]
    assert find(twins, P2, b"a" * 32) == b"0"


@pytest.mark.sqlite
def test_a_store_of_before_has_none_and_gets_the_table_when_first_written(twins: Shelf) -> None:
    twins.rows("DROP TABLE replies")
    twins.rows("PRAGMA user_version=2")
    assert find(twins, P1) is None
    keep(twins, P1, k=REPLY)
    assert find(twins, P1) == REPLY


@pytest.mark.sqlite
def test_it_does_not_wait_for_another_process(twins: Shelf, open_shelf: OpenShelf) -> None:
    other = open_shelf("store")
    other.rows("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked):
        keep(twins, P1, k=REPLY)
    other.rows("ROLLBACK")
    keep(twins, P1, k=REPLY)
    assert twins.rows("PRAGMA busy_timeout") == [(10_000,)]
