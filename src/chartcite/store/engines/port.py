"""The port of a store's database: what reading and writing ask of it, whichever holds the rows.

Statements are written once, with `?` for values, in what SQLite and PostgreSQL both understand: `ON CONFLICT` in place
of `OR REPLACE`, `has_table` in place of a look into the catalogue, `inserted` for the number of a new row. A list of
values goes in as JSON (`json_each(?)`, key and value).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from chartcite.core.scope import Scope


class Cursor(Protocol):
    """As of DB-API 2.0; `execute` gives the cursor itself."""

    @property
    def rowcount(self) -> int:
        """Rows that the last statement changed."""
        ...

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Cursor:
        """One statement."""
        ...

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Cursor:
        """One statement for many rows of values."""
        ...

    def fetchone(self) -> Any:
        """The next row, or None."""
        ...

    def fetchmany(self, size: int = ..., /) -> list[Any]:
        """The next rows, none at the end."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows left."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """The rows left."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class Connection(Protocol):
    """What statements outside a transaction go to."""

    @property
    def in_transaction(self) -> bool:
        """Whether one is open."""
        ...

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Cursor:
        """One statement, committed by itself outside a transaction."""
        ...


class Database(Protocol):
    """One open database of a store."""

    @property
    def name(self) -> str:
        """Of the engine, with its version, for `doctor`."""
        ...

    @property
    def folder(self) -> Path:
        """The store's folder, where what lies beside the rows is."""
        ...

    @property
    def connection(self) -> Connection:
        """For statements outside a transaction."""
        ...

    @property
    def is_read_only(self) -> bool:
        """Whether this process may not write it."""
        ...

    def transaction(self, kind: str = "IMMEDIATE", alone_on: Scope | None = None) -> AbstractContextManager[Cursor]:
        """Everything inside happens, or nothing does. `DEFERRED` gives a consistent snapshot to read.

        Args:
            kind: `IMMEDIATE` to write, `DEFERRED` to read.
            alone_on: only this partition is written, so writers of others need not wait; None: everybody waits.

        Raises:
            StoreLocked: another process is writing, for longer than this waits.
        """
        ...

    def translated(self) -> AbstractContextManager[None]:
        """The engine's errors in our words; they never carry content."""
        ...

    def show_only(self, cursor: Cursor, partition: int) -> None:
        """From here to the end of the transaction, see rows of one partition only, where the engine can do that."""
        ...

    def scrolling(self, cursor: Cursor) -> Cursor:
        """Another cursor in the same transaction, which fetches rows as they are asked for."""
        ...

    def not_waiting(self) -> AbstractContextManager[None]:
        """Inside, a transaction that would have to wait for another process fails at once."""
        ...

    def upgrade(self) -> None:
        """Bring the tables up to date, before the first thing is written."""
        ...

    def check_unchanged(self) -> None:
        """What was just read was read of one state.

        Raises:
            StoreLocked: it cannot be known.
        """
        ...

    def faults(self) -> list[str]:
        """What the engine's own checks find; empty when all is well."""
        ...

    def clean(self) -> None:
        """After a deletion: let what was deleted be overwritten, as far as the engine can.

        Raises:
            StoreLocked: another process is in the way.
        """
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


def has_table(cursor: Cursor | Connection, name: str) -> bool:
    """Whether there is such a table; a store that an earlier version wrote may lack the later ones."""
    look = getattr(cursor, "has_table", None)
    if look is not None:
        return bool(look(name))
    return (
        cursor.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone() is not None
    )


def inserted(cursor: Cursor, sql: str, parameters: Sequence[Any]) -> int:
    """Insert one row into a table with an `id`; its id, or 0 if nothing was inserted.

    Not `RETURNING` everywhere: SQLite has it since 3.35 only, which is later than what some systems ship.
    """
    insert = getattr(cursor, "insert", None)
    if insert is not None:
        return int(insert(sql, parameters))
    cursor.execute(sql, parameters)
    return int(getattr(cursor, "lastrowid", 0) or 0) if cursor.rowcount == 1 else 0
