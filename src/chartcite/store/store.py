"""Store: opens the file, hands out one reader a partition and one writer an ingest, lists and deletes partitions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from chartcite.core.errors import StoreUnwritable, UnknownPartition
from chartcite.core.scope import Scope
from chartcite.core.sight import Sight
from chartcite.core.stored import PartitionSummary, Recipe
from chartcite.store import beside
from chartcite.store.damage import find_damage
from chartcite.store.engines.opening import open_store_database
from chartcite.store.engines.port import Connection, Cursor
from chartcite.store.feedback import read_feedback, write_feedback
from chartcite.store.findings import count_without, write_findings
from chartcite.store.packs import LEAST_TEXTS, MOST_TEXTS, write_pack
from chartcite.store.reader import PartitionReader
from chartcite.store.replies import write_replies
from chartcite.store.spool import erase_jobs
from chartcite.store.writer import Writer


class Store:
    """One folder, one SQLite file. Use as a context manager, or call `close`."""

    def __init__(self, folder: Path, *, create: bool = False, busy_seconds: float = 10.0) -> None:
        self.folder = folder
        self._database = open_store_database(folder, create=create, busy_seconds=busy_seconds)

    @property
    def _connection(self) -> Connection:
        return self._database.connection

    @property
    def engine(self) -> str:
        """What holds the rows, with its version."""
        return self._database.name

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    @contextmanager
    def read(
        self,
        scope: Scope,
        as_of: str = "",
        sight: Sight = Sight(),  # noqa: B008 - frozen
    ) -> Iterator[PartitionReader]:
        """One partition, seen in one consistent state until the block ends.

        Raises:
            UnknownPartition: the store has no such patient or collection.
            StoreLocked: the store can only be read, and was written meanwhile.
        """
        with self._database.transaction("DEFERRED") as cursor:
            row = cursor.execute(
                "SELECT id, seq FROM partitions WHERE kind = ? AND name = ?", (scope.kind, scope.name)
            ).fetchone()
            if row is None:
                raise UnknownPartition(
                    f"The store has no such {scope.kind}.",
                    "`chartcite patients list` shows what it holds; names are compared exactly.",
                )
            self._database.show_only(cursor, int(row[0]))
            yield PartitionReader(self._database, cursor, int(row[0]), scope, int(row[1]), as_of, sight)
        self._database.check_unchanged()

    def writer(self, run: str) -> Writer:
        """A writer whose commits carry the name of this run.

        Raises:
            StoreUnwritable: the store can only be read.
        """
        self._must_be_writable()
        return Writer(self._database, run)

    def pack(
        self, scope: Scope, recipe: Recipe, *, afresh: bool = False, least: int = LEAST_TEXTS, most: int = MOST_TEXTS
    ) -> bool:
        """Store a partition's arrays beside its rows, if it has so many texts; whether they are there now.

        `afresh` makes them again although they are there.

        Raises:
            UnknownPartition: the store has no such patient or collection.
            StoreMismatch: some document was never prepared under this recipe.
        """
        self._must_be_writable()
        with self.read(scope) as reader:
            if reader.is_packed(recipe) and not afresh:
                return True
            if not least <= reader.count_texts() <= most:
                return False
            texts = reader.all_texts(recipe)
        with self._database.transaction(alone_on=scope) as cursor:
            state = (reader.incarnation, reader.seq)
            unchanged = cursor.execute("SELECT 1 FROM partitions WHERE id = ? AND seq = ?", state).fetchone()
            if unchanged:  # else another process writes, and will pack in its turn
                write_pack(cursor, *state, recipe, texts)
        return unchanged is not None

    def keep_replies(self, reader: PartitionReader, replies: Mapping[bytes, bytes]) -> bool:
        """Keep what models said to requests put to a partition, unless it was deleted or changed since it was read.

        Returns:
            Whether they were kept.

        Raises:
            StoreUnwritable: the store can only be read.
            StoreLocked: another process is writing; this does not wait for it.
        """
        self._must_be_writable()
        with self._database.not_waiting(), self._database.transaction(alone_on=reader.scope) as cursor:
            state = (reader.incarnation, reader.seq)
            unchanged = cursor.execute("SELECT 1 FROM partitions WHERE id = ? AND seq = ?", state).fetchone()
            if unchanged:
                write_replies(cursor, reader.incarnation, replies)
        return unchanged is not None

    def keep_findings(self, reader: PartitionReader, rules: str, found: Mapping[int, bytes]) -> bool:
        """Keep what the timeline found in documents, unless the partition was deleted or changed since it was read.

        Returns:
            Whether they were kept.

        Raises:
            StoreUnwritable: the store can only be read.
            StoreLocked: another process is writing, for longer than this waits.
        """
        self._must_be_writable()
        with self._database.transaction(alone_on=reader.scope) as cursor:
            state = (reader.incarnation, reader.seq)
            unchanged = cursor.execute("SELECT 1 FROM partitions WHERE id = ? AND seq = ?", state).fetchone()
            if unchanged:
                write_findings(cursor, rules, found)
        return unchanged is not None

    def keep_feedback(self, scope: Scope, said: Mapping[str, Any]) -> int:
        """Keep one piece of feedback for good; returns its number.

        Raises:
            UnknownPartition: the store has no such patient or collection.
            StoreUnwritable: the store can only be read.
        """
        self._must_be_writable()
        at = datetime.now(UTC).isoformat(timespec="seconds")
        number = write_feedback(self._database, scope, at, said)
        if not number:
            raise UnknownPartition(
                f"The store has no such {scope.kind}.", "`chartcite patients list` shows what it holds."
            )
        return number

    def feedback(self, scope: Scope) -> list[dict[str, Any]]:
        """All feedback on one partition's answers, oldest first; none of one that is not there."""
        return read_feedback(self._database, scope)

    def secret(self, scope: Scope) -> bytes:
        """The 32 bytes of chance that belong to a partition, made when first asked for and gone with it.

        Raises:
            UnknownPartition: the store has no such patient or collection.
            StoreUnwritable: there are none yet, and the store can only be read.
        """
        with self.read(scope) as reader:
            known = reader.secret()
        if known is not None:
            return known
        self._must_be_writable()
        with self._database.transaction(alone_on=scope) as cursor:
            cursor.execute(
                "INSERT INTO secrets SELECT id, ? FROM partitions WHERE id = ? ON CONFLICT DO NOTHING",
                (os.urandom(32), reader.incarnation),
            )
        with self.read(scope) as reader:
            known = reader.secret()
        if known is None:
            raise UnknownPartition(f"The store has no such {scope.kind}.", "It was deleted just now.")
        return known

    def _must_be_writable(self) -> None:
        if self._database.is_read_only:
            raise StoreUnwritable(
                f"The store in {self.folder} can only be read.", "Check the permissions of the folder and its files."
            )
        self._database.upgrade()

    def partitions(self, kind: Literal["patient", "collection"] | None = None) -> list[PartitionSummary]:
        """All partitions in order of kind and name."""
        with self._database.translated():
            rows = self._connection.execute(
                "SELECT p.kind, p.name, COUNT(d.id), p.seq, COALESCE(MIN(d.time), ''), COALESCE(MAX(d.time), '')"
                " FROM partitions p LEFT JOIN documents d ON d.partition = p.id"
                " WHERE (CAST(? AS TEXT) IS NULL OR p.kind = ?)"
                " GROUP BY p.id ORDER BY p.kind DESC, p.name",
                (kind, kind),
            ).fetchall()
        return [PartitionSummary(Scope(r[0], r[1]), r[2], r[3], r[4][:10], r[5][:10]) for r in rows]

    def delete(self, scope: Scope) -> int:
        """Remove a partition with everything derived from it, overwritten on disk; returns its number of documents.

        Sources that may have fed it are read again at the next ingest, and only ledger lines of sources that gave
        other partitions a document stay.

        Raises:
            UnknownPartition: the store has no such patient or collection; the log has been emptied all the same.
            StoreLocked: another process is using the store, so that its log cannot be emptied now.
        """
        self._must_be_writable()
        with self._database.transaction() as cursor:
            row = cursor.execute(
                "SELECT id FROM partitions WHERE kind = ? AND name = ?", (scope.kind, scope.name)
            ).fetchone()
            if row:
                beside.erase(self.folder, int(row[0]))
                erase_jobs(self.folder, scope)
            documents = _erase(cursor, int(row[0]), scope) if row else 0
        self._database.clean()
        if row is None:
            raise UnknownPartition(
                f"The store has no such {scope.kind}.", "`chartcite patients list` shows what it holds."
            )
        return documents

    def counts(self) -> dict[str, int]:
        """Rows by table, for `doctor` and tests."""
        tables = ("partitions", "documents", "sentences", "passages", "texts", "postings", "vectors", "token_vectors")
        with self._database.translated():
            return {t: int(self._connection.execute(f"SELECT COUNT(*) FROM {t}").fetchone()[0]) for t in tables}

    def without_findings(self, rules: str, patient: str | None = None) -> int:
        """How many documents of a patient, or of all patients, the timeline must read anew under these rules."""
        with self._database.translated():
            return count_without(self._connection, rules, patient)

    def languages(self) -> dict[str, int]:
        """Documents by language (BCP 47, empty where it is not known), for `doctor`."""
        with self._database.translated():
            rows = self._connection.execute("SELECT lang, COUNT(*) FROM documents GROUP BY lang ORDER BY lang")
            return {str(lang): int(number) for lang, number in rows}

    def check(self) -> list[str]:
        """What the engine's own integrity checks and a look into the derived rows find; empty when all is well."""
        with self._database.translated():
            return self._database.faults() or find_damage(self._database)


def _erase(cursor: Cursor, partition: int, scope: Scope) -> int:
    """Delete a partition, the ledger lines that may name it, and what would keep its sources from being read again."""
    # A file that failed belongs to nobody, but its name may be the patient's.
    cursor.execute(
        "DELETE FROM ledger WHERE source NOT IN (SELECT source_name FROM documents WHERE partition <> ?)", (partition,)
    )
    # Targets are `patient:NAME PLACE`, `collection:NAME PLACE`, `folder PLACE` or `source PLACE`; of the last two no
    # one knows any more which patients they fed.
    cursor.execute(
        "DELETE FROM sources WHERE substr(target, 1, instr(target, ' ')) IN ('folder ', 'source ')"
        " OR substr(target, 1, ?) = ?",
        (len(target := f"{scope.kind}:{scope.name} "), target),
    )
    documents = int(cursor.execute("SELECT COUNT(*) FROM documents WHERE partition = ?", (partition,)).fetchone()[0])
    cursor.execute(
        "DELETE FROM passages WHERE document IN (SELECT id FROM documents WHERE partition = ?)", (partition,)
    )
    cursor.execute("DELETE FROM partitions WHERE id = ?", (partition,))
    return documents
