"""Writing: one document with all that is derived from it is one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from chartcite.core.documents import text_sha256
from chartcite.core.errors import StoreMismatch
from chartcite.core.identity import Person
from chartcite.core.scope import Scope
from chartcite.core.stored import DerivedText, Outcome, PreparedDocument, Recipe
from chartcite.store.engines.port import Cursor, Database, inserted
from chartcite.store.packs import drop_packs
from chartcite.store.replies import drop_replies
from chartcite.text.marks import marks

if TYPE_CHECKING:
    from chartcite.core.documents import Document

LedgerRow = tuple[str, str, str, str, str, str, int, int]
"""at, source, outcome, kind, reason, advice, documents, chars"""

_IN_BATCH = 500  # SQLite's limit on parameters is far above
_TERM_NUMBERS = (
    "SELECT t.id FROM json_each(?) j LEFT JOIN terms t ON t.partition = ? AND t.term = j.value ORDER BY j.key"
)


class Writer:
    """Commits documents. One writer at a time; another process waits, then gets `StoreLocked`."""

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        self._run = run
        self._unchanged: set[int] = set()
        self._skipped: set[str] = set()

    def known(self, scope: Scope, document: Document, fingerprint: str, recipe: Recipe, origin: str) -> Outcome | None:
        """What committing this document would come to, if that needs no derived rows; None if it must be prepared.

        `clash`: the doc_id belongs to a file at another place, so it must be made distinct first.
        `repeated`: this run has already seen the doc_id with other content, here or in a source it need not read.
        """
        with self._database.translated():
            row = self._database.connection.execute(
                "SELECT d.id, d.fingerprint, d.origin, d.run, d.source_name FROM documents d"
                " JOIN partitions p ON p.id = d.partition WHERE p.kind = ? AND p.name = ? AND d.doc_id = ?",
                (scope.kind, scope.name, document.doc_id),
            ).fetchone()
            if row is None:
                return None
            key, stored_fingerprint, stored_origin, run, source = row
            if stored_fingerprint == fingerprint:
                self._unchanged.add(key)
                return "unchanged" if self._derived(key, recipe) else None
        if origin and stored_origin and origin != stored_origin:
            return "clash"
        seen = run == self._run or key in self._unchanged
        return "repeated" if seen or (source in self._skipped and source != document.source.name) else None

    def missing(self, scope: Scope, digests: Iterable[bytes], recipe: Recipe) -> set[bytes]:
        """Those passage texts that this partition does not hold ready for search. Other partitions are never asked."""
        wanted = list(dict.fromkeys(digests))
        found: set[bytes] = set()
        for i in range(0, len(wanted), _IN_BATCH):
            batch = wanted[i : i + _IN_BATCH]
            marks = ",".join("?" * len(batch))
            with self._database.translated():
                rows = self._database.connection.execute(
                    "SELECT t.sha256 FROM texts t JOIN partitions p ON p.id = t.partition"
                    " JOIN vectors v ON v.text = t.id AND v.encoder = ?"
                    " JOIN postings o ON o.text = t.id AND o.analyser = ?"
                    f" WHERE p.kind = ? AND p.name = ? AND t.sha256 IN ({marks})"
                    " AND (? = '' OR EXISTS (SELECT 1 FROM postings e WHERE e.text = t.id AND e.analyser = ?))",
                    (recipe.encoder, recipe.analyser, scope.kind, scope.name, *batch, recipe.sparse, recipe.sparse),
                )
                found.update(row[0] for row in rows)
        return set(wanted) - found

    def add_derived(self, scope: Scope, prepared: PreparedDocument, recipe: Recipe) -> Outcome:
        """Store what a recipe needs of a document that is there in this very form; nothing if it has gone or changed.

        Raises:
            StoreMismatch: a text comes without vectors, and the partition does not hold them.
        """
        with self._database.transaction(alone_on=scope) as cursor:
            row = cursor.execute(
                "SELECT d.id, p.id FROM documents d JOIN partitions p ON p.id = d.partition"
                " WHERE p.kind = ? AND p.name = ? AND d.doc_id = ? AND d.fingerprint = ?",
                (scope.kind, scope.name, prepared.document.doc_id, prepared.fingerprint),
            ).fetchone()
            if row is not None:
                texts = _insert_passages(cursor, int(row[1]), int(row[0]), prepared, recipe)
                _delete_unused(cursor, texts)
                _changed(cursor, int(row[1]))
        return "unchanged"

    def commit(self, scope: Scope, prepared: PreparedDocument, recipe: Recipe) -> Outcome:
        """Store a document with its sentences, passages, postings and vectors, or nothing of it.

        Raises:
            StoreMismatch: a text comes without vectors, and the partition does not hold them.
        """
        document = prepared.document
        with self._database.transaction(alone_on=scope) as cursor:
            partition = _partition(cursor, scope)
            old = cursor.execute(
                "SELECT id, fingerprint FROM documents WHERE partition = ? AND doc_id = ?", (partition, document.doc_id)
            ).fetchone()
            texts: list[tuple[int]] = []
            if old is not None and old[1] == prepared.fingerprint:
                outcome: Outcome = "unchanged"
                key = int(old[0])
            else:
                outcome = "added" if old is None else "updated"
                if old is not None:
                    texts = _delete_document(cursor, int(old[0]))
                    drop_replies(cursor, partition)
                key = self._insert_document(cursor, partition, prepared)
                _insert_sentences(cursor, key, prepared)
            texts += _insert_passages(cursor, partition, key, prepared, recipe)
            _delete_unused(cursor, texts)  # only now: the new version may have them too
            _changed(cursor, partition)
        return outcome

    def person(self, scope: Scope) -> Person | None:
        """Who earlier sources say this patient is."""
        with self._database.translated():
            row = self._database.connection.execute(
                "SELECT born, sex, persons.name FROM persons JOIN partitions p ON p.id = persons.partition"
                " WHERE p.kind = ? AND p.name = ?",
                (scope.kind, scope.name),
            ).fetchone()
        return Person(*row) if row else None

    def keep_person(self, scope: Scope, person: Person) -> None:
        """Remember who a patient is; nothing if there is no such partition."""
        with self._database.transaction(alone_on=scope) as cursor:
            cursor.execute(
                "INSERT INTO persons SELECT id, ?, ?, ? FROM partitions WHERE kind = ? AND name = ?"
                " ON CONFLICT (partition) DO UPDATE SET born = excluded.born, sex = excluded.sex, name = excluded.name",
                (person.born, person.sex, person.name, scope.kind, scope.name),
            )

    def lacks_original(self, scope: Scope, document: Document) -> bool:
        """Whether a document is here as it is, without the bytes that it was read from."""
        with self._database.translated():
            row = self._database.connection.execute(
                "SELECT o.sha256 FROM documents d JOIN partitions p ON p.id = d.partition"
                " LEFT JOIN originals o ON o.document = d.id WHERE p.kind = ? AND p.name = ? AND d.doc_id = ?"
                " AND d.source_sha256 = ?",
                (scope.kind, scope.name, document.doc_id, document.source.sha256),
            ).fetchone()
        return row is not None and row[0] != document.source.sha256

    def keep_original(self, scope: Scope, document: Document, data: bytes) -> None:
        """Keep the bytes that a document was read from; nothing if it has gone or changed since."""
        with self._database.transaction(alone_on=scope) as cursor:
            cursor.execute(
                "INSERT INTO originals SELECT d.id, d.source_sha256, ? FROM documents d"
                " JOIN partitions p ON p.id = d.partition WHERE p.kind = ? AND p.name = ? AND d.doc_id = ?"
                " AND d.source_sha256 = ?"
                " ON CONFLICT (document) DO UPDATE SET sha256 = excluded.sha256, data = excluded.data",
                (data, scope.kind, scope.name, document.doc_id, document.source.sha256),
            )

    def source_done(self, name: str, target: str, sha256: str, settings: str) -> int | None:
        """How many documents a source gave when it was last read whole with these settings; None if it must be read."""
        with self._database.translated():
            row = self._database.connection.execute(
                "SELECT documents FROM sources WHERE name = ? AND target = ? AND sha256 = ? AND settings = ?",
                (name, target, sha256, settings),
            ).fetchone()
        if row is None:
            return None
        self._skipped.add(name)
        return int(row[0])

    def sources(self, target: str) -> list[tuple[str, str]]:
        """Name and target of what was read whole to a target, wherever it lay."""
        with self._database.translated():
            rows = self._database.connection.execute(
                "SELECT name, target FROM sources WHERE substr(target, 1, ?) = ? ORDER BY name, target",
                (len(target) + 1, f"{target} "),
            )
            return [(str(name), str(whole)) for name, whole in rows]

    def record_source(
        self, name: str, target: str, sha256: str, settings: str, documents: int, ledger: Sequence[LedgerRow] = ()
    ) -> None:
        """Remember that a source was read whole, with its rows of the ledger."""
        with self._database.transaction() as cursor:
            self._insert_ledger(cursor, ledger)
            cursor.execute(
                "INSERT INTO sources VALUES (?, ?, ?, ?, ?) ON CONFLICT (name, target) DO UPDATE SET"
                " sha256 = excluded.sha256, settings = excluded.settings, documents = excluded.documents",
                (name, target, sha256, settings, documents),
            )

    def record_ledger(self, rows: Sequence[LedgerRow]) -> None:
        """Append rows to the ledger."""
        with self._database.transaction() as cursor:
            self._insert_ledger(cursor, rows)

    def _insert_ledger(self, cursor: Cursor, rows: Sequence[LedgerRow]) -> None:
        cursor.executemany(
            "INSERT INTO ledger (run, at, source, outcome, kind, reason, advice, documents, chars)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(self._run, *row) for row in rows],
        )

    def drop_unused_terms(self, scope: Scope) -> None:
        """Remove the words that only earlier versions of documents had. Cost: one scan of the partition's postings."""
        import numpy as np  # noqa: PLC0415

        with self._database.transaction(alone_on=scope) as cursor:
            terms = cursor.execute(
                "SELECT t.id FROM terms t JOIN partitions p ON p.id = t.partition WHERE p.kind = ? AND p.name = ?",
                (scope.kind, scope.name),
            ).fetchall()
            used = np.zeros(max((row[0] for row in terms), default=0) + 1, dtype=np.bool_)
            postings = cursor.execute(
                "SELECT o.terms FROM postings o JOIN texts t ON t.id = o.text JOIN partitions p ON p.id = t.partition"
                " WHERE p.kind = ? AND p.name = ?",
                (scope.kind, scope.name),
            )
            for (numbers,) in postings:
                used[np.frombuffer(numbers, np.int64)] = True
            cursor.executemany("DELETE FROM terms WHERE id = ?", [row for row in terms if not used[row[0]]])

    def _derived(self, key: int, recipe: Recipe) -> bool:
        row = self._database.connection.execute(
            "SELECT COUNT(*), COUNT(v.text), COUNT(o.text), COUNT(e.text) FROM passages s"
            " LEFT JOIN vectors v ON v.text = s.text AND v.encoder = ?"
            " LEFT JOIN postings o ON o.text = s.text AND o.analyser = ?"
            " LEFT JOIN postings e ON e.text = s.text AND e.analyser = ?"
            " WHERE s.document = ? AND s.splitter = ?",
            (recipe.encoder, recipe.analyser, recipe.sparse, key, recipe.splitter),
        ).fetchone()
        return bool(row[0]) and row[0] == row[1] == row[2] and (not recipe.sparse or row[0] == row[3])

    def _insert_document(self, cursor: Cursor, partition: int, prepared: PreparedDocument) -> int:
        d = prepared.document
        bibliography = d.bibliography
        key = inserted(
            cursor,
            "INSERT INTO documents (partition, doc_id, text, sha256, fingerprint, title, note_type, time, sort_key,"
            " author, lang, status, encounter_id, pages, hidden, bibliography, source_name, source_sha256,"
            " source_format, origin, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                partition, d.doc_id, d.text, text_sha256(d.text), prepared.fingerprint, d.title, d.note_type,
                d.time.text if d.time else None, d.time.sort_key if d.time else None,
                d.author, d.lang, d.status, d.encounter_id,
                json.dumps(d.pages), json.dumps([*d.hidden, *([*span, "running"] for span in d.running)]),
                json.dumps(
                    [bibliography.authors, bibliography.year, bibliography.doi, bibliography.pmid, bibliography.url]
                ),
                d.source.name, d.source.sha256, d.source.format, prepared.origin, self._run,
            ),
        )  # fmt: skip
        if d.words:
            cursor.execute("INSERT INTO layouts VALUES (?, ?)", (key, d.words.to_bytes()))
        cursor.execute("INSERT INTO marks VALUES (?, ?)", (key, marks(d.text, prepared.sentences)))
        cursor.executemany(
            "INSERT INTO replacements VALUES (?, ?) ON CONFLICT DO NOTHING", [(key, r) for r in d.replaces]
        )
        return key


