"""An exception at any statement of an ingest or a deletion leaves the store as it was before or after a document."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from chartcite.core.errors import StoreError
from chartcite.core.scope import Scope
from chartcite.store.database import transaction
from chartcite.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import MakeNote, OpenShelf, Shelf

P1 = Scope.patient("p1")


class Fuse:
    """Counts statements, and fails at one of them: before it runs, or after."""

    def __init__(self) -> None:
        self.left = -1
        self.count = 0
        self.after = False
        self.error: BaseException = RuntimeError("fail point")

    def guard(self, run: Callable[[], Any]) -> Any:
        self.count += 1
        self.left -= 1
        if self.left == 0 and not self.after:
            raise self.error
        result = run()
        if self.left == 0 and self.after:
            raise self.error
        return result


FUSE = Fuse()


class FailingCursor(sqlite3.Cursor):
    def execute(self, sql: str, args: Any = (), /) -> Self:
        FUSE.guard(lambda: super(FailingCursor, self).execute(sql, args))
        return self

    def executemany(self, sql: str, rows: Iterable[Any], /) -> Self:
        FUSE.guard(lambda: super(FailingCursor, self).executemany(sql, rows))
        return self


class FailingConnection(sqlite3.Connection):
    def cursor(self, factory: Any = FailingCursor) -> Any:
        return super().cursor(factory)

    def execute(self, sql: str, args: Any = (), /) -> sqlite3.Cursor:
        if sql.startswith("ROLLBACK"):  # SQLite itself rolls back when all else fails
            return super().execute(sql, args)
        cursor: sqlite3.Cursor = FUSE.guard(lambda: super(FailingConnection, self).execute(sql, args))
        return cursor


@pytest.fixture(autouse=True)
def failing_connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=FailingConnection))
    FUSE.__init__()  # type: ignore[misc]
    yield
    FUSE.left = -1


def failing_at(n: int, error: BaseException, after: bool, act: Callable[[], object]) -> bool:
    """Whether the act reached its n-th statement and failed there."""
    FUSE.left, FUSE.error, FUSE.after = n, error, after
    try:
        act()
    except type(error):
        error.__traceback__ = None  # it holds cursors
        return True
    finally:
        FUSE.left = -1
    return False


def notes(make_note: MakeNote) -> list[Any]:
    shared = "HISTORY\nTakes warfarin.\n\n"
    return [
        make_note("d1", shared + "PLAN\nGo on.\n", "2021-01-01"),
        make_note("d2", shared + "PLAN\nStop it.\n", "2021-01-02", replaces=("d1",)),
        make_note("d1", shared + "PLAN\nGo on, corrected.\n", "2021-01-01"),  # an update
    ]


def put_each(shelf: Shelf, documents: list[Any]) -> None:
    for document in documents:
        shelf.put("p1", document)


ERRORS = [RuntimeError("fail point"), KeyboardInterrupt(), sqlite3.OperationalError("fail point")]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("error", ERRORS[:2], ids=["error", "ctrl-c"])
def test_every_statement_of_an_ingest(
    error: BaseException, after: bool, open_shelf: OpenShelf, make_note: MakeNote
) -> None:
    undisturbed = open_shelf("undisturbed")
    states = [undisturbed.dump()]
    for document in notes(make_note):
        undisturbed.put("p1", document)
        states.append(undisturbed.dump())

    ingested = notes(make_note)
    reached = set()
    for n in range(1, 1000):
        shelf = open_shelf(f"store-{n}")
        if not failing_at(n, error, after, partial(put_each, shelf, ingested)):
            break
        state = shelf.dump()
        assert state in states, f"statement {n} left half a document"
        reached.add(states.index(state))
        if n % 10 == 0:
            assert shelf.store.check() == []
            with Store(shelf.store.folder) as again:  # and what is there can be opened and read
                assert again.counts() == shelf.store.counts()
        put_each(shelf, ingested)
        assert shelf.dump()[1:] == states[-1][1:]
        shelf.store.close()
    assert n > 60
    assert reached == ({0, 1, 2, 3} if after else {0, 1, 2})


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_every_statement_of_a_deletion(after: bool, open_shelf: OpenShelf, make_note: MakeNote) -> None:
    shelf = open_shelf()
    shelf.put("p2", *notes(make_note)[:2])
    without = [row for row in shelf.dump() if "p1" not in row]
    for n in range(1, 100):
        shelf.run = f"run-{n}"
        shelf.put("p1", *notes(make_note)[:2])
        before = shelf.dump()
        failed = failing_at(n, RuntimeError("fail point"), after, lambda: shelf.store.delete(P1))
        state = shelf.dump()
        assert state in (before, without), f"statement {n} left half a patient"
        if state == before:
            shelf.store.delete(P1)
        if not failed:
            break
    assert n > 5
    assert shelf.store.check() == []


def test_every_statement_of_making_a_store(tmp_path: Path) -> None:
    n = 0
    for n in range(1, 200):
        folder = tmp_path / f"store-{n}"
        failed = failing_at(n, RuntimeError("fail point"), False, partial(make, folder))
        make(folder)
        if not failed:
            break
    assert n > 20


def make(folder: Path) -> None:
    with Store(folder, create=True) as store:
        assert store.check() == []
        assert store.partitions() == []


def test_a_transaction_inside_a_transaction_is_refused_and_harms_nothing(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d", "Text."))
    with shelf.store.read(P1) as reader:
        with pytest.raises(StoreError, match="already"):
            shelf.put("p1", make_note("d2", "Text."))
        with pytest.raises(StoreError, match="already"), shelf.store.read(P1):
            pass
        assert len(reader.documents()) == 1
        assert shelf.store._connection.in_transaction
    assert shelf.put("p1", make_note("d2", "Text.")) == ["added"]


class LateConnection:
    """Sees a transaction of another thread only when it begins its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection, self.looks = connection, 0

    @property
    def in_transaction(self) -> bool:
        self.looks += 1
        return self.looks > 1 and self.connection.in_transaction

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


def test_a_thread_that_comes_second_takes_nothing_from_the_first(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d", "Text."))
    connection: Any = shelf.store._connection
    late: Any = LateConnection(connection)
    with shelf.store.read(P1) as reader:
        with pytest.raises(StoreError, match="already"), transaction(late, shelf.store.folder, "DEFERRED"):
            pass
        assert shelf.store._connection.in_transaction
        assert len(reader.documents()) == 1


def test_an_interrupted_read_frees_the_store(shelf: Shelf, make_note: MakeNote) -> None:
    shelf.put("p1", make_note("d", "Text."))
    with pytest.raises(KeyboardInterrupt), shelf.store.read(P1):
        raise KeyboardInterrupt
    shelf.put("p1", make_note("d2", "Text."))
    with shelf.store.read(P1) as reader:
        assert len(reader.documents()) == 2
