"""Rows in a SQLite file in the store's folder: the default."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from chartcite.core.errors import StoreLocked
from chartcite.core.scope import Scope
from chartcite.store.database import Fixed, is_writable, open_database, transaction, translated, upgrade
from chartcite.store.engines.port import Cursor


class SqliteDatabase:
    """See `port.Database`."""

    def __init__(self, folder: Path, *, create: bool, busy_seconds: float) -> None:
        self.folder = folder
        self.connection = open_database(folder, create=create, busy_seconds=busy_seconds)
        self._fixed = None if is_writable(folder) else Fixed(folder)

    @property
    def name(self) -> str:
        """With the version of the library."""
        return f"SQLite {sqlite3.sqlite_version}"

    @property
    def is_read_only(self) -> bool:
        """On a medium or by permission."""
        return self._fixed is not None

    def transaction(
        self, kind: str = "IMMEDIATE", alone_on: Scope | None = None
    ) -> AbstractContextManager[sqlite3.Cursor]:
        """One writer of the whole file at a time."""
        del alone_on
        return transaction(self.connection, self.folder, kind)

    def translated(self) -> AbstractContextManager[None]:
        """See the port."""
        return translated(self.folder)

    def show_only(self, cursor: Cursor, partition: int) -> None:
        """There are no users in a file to hide rows from."""

    def scrolling(self, cursor: Cursor) -> sqlite3.Cursor:
        """All cursors of a connection are in its transaction, and fetch as asked."""
        del cursor
        return self.connection.cursor()

    @contextmanager
    def not_waiting(self) -> Iterator[None]:
        """See the port."""
        before = self.connection.execute("PRAGMA busy_timeout").fetchone()[0]
        self.connection.execute("PRAGMA busy_timeout=0")
        try:
            yield
        finally:
            self.connection.execute(f"PRAGMA busy_timeout={before}")

    def upgrade(self) -> None:
        """See the port."""
        upgrade(self.connection, self.folder)

    def check_unchanged(self) -> None:
        """A file that can only be read has no locks: whether it was written shows in its times."""
        if self._fixed is not None:
            self._fixed.check()

    def faults(self) -> list[str]:
        """SQLite's integrity checks."""
        found = [str(r[0]) for r in self.connection.execute("PRAGMA integrity_check")]
        orphans = self.connection.execute("PRAGMA foreign_key_check").fetchall()
        return [line for line in found if line != "ok"] + [f"foreign key of {row[0]}" for row in orphans]

    def clean(self) -> None:
        """Empty the log, which may hold old pages."""
        with self.translated():
            busy = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if busy:
                raise StoreLocked(
                    "The partition is deleted, but another process reads the store, so its log still holds old pages.",
                    "Close the other process and run the same command again, or `chartcite doctor`.",
                )

    def close(self) -> None:
        """SQLite folds the log back into the file when the last user closes."""
        self.connection.close()
