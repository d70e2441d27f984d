"""Rows in PostgreSQL, so that several servers share a store.

The tables are those of schema.sql, each with a policy: a session sees the rows of the partition that it named in
`chartcite.partition`, every row if it named `all`, as a writer does, and none if it named nothing. The tables' owner is
not exempt (FORCE ROW LEVEL SECURITY); a superuser is, so none may open a store.

PostgreSQL knows no NUL in text. It is kept as two characters, escaped by a code point that is nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql as composed

from chartcite.core.errors import (
    ChartciteError,
    EndpointFailed,
    NotConfigured,
    StoreDamaged,
    StoreError,
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreUnwritable,
)
from chartcite.core.scope import Scope
from chartcite.store.database import SCHEMA_VERSION
from chartcite.store.engines.port import Cursor

_ESCAPE = "\U0010fffd"
_LOCKS = 0x63686369  # "chci": the space of our advisory locks
_CREATED = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
_BY_DOCUMENT = ("layouts", "originals", "replacements", "sentences", "passages", "findings", "marks")
_BY_TEXT = ("postings", "vectors", "token_vectors")
_BY_PARTITION = ("documents", "feedback", "texts", "terms", "packs", "replies", "secrets", "persons")


class PostgresDatabase:
    """See `port.Database`."""

    is_read_only = False

    def __init__(
        self, folder: Path, url: str, password: str, schema: str, *, create: bool, busy_seconds: float
    ) -> None:
        self.folder = folder
        self._url, self._password, self._schema, self._busy_ms = url, password, schema, int(busy_seconds * 1000)
        self.connection = self._connect()
        try:
            with self.translated():
                self._prepare(create=create)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """With the version of the server."""
        number = self.connection.raw.info.server_version
        return f"PostgreSQL {number // 10_000}.{number % 10_000}"

    @contextmanager
    def transaction(self, kind: str = "IMMEDIATE", alone_on: Scope | None = None) -> Iterator[PostgresCursor]:
        """See the port. A reader has a snapshot; writers of one partition wait for each other."""
        if self.connection.in_transaction:
            raise _in_use(self.folder)
        with self.translated():
            self._connected()
            cursor = self.connection.cursor()
            try:
                if kind == "DEFERRED":
                    cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                else:
                    cursor.execute("BEGIN")
                    self._wait_for_turn(cursor, alone_on)
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                self.connection.give_up()
                raise
            finally:
                cursor.close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """PostgreSQL's errors in our words. Its messages may quote a value, so only its code is shown."""
        try:
            yield
        except psycopg.Error as error:
            raise _named(error, self.folder) from None

    def show_only(self, cursor: Cursor, partition: int) -> None:
        """The second wall: whatever is asked in this transaction, other partitions are not there."""
        cursor.execute("SELECT set_config('chartcite.partition', ?, true)", (str(partition),))

    def scrolling(self, cursor: Cursor) -> PostgresCursor:
        """A cursor of the server's."""
        del cursor
        return self.connection.scrolling()

    @contextmanager
    def not_waiting(self) -> Iterator[None]:
        """See the port."""
        before, self._busy_ms = self._busy_ms, 1
        try:
            yield
        finally:
            self._busy_ms = before

    def upgrade(self) -> None:
        """Make the tables that a later version brought."""
        with self.translated():
            version = self._version()
            if version is None or version >= SCHEMA_VERSION:
                return
        with self.transaction() as cursor:
            there = {
                r[0] for r in cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
            }
            self._make(cursor, there)

    def check_unchanged(self) -> None:
        """A snapshot is one."""

    def faults(self) -> list[str]:
        """PostgreSQL checks its pages as it reads them."""
        return []

    def clean(self) -> None:
        """Have the room of deleted rows used again; docs/cluster.md says what else keeps them."""
        with self.translated():
            for table in ("documents", "sentences", *_BY_TEXT, "texts", "terms", "passages", "replies", "feedback"):
                self.connection.execute(f"VACUUM {table}")

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _connect(self) -> PostgresConnection:
        options = f"-c search_path={self._schema} -c chartcite.partition=all -c client_encoding=UTF8"
        with self.translated():
            raw = psycopg.connect(
                self._url, autocommit=True, password=self._password or None, connect_timeout=10,
                application_name="chartcite", options=options,
            )  # fmt: skip
        return PostgresConnection(raw)

    def _connected(self) -> None:
        """A connection that was lost since the last transaction is made again."""
        if self.connection.raw.closed:
            self.connection = self._connect()

    def _wait_for_turn(self, cursor: PostgresCursor, alone_on: Scope | None) -> None:
        cursor.execute(f"SET LOCAL lock_timeout = {max(1, self._busy_ms)}")
        if alone_on is None:
            cursor.execute("SELECT pg_advisory_xact_lock(?, hashtext(current_schema()))", (_LOCKS,))
            return
        cursor.execute("SELECT pg_advisory_xact_lock_shared(?, hashtext(current_schema()))", (_LOCKS,))
        cursor.execute(
            "SELECT pg_advisory_xact_lock(?, hashtext(current_schema() || ? || ?))",
            (_LOCKS + 1, alone_on.kind, alone_on.name),
        )

    def _prepare(self, *, create: bool) -> None:
        self._must_be_bound()
        version = self._version()
        if version is None and not create:
            raise StoreMissing(
                f"The database of the store in {self.folder} has no chartcite tables.",
                "Run `chartcite ingest` first, or check postgres.toml.",
            )
        if version is None:
            self.connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_quoted(self._schema)}")
            with self.transaction() as cursor:
                if self._version() is None:  # else another process was first
                    self._make(cursor, set())
        elif version > SCHEMA_VERSION:
            raise StoreNewer(
                f"The store in {self.folder} was written by a later chartcite (format {version}, this one:"
                f" {SCHEMA_VERSION}).",
                "Upgrade chartcite, or use another store.",
            )

    def _must_be_bound(self) -> None:
        free = self.connection.execute(
            "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        if free is not None and free[0]:
            raise NotConfigured(
                "The database user of this store may pass over row-level security.",
                "Name one without SUPERUSER and BYPASSRLS; docs/cluster.md has the commands.",
            )

    def _version(self) -> int | None:
        if not self.connection.has_table("schema_version"):
            return None
        row = self.connection.execute("SELECT version FROM schema_version").fetchone()
        if row is None:
            raise StoreDamaged(
                f"The database of the store in {self.folder} does not say its version.", "Restore it from a backup."
            )
        return int(row[0])

    def _make(self, cursor: PostgresCursor, there: set[str]) -> None:
        """All tables that are not there, with their policies, and the version."""
        for statement in _statements():
            created = _CREATED.search(statement)
            if (created[1] not in there) if created else not there:
                cursor.execute(statement)
            if created and created[1] not in there:
                for guard in _guards(created[1]):
                    cursor.execute(guard)
        if "schema_version" not in there:
            cursor.execute("CREATE TABLE schema_version (version BIGINT NOT NULL)")
            cursor.execute("INSERT INTO schema_version VALUES (?)", (SCHEMA_VERSION,))
        cursor.execute("UPDATE schema_version SET version = ?", (SCHEMA_VERSION,))


class PostgresCursor:
    """See `port.Cursor`."""

    def __init__(self, connection: PostgresConnection, raw: Any) -> None:
        self._connection, self._raw = connection, raw

    @property
    def rowcount(self) -> int:
        """See the port."""
        return int(self._raw.rowcount)

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> PostgresCursor:
        """See the port."""
        self._raw.execute(_as_theirs(sql), _sent(parameters))
        return self

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> PostgresCursor:
        """See the port."""
        rows = [_sent(row) for row in parameters]
        if rows:
            self._raw.executemany(_as_theirs(sql), rows)
        return self

    def insert(self, sql: str, parameters: Sequence[Any]) -> int:
        """See `port.inserted`."""
        row = self.execute(f"{sql} RETURNING id", parameters).fetchone()
        return int(row[0]) if row else 0

    def has_table(self, name: str) -> bool:
        """See `port.has_table`."""
        return self._connection.has_table(name)

    def fetchone(self) -> Any:
        """See the port."""
        row = self._raw.fetchone()
        return None if row is None else _got(row)

    def fetchmany(self, size: int = 1, /) -> list[Any]:
        """See the port."""
        return [_got(row) for row in self._raw.fetchmany(size)]

    def fetchall(self) -> list[Any]:
        """See the port."""
        return list(self)

    def __iter__(self) -> Iterator[Any]:
        return (_got(row) for row in (self._raw if self._raw.description else ()))

    def close(self) -> None:
        """See the port."""
        self._raw.close()


class PostgresConnection:
    """See `port.Connection`; `raw` is the driver's."""

    def __init__(self, raw: psycopg.Connection[Any]) -> None:
        self.raw = raw
        self._tables: set[str] = set()
        self._scrolled = 0

    @property
    def in_transaction(self) -> bool:
        """See the port."""
        return not self.raw.closed and self.raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> PostgresCursor:
        """See the port."""
        return self.cursor().execute(sql, parameters)

    def cursor(self) -> PostgresCursor:
        """For statements whose rows are few."""
        return PostgresCursor(self, self.raw.cursor())

    def scrolling(self) -> PostgresCursor:
        """For many rows; only inside a transaction."""
        self._scrolled += 1
        return PostgresCursor(self, self.raw.cursor(name=f"scrolling_{self._scrolled}"))

    def has_table(self, name: str) -> bool:
        """Whether the schema has it; what is there stays."""
        if name not in self._tables:
            row = self.execute("SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?", (name,))
            if row.fetchone() is not None:
                self._tables.add(name)
        return name in self._tables

    def give_up(self) -> None:
        """Roll back; a connection that was lost has done so."""
        if self.in_transaction:
            try:
                self.raw.execute("ROLLBACK")
            except psycopg.Error:
                self.raw.close()

    def close(self) -> None:
        """See the port."""
        self.raw.close()


@lru_cache(maxsize=512)
def _as_theirs(sql: str) -> str:
    """A statement as PostgreSQL has it: placeholders, lists, and where the two have other words."""
    sql = sql.replace("%", "%%").replace("?", "%s")
    sql = sql.replace(
        "json_each(%s) j",
        "(SELECT e.ordinality - 1 AS key, e.value FROM json_array_elements_text(%s::json) WITH ORDINALITY e) j",
    )
    sql = re.sub(r"CROSS JOIN (\w+ \w+) ON", r"JOIN \1 ON", sql)
    return sql.replace("instr(", "strpos(")


def _sent(row: Sequence[Any]) -> list[Any]:
    return [_escaped(value) if isinstance(value, str) else value for value in row]


def _got(row: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(_unescaped(value) if isinstance(value, str) else value for value in row)


def _escaped(text: str) -> str:
    if "\0" not in text and _ESCAPE not in text:
        return text
    return text.replace(_ESCAPE, f"{_ESCAPE}1").replace("\0", f"{_ESCAPE}0")


def _unescaped(text: str) -> str:
    if _ESCAPE not in text:
        return text
    return text.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE)


def _statements() -> list[str]:
    """schema.sql in PostgreSQL's words. Text is compared byte by byte, as SQLite does."""
    text = files("chartcite.store").joinpath("schema.sql").read_text("utf-8")
    text = re.sub(r"--[^\n]*", "", text)
    for ours, theirs in (
        (r"\bid INTEGER PRIMARY KEY( AUTOINCREMENT)?", "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"),
        (r"\bINTEGER\b", "BIGINT"), (r"\bBLOB\b", "BYTEA"), (r"\bTEXT\b", 'TEXT COLLATE "C"'),
        (r"\bend BIGINT", '"end" BIGINT'), (r"\) WITHOUT ROWID", ")"),
    ):  # fmt: skip
        text = re.sub(ours, theirs, text)
    return [statement for statement in text.split(";\n") if statement.strip()]


def _guards(table: str) -> Iterator[str]:
    """The policy of a table: who named a partition sees what hangs on it."""
    here = "(SELECT NULLIF(NULLIF(current_setting('chartcite.partition', true), ''), 'all')::bigint)"
    if table == "partitions":
        own = f"id = {here}"
    elif table in _BY_PARTITION:
        own = f"partition = {here}"
    elif table in _BY_DOCUMENT:
        own = f"EXISTS (SELECT 1 FROM documents d WHERE d.id = {table}.document AND d.partition = {here})"
    elif table in _BY_TEXT:
        own = f"EXISTS (SELECT 1 FROM texts t WHERE t.id = {table}.text AND t.partition = {here})"
    else:
        own = "false"  # the ledger and the marks of sources are of no partition
    yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
    yield (
        f"CREATE POLICY own_partition ON {table} USING"
        f" ((SELECT current_setting('chartcite.partition', true)) = 'all' OR {own})"
    )


def _quoted(name: str) -> str:
    return composed.Identifier(name).as_string(None)


def _in_use(folder: Path) -> StoreError:
    return StoreError(f"The store in {folder} is being read or written here already.", "Open it once more for that.")


def _named(error: psycopg.Error, folder: Path) -> ChartciteError:
    state = error.sqlstate or ""
    if not state or state.startswith(("08", "57P")):  # an answer to a connection that was refused has no code
        return EndpointFailed(
            f"The database of the store in {folder} cannot be reached, or does not let this user in.",
            "Check postgres.toml, and that PostgreSQL runs.",
        )
    if state in {"55P03", "40001", "40P01", "57014"}:
        return StoreLocked(
            f"Another process is writing to the store in {folder}.", "Wait until it is done, then try again."
        )
    if state.startswith("53"):
        return StoreUnwritable(
            f"The database of the store in {folder} has no room or no connection left.",
            "See to the server, then run the same command again.",
        )
    if state in {"25006", "42501"}:
        return StoreUnwritable(
            f"The database of the store in {folder} may not be written by this user.", "Check its rights."
        )
    return StoreError(f"The store in {folder} could not do this (PostgreSQL {state}).", "Run `chartcite doctor`.")