def _delete_document(cursor: Cursor, key: int) -> list[tuple[int]]:
    """Remove a document; returns the passage texts that it had.

    A file of the same name at another place may have been left out because its content was equal: it is read again.
    """
    texts = cursor.execute("SELECT DISTINCT text FROM passages WHERE document = ?", (key,)).fetchall()
    cursor.execute(
        "DELETE FROM sources WHERE name = (SELECT source_name FROM documents WHERE id = ? AND origin <> '')", (key,)
    )
    cursor.execute("DELETE FROM documents WHERE id = ?", (key,))
    return texts


def _delete_unused(cursor: Cursor, texts: Sequence[tuple[int]]) -> None:
    """Remove those passage texts that no document has any more, with all that hangs on them."""
    cursor.executemany(
        "DELETE FROM texts WHERE id = ? AND NOT EXISTS (SELECT 1 FROM passages s WHERE s.text = texts.id)", texts
    )


def _partition(cursor: Cursor, scope: Scope) -> int:
    cursor.execute("INSERT INTO partitions (kind, name) VALUES (?, ?) ON CONFLICT DO NOTHING", (scope.kind, scope.name))
    row = cursor.execute("SELECT id FROM partitions WHERE kind = ? AND name = ?", (scope.kind, scope.name)).fetchone()
    return int(row[0])


