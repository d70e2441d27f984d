"""The SQLite file: opening it, its version, its transactions, and SQLite's errors in our words.

WAL with `synchronous=FULL`: what a commit acknowledged survives a kill and a power cut; a reader sees one consistent
state while another process writes. `secure_delete` overwrites what is deleted.

A store that this process may not write, on a medium or by permission, is opened for reading only. A log needs a file
beside it; where none is and none can be made, the file is read as one that nobody writes, and `Fixed` checks that
nobody did.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path

from chartcite.core.errors import (
    StoreDamaged,
    StoreError,
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreUnwritable,
)

FILE = "chartcite.sqlite3"
_NEW_TABLE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
SCHEMA_VERSION = 9
APPLICATION_ID = 0x63686369  # "chci"
BUSY_SECONDS = 10.0


def open_database(folder: Path, *, create: bool, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection to the store in `folder`.

    Raises:
        StoreMissing: nothing there and `create` is false.
        StoreNewer: written by a later version.
        StoreDamaged: not a chartcite store, or damaged.
        StoreUnwritable: the folder cannot be made or written.
        StoreLocked: another process holds it.
    """
    path = folder / FILE
    if not path.is_file():
        if not create:
            raise StoreMissing(
                f"There is no chartcite store in {folder}.", "Run `chartcite ingest` first, or use --store."
            )
        _make_folder(folder)
    with translated(folder):
        if create and not path.exists():
            _make_private(path)
        connection = sqlite3.connect(
            _address(path), uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection, folder, create, busy_seconds)
        except BaseException:
            connection.close()
            raise
    return connection


def is_writable(folder: Path) -> bool:
    """Whether this process may write the store's file and make files beside it."""
    return all(
        os.access(p, os.W_OK, effective_ids=os.access in os.supports_effective_ids) for p in (folder, folder / FILE)
    )


def _address(path: Path) -> str:
    address = path.absolute().as_uri()
    if not path.exists() or is_writable(path.parent):
        return address
    log = path.with_name(f"{FILE}-wal")
    return f"{address}?mode=ro" if log.exists() else f"{address}?immutable=1"


class Fixed:
    """Notices whether a store that is read as one nobody writes has been written after all.

    SQLite moves what others write from the log into the file; a file that has not changed was whole all the time.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._before = self._state()

    def check(self) -> None:
        """Call after reading, before the result is used.

        Raises:
            StoreLocked: the file has changed.
        """
        if self._state() != self._before:
            raise StoreLocked(
                f"The store in {self._path.parent} was written while it was read, and may not be locked from here.",
                "Wait until the other process is done, then try again; or copy the store.",
            )

    def _state(self) -> tuple[int, int]:
        stat = self._path.stat()
        return stat.st_mtime_ns, stat.st_size


def _make_private(path: Path) -> None:
    """An empty file that only its owner may read, whatever the folder allows; the log beside it takes over its mode."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StoreUnwritable(
            f"The store {path} cannot be made: {error.strerror}.", "Choose another folder with --store."
        ) from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreUnwritable(
            f"The store's folder {folder} cannot be made: {error.strerror}.", "Choose another folder with --store."
        ) from error


def _prepare(connection: sqlite3.Connection, folder: Path, create: bool, busy_seconds: float) -> None:
    for pragma in ("foreign_keys=ON", "secure_delete=ON", "synchronous=FULL", "mmap_size=268435456"):
        connection.execute(f"PRAGMA {pragma}")
    if _check_version(connection, folder) == 0:
        if not create:
            raise StoreDamaged(
                f"{folder / FILE} is empty: it was cut off, or an ingest is just making it.",
                "Restore it from a backup, or ingest the sources again.",
            )
        _turn_to_log(connection, busy_seconds)
        _create(connection)


