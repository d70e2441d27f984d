"""Reading: always through one partition, always one consistent state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from chartcite.core.documents import Bibliography, Document, Provenance, Sentence, Span
from chartcite.core.errors import StoreDamaged, StoreMismatch
from chartcite.core.layout import WordBoxes
from chartcite.core.scope import Scope
from chartcite.core.sight import Sight
from chartcite.core.stored import (
    DocumentInfo,
    OpenDocument,
    PassageArrays,
    Postings,
    Recipe,
    Standing,
    StoredText,
    TextArrays,
)
from chartcite.core.time import Precision, When
from chartcite.store.engines.port import Cursor, Database, has_table
from chartcite.store.findings import read_findings
from chartcite.store.packs import has_pack, read_pack
from chartcite.store.replies import read_reply

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What may be evidence: nothing entered in error; a replaced note only while its replacement is not in the record,
# which at an earlier date it was not yet. A note that was not told of it, as an earlier message of a laboratory, is
# replaced all the same, but not by a preliminary one, nor by one that it replaces itself: of two such, both stay.
# The look-up goes by the replaced doc_id, which has an index.
# As of a date, a document counts once it was surely written: a partial date at its end. A day is the day of the
# document's own zone; a clock time is compared in UTC.
_WRITTEN = (
    "CASE length({0}.time) WHEN 4 THEN {0}.time || '-12-31T23:59:59' WHEN 7 THEN {0}.time || '-31T23:59:59'"
    " WHEN 10 THEN {0}.time || 'T23:59:59' ELSE CASE WHEN length(?) > 11 THEN {0}.sort_key ELSE {0}.time END END"
)
_EVIDENCE = (
    "d.partition = ? AND d.status <> 'entered-in-error' AND NOT EXISTS ("
    "SELECT 1 FROM replacements r WHERE r.doc_id = d.doc_id AND EXISTS (SELECT 1 FROM documents n"
    " WHERE n.id = r.document AND n.partition = d.partition AND n.id <> d.id AND n.status <> 'entered-in-error'"
    " AND (d.status = 'superseded' OR (n.status <> 'preliminary' AND NOT EXISTS ("
    "SELECT 1 FROM replacements b WHERE b.document = d.id AND b.doc_id = n.doc_id)))"
    f" AND (? = '' OR {_WRITTEN.format('n')} <= ?)))"
    f" AND (? = '' OR {_WRITTEN.format('d')} <= ?)"
)
_ORDER = "COALESCE(d.sort_key, ''), d.doc_id"
_PLACES = (
    "SELECT s.text, s.document, s.start, s.end FROM documents d LEFT JOIN passages s"
    f" ON s.document = d.id AND s.splitter = ? WHERE {{}} ORDER BY {_ORDER}, s.n"
)
_IN_BATCH = 8192


class PartitionReader:
    """One partition inside one read transaction.

    `as_of` (a sort key) hides documents written later or undated, `sight` those that it does not show.
    """

    def __init__(
        self,
        database: Database,
        cursor: Cursor,
        partition: int,
        scope: Scope,
        seq: int,
        as_of: str = "",
        sight: Sight = Sight(),  # noqa: B008 - frozen
    ) -> None:
        self.scope = scope
        self.seq = seq
        self.as_of = as_of
        self.sight = sight
        self._database = database
        self._cursor = cursor
        self._partition = self.incarnation = partition
        self._documents: list[DocumentInfo] | None = None
        self._findings: dict[str, dict[int, bytes]] = {}
        self._filter = (partition, *[as_of] * 6)

    def documents(self) -> list[DocumentInfo]:
        """All documents that may be evidence, oldest first, undated before dated."""
        if self._documents is None:
            rows = self._cursor.execute(
                "SELECT d.id, d.doc_id, d.title, d.note_type, d.time, COALESCE(d.sort_key, ''), d.status, d.sha256,"
                f" d.encounter_id FROM documents d WHERE {_EVIDENCE} ORDER BY {_ORDER}",
                self._filter,
            )
            self._documents = [
                DocumentInfo(r[0], r[1], r[2], r[3], _when(r[4]), r[5], r[6], r[7], r[8])
                for r in rows
                if self.sight.shows(r[1])
            ]
        return self._documents

    def secret(self) -> bytes | None:
        """What the surrogates of this partition follow from; None where it has none yet."""
        if not has_table(self._cursor, "secrets"):
            return None  # a store of an earlier version
        row = self._cursor.execute("SELECT secret FROM secrets WHERE partition = ?", (self._partition,)).fetchone()
        return bytes(row[0]) if row else None

    def authors(self) -> list[str]:
        """The authors of all documents, evidence or not, each once."""
        rows = self._cursor.execute(
            "SELECT DISTINCT author FROM documents WHERE partition = ? AND author <> '' ORDER BY author",
            (self._partition,),
        )
        return [str(row[0]) for row in rows]

    def all_texts_of_documents(self) -> Iterator[str]:
        """Text and title of every document, evidence or not, in order of ingest."""
        with closing(self._database.scrolling(self._cursor)) as cursor:
            rows = cursor.execute(
                "SELECT text, title FROM documents WHERE partition = ? ORDER BY id", (self._partition,)
            )
            for text, title in rows:
                yield f"{title}\n{text}" if title else text

    def reply(self, key: bytes) -> bytes | None:
        """What a model once said to the request with this key, put to this partition; None if that is not known."""
        with closing(self._database.scrolling(self._cursor)) as cursor:
            return read_reply(cursor, self._partition, key)

    def findings(self, rules: str) -> dict[int, bytes]:
        """What is kept for the timeline of the partition's documents, by key, where it follows these rules."""
        if self._findings.get(rules) is None:
            self._findings[rules] = read_findings(self._cursor, self._partition, rules)
        return self._findings[rules]

    def marks(self) -> dict[int, bytes]:
        """The marks of the sentences of documents, by key; of a document of an earlier version there are none."""
        if not has_table(self._cursor, "marks"):
            return {}
        rows = self._cursor.execute(
            "SELECT m.document, m.data FROM documents d JOIN marks m ON m.document = d.id WHERE d.partition = ?",
            (self._partition,),
        )
        return {int(key): bytes(data) for key, data in rows}

    def all_keys(self) -> list[int]:
        """The numbers of all documents, evidence or not; for re-indexing."""
        rows = self._cursor.execute("SELECT id FROM documents WHERE partition = ? ORDER BY id", (self._partition,))
        return [int(row[0]) for row in rows]

    def document(self, key: int) -> Document:
        """One document with its text, by the store's number."""
        row = self._cursor.execute(
            "SELECT doc_id, text, title, note_type, time, author, lang, status, encounter_id, pages, hidden,"
            " bibliography, source_name, source_sha256, source_format FROM documents WHERE partition = ? AND id = ?",
            (self._partition, key),
        ).fetchone()
        replaces = self._cursor.execute("SELECT doc_id FROM replacements WHERE document = ? ORDER BY doc_id", (key,))
        return Document(
            doc_id=row[0], text=row[1], title=row[2], note_type=row[3], time=_when(row[4]), author=row[5], lang=row[6],
            status=row[7], replaces=tuple(r[0] for r in replaces), encounter_id=row[8], pages=tuple(json.loads(row[9])),
            hidden=tuple(Span(*s) for s in json.loads(row[10]) if len(s) == 2),
            running=tuple(Span(*s[:2]) for s in json.loads(row[10]) if len(s) == 3),
            bibliography=_bibliography(row[11]),
            source=Provenance(row[12], row[13], row[14]), words=self._words(key),
        )  # fmt: skip

    def _words(self, key: int) -> WordBoxes:
        if not has_table(self._cursor, "layouts"):
            return WordBoxes()  # a store of an earlier version
        row = self._cursor.execute("SELECT data FROM layouts WHERE document = ?", (key,)).fetchone()
        try:
            return WordBoxes.from_bytes(row[0]) if row else WordBoxes()
        except ValueError as error:
            raise StoreDamaged(
                "The places of a document's words are damaged.", "Ingest its source again into a new store."
            ) from error

    def original(self, key: int) -> bytes | None:
        """The bytes of the file that a document was read from; None where they were not kept."""
        if not has_table(self._cursor, "originals"):
            return None  # a store of an earlier version
        row = self._cursor.execute(
            "SELECT o.data FROM originals o JOIN documents d ON d.id = o.document"
            " WHERE d.partition = ? AND d.id = ? AND d.source_sha256 = o.sha256",
            (self._partition, key),
        ).fetchone()
        return bytes(row[0]) if row else None

    def stated_units(self, key: int) -> tuple[Span, ...]:
        """The units that a document's source stated, which `document` leaves out; for re-indexing."""
        return tuple(Span(s.start, s.end) for s in self.sentences(key) if s.kind == "stated")

    def opened(self, doc_id: str) -> OpenDocument | None:
        """A document whole, whatever its status, with its sentences; None if this partition has none such."""
        row = self._cursor.execute(
            "SELECT id FROM documents WHERE partition = ? AND doc_id = ?", (self._partition, doc_id)
        ).fetchone()
        found = self.find(doc_id) if row and self.sight.shows(doc_id) else None
        if found is None:
            return None
        return OpenDocument(self.document(row[0]), found.sentences, found.standing)

    def find(self, doc_id: str) -> StoredText | None:
        """A document by its doc_id, whatever its status; None if this partition has none such."""
        row = self._cursor.execute(
            "SELECT id, text, sha256, status, title, note_type, time, bibliography FROM documents"
            " WHERE partition = ? AND doc_id = ?",
            (self._partition, doc_id),
        ).fetchone()
        if row is None:
            return None
        standing: Standing = "evidence"
        if row[3] == "entered-in-error":
            standing = "retracted"
        elif not self._cursor.execute(
            f"SELECT 1 FROM documents d WHERE d.id = ? AND {_EVIDENCE}", (row[0], self._partition, *[""] * 6)
        ).fetchone():
            standing = "superseded"
        sentences = tuple(self.sentences(row[0]))
        return StoredText(row[1], row[2], standing, sentences, row[4], row[5], row[6], _bibliography(row[7]))

    def sentences(self, key: int) -> list[Sentence]:
        """The sentences of one document of this partition, in order."""
        rows = self._cursor.execute(
            "SELECT s.n, s.start, s.end, s.kind, s.section FROM sentences s JOIN documents d ON d.id = s.document"
            " WHERE d.partition = ? AND d.id = ? ORDER BY s.n",
            (self._partition, key),
        )
        return [Sentence(n, start, end, kind, tuple(json.loads(section))) for n, start, end, kind, section in rows]

    def count_sentences(self) -> int:
        """How many sentences may be evidence."""
        counted = f"SELECT d.doc_id, COUNT(*) FROM sentences s JOIN documents d ON d.id = s.document WHERE {_EVIDENCE}"
        rows = self._cursor.execute(f"{counted} GROUP BY d.id", self._filter)
        return sum(int(n) for doc_id, n in rows if self.sight.shows(doc_id))

    def term_numbers(self, terms: Sequence[str]) -> dict[str, int]:
        """The partition's numbers of those terms that it knows."""
        numbers = {}
        for term in dict.fromkeys(terms):
            row = self._cursor.execute(
                "SELECT id FROM terms WHERE partition = ? AND term = ?", (self._partition, term)
            ).fetchone()
            if row:
                numbers[term] = int(row[0])
        return numbers

    def terms_starting(self, prefix: str) -> dict[str, int]:
        """The partition's numbers of the terms that start with a prefix; all recipes and all documents together."""
        rows = self._cursor.execute(
            "SELECT term, id FROM terms WHERE partition = ? AND term >= ? AND term < ?",
            (self._partition, prefix, prefix + "\U0010ffff"),
        )
        return dict(rows.fetchall())

    def passages(self, recipe: Recipe) -> PassageArrays:
        """Every passage that may be evidence, under a recipe, as arrays: from the partition's pack, or row by row.

        Raises:
            StoreMismatch: some document was never prepared under this recipe.
            StoreDamaged: the stored arrays are not what they should be.
        """
        from chartcite.store.arrays import arrange  # noqa: PLC0415

        texts = read_pack(self._cursor, self._partition, self.seq, recipe) or self._texts(recipe, _EVIDENCE)
        return arrange(texts, [d.key for d in self.documents()])

    def all_texts(self, recipe: Recipe) -> TextArrays:
        """The texts of all documents, evidence or not; for a pack.

        Raises:
            StoreMismatch: some document was never prepared under this recipe.
        """
        return self._texts(recipe, "d.partition = ?")

    def count_texts(self) -> int:
        """How many distinct passage texts the partition holds, of all recipes and documents."""
        row = self._cursor.execute("SELECT COUNT(*) FROM texts WHERE partition = ?", (self._partition,)).fetchone()
        return int(row[0])

    def is_packed(self, recipe: Recipe) -> bool:
        """Whether the partition's arrays are stored as they are now."""
        return has_pack(self._cursor, self._partition, self.seq, recipe)

    def walk(self, recipe: Recipe) -> Iterator[NDArray[np.int64]]:
        """Where all passages of all documents stand, in the order of the record, a few thousand at a time.

        Yields int64 [n, 4]: (text key, document key, start, end).

        Raises:
            StoreMismatch: some document was never prepared under this recipe.
        """
        import numpy as np  # noqa: PLC0415

        with closing(self._database.scrolling(self._cursor)) as cursor:  # others may be read between
            cursor.execute(_PLACES.format("d.partition = ?"), (recipe.splitter, self._partition))
            while rows := cursor.fetchmany(_IN_BATCH):
                if any(row[0] is None for row in rows):
                    raise self._mismatch(recipe)
                yield np.array(rows, dtype=np.int64)

    def derived(self, keys: Sequence[int], recipe: Recipe) -> list[tuple[bytes, bytes, bytes, bytes]]:
        """SHA-256, int64 term numbers, uint16 counts and float32 vector of some texts, as they are stored.

        Raises:
            StoreMismatch: a text lacks something.
        """
        rows = self._cursor.execute(
            "SELECT t.id, t.sha256, o.terms, o.counts, v.vector"
            " FROM json_each(?) j CROSS JOIN texts t ON t.id = CAST(j.value AS BIGINT)"
            " JOIN postings o ON o.text = t.id AND o.analyser = ? JOIN vectors v ON v.text = t.id AND v.encoder = ?"
            " WHERE t.partition = ?",
            (json.dumps(list(keys)), recipe.analyser, recipe.encoder, self._partition),
        )
        found = {row[0]: row[1:] for row in rows}
        if not all(key in found for key in keys):
            raise self._mismatch(recipe)
        return [found[key] for key in keys]

    def short_digests(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All text keys of the partition, ascending, and the first 8 bytes of each text's SHA-256."""
        import numpy as np  # noqa: PLC0415

        keys, digests = [np.zeros(0, np.int64)], [b""]
        rows = self._cursor.execute(
            "SELECT id, substr(sha256, 1, 8) FROM texts WHERE partition = ? ORDER BY id", (self._partition,)
        )
        while batch := rows.fetchmany(_IN_BATCH):
            keys.append(np.array([row[0] for row in batch], np.int64))
            digests += [row[1] for row in batch]
        return np.concatenate(keys), np.frombuffer(b"".join(digests), np.int64)

    def vectors(self, keys: Sequence[int], recipe: Recipe) -> NDArray[np.float32]:
        """float32 [n, dims], of some texts of the partition."""
        import numpy as np  # noqa: PLC0415

        # CROSS JOIN keeps the order: from the keys to the rows, never through all rows of the partition.
        rows = self._cursor.execute(
            "SELECT t.id, v.vector FROM json_each(?) j CROSS JOIN texts t ON t.id = CAST(j.value AS BIGINT)"
            " JOIN vectors v ON v.text = t.id AND v.encoder = ? WHERE t.partition = ?",
            (json.dumps(list(keys)), recipe.encoder, self._partition),
        )
        found = dict(rows.fetchall())
        return np.frombuffer(b"".join(found[key] for key in keys), np.float32).reshape(len(keys), -1 if keys else 0)

    def sparse(self, keys: Sequence[int], recipe: Recipe) -> Postings:
        """The weights, in steps, that the recipe's sparse encoder gave some texts; rows are places in `keys`.

        Raises:
            StoreMismatch: a text was never given to that encoder.
            StoreDamaged: the stored arrays are not what they should be.
        """
        from chartcite.store.arrays import postings_of  # noqa: PLC0415

        rows = self._cursor.execute(
            "SELECT t.id, o.terms, o.counts FROM texts t JOIN postings o ON o.text = t.id AND o.analyser = ?"
            " WHERE t.partition = ?",
            (recipe.sparse, self._partition),
        )
        found = {key: (terms, counts) for key, terms, counts in rows}
        if not all(key in found for key in keys):
            raise self._mismatch(recipe)
        return postings_of([found[key][0] for key in keys], [found[key][1] for key in keys])

    def _texts(self, recipe: Recipe, which: str) -> TextArrays:
        from chartcite.store.arrays import assemble  # noqa: PLC0415

        rows = self._cursor.execute(
            _PLACES.format(which), (recipe.splitter, *self._filter[: which.count("?")])
        ).fetchall()
        if any(row[0] is None for row in rows):
            raise self._mismatch(recipe)
        keys = list(dict.fromkeys(row[0] for row in rows))
        return assemble(keys, rows, *self._derived(keys, recipe))

    def token_vectors(self, text_keys: Sequence[int], recipe: Recipe, dims: int) -> list[NDArray[np.int8]]:
        """The int8 token vectors of some passage texts, `[n_tokens, dims]` each; empty where there are none."""
        import numpy as np  # noqa: PLC0415

        found = []
        for key in text_keys:
            row = self._cursor.execute(
                "SELECT k.codes FROM token_vectors k JOIN texts t ON t.id = k.text"
                " WHERE t.partition = ? AND k.text = ? AND k.encoder = ?",
                (self._partition, int(key), recipe.encoder),
            ).fetchone()
            found.append(np.frombuffer(row[0] if row else b"", np.int8).reshape(-1, dims))
        return found

    def _derived(self, keys: Sequence[int], recipe: Recipe) -> tuple[list[bytes], list[bytes], list[bytes]]:
        rows = self._cursor.execute(
            "SELECT t.id, o.terms, o.counts, v.vector FROM texts t"
            " JOIN postings o ON o.text = t.id AND o.analyser = ?"
            " JOIN vectors v ON v.text = t.id AND v.encoder = ? WHERE t.partition = ?",
            (recipe.analyser, recipe.encoder, self._partition),
        )
        found = {key: blobs for key, *blobs in rows}
        if not all(key in found for key in keys):
            raise self._mismatch(recipe)
        columns = zip(*(found[key] for key in keys), strict=True) if keys else ((), (), ())
        terms, counts, vectors = (list(column) for column in columns)
        return terms, counts, vectors

    def _mismatch(self, recipe: Recipe) -> StoreMismatch:
        sparse = f" and sparse encoder {recipe.sparse}" if recipe.sparse else ""
        return StoreMismatch(
            f"This {self.scope.kind} was never prepared with splitter {recipe.splitter}, analyser {recipe.analyser}"
            f" and encoder {recipe.encoder}{sparse}.",
            "Run `chartcite index` to build what is missing, or use the settings of the last ingest.",
        )


def _bibliography(stored: str) -> Bibliography:
    authors, *rest = json.loads(stored)  # a store of before `url` has one field less
    return Bibliography(tuple(authors), *rest)


_PRECISION: dict[int, Precision] = {4: "year", 7: "month", 10: "day"}


def _when(text: str | None) -> When | None:
    """A stored time, which was read once already: its form says how precise it is."""
    if not text:
        return None
    seconds = text.count(":", 10, 19) == 2
    return When(text, _PRECISION.get(len(text), "second" if seconds else "minute"))