def _changed(cursor: Cursor, partition: int) -> None:
    cursor.execute("UPDATE partitions SET seq = seq + 1 WHERE id = ?", (partition,))
    drop_packs(cursor, partition)


def _insert_sentences(cursor: Cursor, key: int, prepared: PreparedDocument) -> None:
    cursor.executemany(
        "INSERT INTO sentences VALUES (?, ?, ?, ?, ?, ?)",
        [(key, s.n, s.start, s.end, s.kind, _section(s.section)) for s in prepared.sentences],
    )


@lru_cache(maxsize=4096)
def _section(path: tuple[str, ...]) -> str:
    return json.dumps(path, ensure_ascii=False)


def _insert_passages(
    cursor: Cursor, partition: int, key: int, prepared: PreparedDocument, recipe: Recipe
) -> list[tuple[int]]:
    """Put the document's passages under a recipe in place of those it had; returns the texts of those."""
    mine = (key, recipe.splitter)
    before = cursor.execute("SELECT DISTINCT text FROM passages WHERE document = ? AND splitter = ?", mine).fetchall()
    cursor.execute("DELETE FROM passages WHERE document = ? AND splitter = ?", mine)
    texts = [_text(cursor, partition, text, recipe) for text in prepared.texts]
    cursor.executemany(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)",
        [(key, recipe.splitter, p.n, p.start, p.end, t) for p, t in zip(prepared.passages, texts, strict=True)],
    )
    return before