def _turn_to_log(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Of two that do this at once, SQLite refuses one without letting it wait: each would wait for the other."""
    last = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > last:
                raise
            time.sleep(0.01)
        else:
            return


def _check_version(connection: sqlite3.Connection, folder: Path) -> int:
    with _all_or_nothing(connection, "DEFERRED"):  # one state: another process may be making the store
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        identity = int(connection.execute("PRAGMA application_id").fetchone()[0])
        is_empty = not connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    if version == 0 and identity == 0 and is_empty:
        return 0
    if identity != APPLICATION_ID:
        raise StoreDamaged(f"{folder / FILE} is not a chartcite store.", "Choose another folder with --store.")
    if version > SCHEMA_VERSION:
        raise StoreNewer(
            f"The store in {folder} was written by a later chartcite (format {version}, this one: {SCHEMA_VERSION}).",
            "Upgrade chartcite, or use another store.",
        )
    return version


def _create(connection: sqlite3.Connection) -> None:
    with _all_or_nothing(connection):
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'partitions'").fetchone():
            for statement in _statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")


def upgrade(connection: sqlite3.Connection, folder: Path) -> None:
    """Bring a store of an earlier version up to date, before the first thing is written; reading needs no upgrade."""
    with translated(folder):
        if int(connection.execute("PRAGMA user_version").fetchone()[0]) >= SCHEMA_VERSION:
            return
        with _all_or_nothing(connection):
            # Every version so far brought a table: 2 the packs, 3 the replies, 4 the secrets, 5 the findings, 6 the
            # layouts, 7 the marks, 8 the persons, 9 the originals and the feedback.
            # Another process may have come first.
            there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for statement in _statements():
                if (table := _NEW_TABLE.search(statement)) and table[1] not in there:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")


def _statements() -> list[str]:
    return files("chartcite.store").joinpath("schema.sql").read_text("utf-8").split(";\n")


@contextmanager
def _all_or_nothing(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    try:
        connection.execute(f"BEGIN {kind}")
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def transaction(connection: sqlite3.Connection, folder: Path, kind: str = "IMMEDIATE") -> Iterator[sqlite3.Cursor]:
    """Everything inside happens, or nothing does. `DEFERRED` gives a consistent snapshot to read."""
    nested = connection.in_transaction
    if nested:
        raise _in_use(folder)
    with translated(folder), closing(connection.cursor()) as cursor:
        try:
            cursor.execute(f"BEGIN {kind}")
            yield cursor
            if connection.in_transaction:
                connection.execute("COMMIT")
        except BaseException as error:
            if isinstance(error, sqlite3.OperationalError) and "within a transaction" in str(error):
                raise _in_use(folder) from None  # another thread was quicker; what it began is not ours to roll back
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _in_use(folder: Path) -> StoreError:
    return StoreError(f"The store in {folder} is being read or written here already.", "Open it once more for that.")


@contextmanager
def translated(folder: Path) -> Iterator[None]:
    """SQLite's errors in our words. Its messages name tables and files, never content."""
    try:
        yield
    except sqlite3.Error as error:
        raise _named(error, folder) from error


def _named(error: sqlite3.Error, folder: Path) -> StoreError:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreLocked(
            f"Another process is writing to the store in {folder}.", "Wait until it is done, then try again."
        )
    if name.startswith("SQLITE_FULL"):
        return StoreUnwritable(
            "The disk is full; nothing of the last document was kept.",
            "Free some space and run the same command again.",
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return StoreUnwritable(
            f"The store in {folder} cannot be opened as is needed.",
            "Check the permissions of the folder and its files.",
        )
    if name.startswith("SQLITE_IOERR"):
        return StoreUnwritable(
            f"The disk refused the store in {folder} ({name}).", "Check the disk, its free space and quota."
        )
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreDamaged(
            f"The store in {folder} is damaged.", "Restore it from a backup, or ingest the sources again."
        )
    return StoreError(
        f"The store in {folder} could not do this ({type(error).__name__} {name}).", "Run `chartcite doctor`."
    )
