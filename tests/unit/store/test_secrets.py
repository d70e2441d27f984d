"""The secret of a partition: made once, the same from then on, gone with the partition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chartcite.core.errors import UnknownPartition
from chartcite.core.scope import Scope

if TYPE_CHECKING:
    from tests.conftest import MakeNote, Shelf

P1, P2 = Scope.patient("p1"), Scope.patient("p2")


def test_a_partition_has_one_secret_of_its_own(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "One.\n"))
    shelf.put("p2", make_note("a", "One.\n"))
    secret = shelf.store.secret(P1)
    assert len(secret) == 32
    assert shelf.store.secret(P1) == secret != shelf.store.secret(P2)
    shelf.put("p1", make_note("b", "Two.\n"))
    assert shelf.store.secret(P1) == secret


def test_it_goes_with_the_partition(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "One.\n"))
    secret = shelf.store.secret(P1)
    shelf.store.delete(P1)
    assert shelf.rows("SELECT COUNT(*) FROM secrets") == [(0,)]
    with pytest.raises(UnknownPartition):
        shelf.store.secret(P1)
    shelf.put("p1", make_note("a", "One.\n"))
    assert shelf.store.secret(P1) != secret


@pytest.mark.sqlite
def test_a_store_of_an_earlier_version_gets_a_place_for_it(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("a", "One.\n"))
    shelf.rows("DROP TABLE secrets")
    shelf.rows("PRAGMA user_version=3")
    with shelf.store.read(P1) as reader:
        assert reader.secret() is None
    assert shelf.store.secret(P1) == shelf.store.secret(P1)