def _text(cursor: Cursor, partition: int, text: DerivedText, recipe: Recipe) -> int:
    row = cursor.execute("SELECT id FROM texts WHERE partition = ? AND sha256 = ?", (partition, text.sha256)).fetchone()
    if row is None:
        key = inserted(cursor, "INSERT INTO texts (partition, sha256) VALUES (?, ?)", (partition, text.sha256))
    else:
        key = int(row[0])
    _insert_postings(cursor, partition, key, recipe.analyser, text.term_counts)
    if recipe.sparse:
        _insert_postings(cursor, partition, key, recipe.sparse, text.sparse)
    pair = (key, recipe.encoder)
    if text.encoded is not None:
        cursor.execute(
            "INSERT INTO vectors VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (*pair, text.encoded.vector.tobytes())
        )
        if text.encoded.tokens.size:
            cursor.execute(
                "INSERT INTO token_vectors VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (*pair, text.encoded.tokens.tobytes()),
            )
    elif not cursor.execute("SELECT 1 FROM vectors WHERE text = ? AND encoder = ?", pair).fetchone():
        raise _overtaken()
    return key


def _overtaken() -> StoreMismatch:
    return StoreMismatch(
        "Another process changed the store while this document was prepared.", "Run the same command again."
    )


def _insert_postings(
    cursor: Cursor, partition: int, key: int, analyser: str, amounts: Mapping[str, int] | None
) -> None:
    import numpy as np  # noqa: PLC0415

    if cursor.execute("SELECT 1 FROM postings WHERE text = ? AND analyser = ?", (key, analyser)).fetchone():
        return
    if amounts is None:
        raise _overtaken()
    terms = sorted(amounts)
    numbers = np.array(_term_numbers(cursor, partition, terms), dtype=np.int64)
    counts = np.array([min(amounts[term], 65535) for term in terms], dtype=np.uint16)
    cursor.execute("INSERT INTO postings VALUES (?, ?, ?, ?)", (key, analyser, numbers.tobytes(), counts.tobytes()))


def _term_numbers(cursor: Cursor, partition: int, terms: Sequence[str]) -> list[int]:
    """The partition's number of each term, made where there is none; one statement for all of them."""
    words = json.dumps(terms)
    found = cursor.execute(_TERM_NUMBERS, (words, partition)).fetchall()
    new = [term for term, (number,) in zip(terms, found, strict=True) if number is None]
    if new:
        cursor.executemany("INSERT INTO terms (partition, term) VALUES (?, ?)", [(partition, term) for term in new])
        found = cursor.execute(_TERM_NUMBERS, (words, partition)).fetchall()
    return [row[0] for row in found]
