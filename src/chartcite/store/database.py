"""The SQLite file: opening it, its version, its transactions, and SQLite's errors in our words.

WAL with `synchronous=FULL`: what a commit acknowledged survives a kill and a power cut; a reader sees one consistent
state while another process writes. `secure_delete` overwrites what is deleted.
"""

from __future__ import annotations

import os
import sqlite3
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
SCHEMA_VERSION = 1
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
        connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, folder)
        except BaseException:
            connection.close()
            raise
    return connection


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


def _prepare(connection: sqlite3.Connection, folder: Path) -> None:
    for pragma in ("foreign_keys=ON", "secure_delete=ON", "synchronous=FULL", "mmap_size=268435456"):
        connection.execute(f"PRAGMA {pragma}")
    if _check_version(connection, folder) == 0:
        connection.execute("PRAGMA journal_mode=WAL")
        _create(connection)


def _check_version(connection: sqlite3.Connection, folder: Path) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    identity = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if version == 0 and identity == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
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
    schema = files("chartcite.store").joinpath("schema.sql").read_text("utf-8")
    try:
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'partitions'").fetchone():
            for statement in schema.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
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
        raise StoreError(f"The store in {folder} is being read or written here already.", "Open it once more for that.")
    with translated(folder), closing(connection.cursor()) as cursor:
        try:
            cursor.execute(f"BEGIN {kind}")
            yield cursor
            if connection.in_transaction:
                connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


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
            f"The store in {folder} cannot be opened for writing.", "Check the permissions of the folder and its files."
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
