"""The corridor itself: every source in turn, every document one transaction, vectors computed ahead."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from errno import EINVAL
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG

from chartcite.core.documents import Document
from chartcite.core.errors import Cancelled, ChartciteError, EndpointFailed, ReadError, StoreError, StoreMismatch
from chartcite.core.identity import Person
from chartcite.core.neural import EncodedPassage, SparseText
from chartcite.core.reading import Found, Problem
from chartcite.core.scope import Scope
from chartcite.core.stored import DerivedText, Outcome, PreparedDocument
from chartcite.index.sparse import stored_weights
from chartcite.ingest.encoding import engine_failures
from chartcite.ingest.ledger import Ledger, ProblemLine, SourceEntry
from chartcite.ingest.people import People
from chartcite.ingest.pool import EncodingPool
from chartcite.ingest.prepare import Draft, Kitchen, RememberedTokens, draft, fingerprint, in_its_language, term_counts
from chartcite.ingest.routing import Route, place
from chartcite.ingest.walk import SourceFile, check_inside, decodable
from chartcite.store.writer import LedgerRow, Writer

ReadSource = Callable[[SourceFile], Iterator[Found | Problem]]
Progress = Callable[[SourceEntry, int], None]
"""Called with the entry under way and the bytes of all sources finished so far."""


TEXTS_PER_WORKER = 128
DOCUMENTS_WAITING = 512


class ReaderFailed(ReadError):
    """A reader broke down: a fault of chartcite, not of the source."""


def reader_failed(error: Exception) -> ReaderFailed:
    """Named after the exception's type alone, since its message may hold text of the source."""
    return ReaderFailed(
        f"The reader broke down ({type(error).__name__}): a fault in chartcite.", "Please report the file's format."
    )


class RepeatedDocument(ReadError):
    """A doc_id came twice in one run with different content."""


@dataclass(slots=True)
class _Waiting:
    """A document whose vectors are under way. `futures` holds those of texts the partition lacks.

    `expansions` holds their sparse weights, or nothing without a sparse encoder.
    """

    entry: SourceEntry
    scope: Scope
    document: Document
    fingerprint: str
    origin: str
    draft: Draft
    path: Path | None
    futures: dict[bytes, Future[EncodedPassage]]
    expansions: dict[bytes, Future[SparseText]]
    is_stored: bool = False


@dataclass(slots=True)
class _SourceEnd:
    """Marks the place in the queue after a source's last document."""

    entry: SourceEntry
    source: SourceFile
    sha256: str


class Corridor:
    """One ingest. Documents are committed in the order of the sources, whatever finishes first."""

    def __init__(
        self,
        kitchen: Kitchen,
        writer: Writer,
        pool: EncodingPool,
        route: Route,
        settings: str,
        *,
        original_bytes: int = 0,
    ) -> None:
        """`original_bytes`: files of pages up to this size are kept beside their documents."""
        self.ledger = Ledger()
        self._kitchen = kitchen
        self._writer = writer
        self._pool = pool
        self._route = route
        self._settings = f"{settings} {kitchen.recipe}{kitchen.recipe.sparse}"
        self._tokens = RememberedTokens(kitchen.encoder)
        self._queue: deque[_Waiting | _SourceEnd] = deque()
        self._updated: set[Scope] = set()
        self._texts_waiting = 0
        self._bytes_done = 0
        self._original_bytes = original_bytes
        self._people = People(writer.person)
        self._kept_people: dict[Scope, Person] = {}

    def run(self, sources: Sequence[SourceFile], read: ReadSource, progress: Progress) -> Ledger:
        """Ingest all sources. A source that fails is a line of the ledger; the rest goes on.

        Raises:
            StoreError: the store cannot take more; what was committed stays.
            EndpointFailed: the encoder is a server, and it does not answer; what was committed stays.
        """
        self._progress = progress
        for source in sources:
            self._source(source, read)
        self._drain(0)
        for scope in sorted(self._updated):
            self._writer.drop_unused_terms(scope)
        self._count_up()
        return self.ledger

    def reindex(self, scope: Scope, documents: Iterable[Document], entry: SourceEntry, progress: Progress) -> None:
        """Build what the kitchen's recipe needs for documents that are in the store already."""
        self._progress = progress
        self.ledger.sources.append(entry)
        for document in documents:
            mark = fingerprint(document)
            if self._writer.known(scope, document, mark, self._kitchen.recipe, "") == "unchanged":
                entry.counts["unchanged"] += 1
                continue
            try:
                self._submit(entry, scope, document, mark, "", is_stored=True)
            except ReadError as error:
                entry.add(ProblemLine.of(document.doc_id, error))
        self._drain(0)
        self._count_up()

    def _count_up(self) -> None:
        pool = self._pool
        self.ledger.encoded, self.ledger.cut, self.ledger.workers_lost = pool.encoded, pool.cut, pool.lost

    def _source(self, source: SourceFile, read: ReadSource) -> None:
        entry = SourceEntry(source.name)
        self.ledger.sources.append(entry)
        try:
            check_inside(source)
            digest = _file_sha256(source.path)
        except ReadError as error:
            entry.add(ProblemLine.of(source.name, error))
            self._finish(_SourceEnd(entry, source, ""))
            return
        except OSError as error:
            entry.add(
                ProblemLine(
                    source.name,
                    "UnreadableSource",
                    f"The file cannot be read ({error.strerror}).",
                    "Check its permissions.",
                    False,
                )
            )
            self._finish(_SourceEnd(entry, source, ""))
            return
        self._wait_for_namesake(source)
        done = self._writer.source_done(source.name, self._target(source), digest, self._settings)
        if done is not None:
            entry.already = done
            self._queue.append(_SourceEnd(entry, source, ""))
            self._drain(self._most_waiting)
            return
        try:
            for item in read(source):
                self._item(entry, source, item)
        except (StoreError, EndpointFailed, Cancelled):
            raise
        except ReadError as error:
            entry.add(ProblemLine.of(source.name, error))
        except Exception as error:  # noqa: BLE001  (a reader's fault on hostile bytes must not cost the batch)
            entry.add(ProblemLine.of(source.name, reader_failed(error)))
        self._queue.append(_SourceEnd(entry, source, digest))

    def _item(self, entry: SourceEntry, source: SourceFile, item: Found | Problem) -> None:
        if isinstance(item, Problem):
            entry.add_problem(item)
            return
        try:
            self._document(entry, source, item)
        except (StoreError, EndpointFailed, Cancelled):
            raise
        except ChartciteError as error:
            entry.add(ProblemLine.of(item.document.doc_id, error))

    def _document(self, entry: SourceEntry, source: SourceFile, found: Found) -> None:
        scope = self._route.scope_of(found, source.name)
        conflicts = self._people.meet(scope, found.person, source.name)
        document = in_its_language(found.document)
        origin = decodable(source.path) if _is_named_after(document.doc_id, source.name) else ""
        self._wait_for_same(scope, document.doc_id)
        mark = fingerprint(document)
        known = self._writer.known(scope, document, mark, self._kitchen.recipe, origin)
        if known == "clash":
            # Another file of that name at another place: both are kept, under different ids.
            mark = f"~{sha256(origin.encode()).hexdigest()[:8]}"
            replaces = tuple(i + mark if _is_named_after(i, source.name) else i for i in document.replaces)
            document = replace(document, doc_id=document.doc_id + mark, replaces=replaces)
            mark = fingerprint(document)
            known = self._writer.known(scope, document, mark, self._kitchen.recipe, origin)
        if known == "repeated":
            raise RepeatedDocument(
                "The same doc_id came before in this run with other content.", "Give every document its own doc_id."
            )
        entry.chars += len(document.text)
        entry.note(document.source.format, len(document.text), f"{scope.kind} {scope.name}")
        for conflict in conflicts:
            entry.add(ProblemLine.of(document.doc_id, conflict))
        path = source.path if source.size <= self._original_bytes and has_pages(document) else None
        if known == "unchanged":
            entry.counts["unchanged"] += 1
            self._keep_original(scope, document, path)
            return
        self._submit(entry, scope, document, mark, origin, path)

    def _submit(
        self,
        entry: SourceEntry,
        scope: Scope,
        document: Document,
        mark: str,
        origin: str,
        path: Path | None = None,
        *,
        is_stored: bool = False,
    ) -> None:
        with engine_failures():
            made = draft(document, self._kitchen, self._tokens.of(scope))
        missing = self._writer.missing(scope, made.digests, self._kitchen.recipe)
        lacking = {d: text for d, text in zip(made.digests, made.texts, strict=True) if d in missing}
        futures = {digest: self._pool.submit(scope, digest, text) for digest, text in lacking.items()}
        expansions = {d: f for d, text in lacking.items() if (f := self._pool.expand(scope, d, text)) is not None}
        self._queue.append(_Waiting(entry, scope, document, mark, origin, made, path, futures, expansions, is_stored))
        self._texts_waiting += len(futures)
        self._drain(self._most_waiting)

    @property
    def _most_waiting(self) -> int:
        """How many texts may be under way: enough for the encoder to go on while copied documents pass by."""
        return TEXTS_PER_WORKER * self._pool.workers

    def _wait_for_namesake(self, source: SourceFile) -> None:
        """A file of this name at another place, with a change under way, may be what this one was taken to equal."""
        if any(isinstance(w, _Waiting) and w.document.doc_id == source.name for w in self._queue):
            self._drain(0)

    def _wait_for_same(self, scope: Scope, doc_id: str) -> None:
        """A doc_id that is still in the queue must be in the store before it is judged again."""
        if any(isinstance(w, _Waiting) and w.scope == scope and w.document.doc_id == doc_id for w in self._queue):
            self._drain(0)

    def _drain(self, limit: int) -> None:
        """Commit from the front until at most `limit` texts are under way."""
        while self._queue and (
            self._texts_waiting > limit or len(self._queue) > DOCUMENTS_WAITING or limit == 0 or _ready(self._queue[0])
        ):
            waiting = self._queue.popleft()
            if isinstance(waiting, _SourceEnd):
                self._finish(waiting)
            else:
                self._commit(waiting)

    def _commit(self, waiting: _Waiting) -> None:
        entry = waiting.entry
        try:
            outcome = self._store(waiting)
        except StoreMismatch as error:  # another process was there in between: a matter of this document
            entry.add(ProblemLine.of(waiting.document.doc_id, error))
        except (StoreError, EndpointFailed):  # a server that is gone would fail every document, after every wait
            raise
        except ChartciteError as error:
            entry.add(ProblemLine.of(waiting.document.doc_id, error))
        else:
            entry.counts[outcome] += 1
            self._keep_person(waiting.scope)
            self._keep_original(waiting.scope, waiting.document, waiting.path)
            self.ledger.passages += len(waiting.draft.passages)
            if outcome == "updated":
                self._updated.add(waiting.scope)
        self._texts_waiting -= len(waiting.futures)
        self._pool.forget(waiting.scope, waiting.futures)
        self._progress(entry, self._bytes_done)

    def _keep_original(self, scope: Scope, document: Document, path: Path | None) -> None:
        """Once the document is there, and whenever it is met without them: a kill in between loses nothing for good."""
        if path is None or not self._writer.lacks_original(scope, document):
            return
        try:
            data = path.read_bytes()
        except OSError:
            return  # it was read a moment ago; without it there is no picture, and nothing else
        if sha256(data).hexdigest() == document.source.sha256:
            self._writer.keep_original(scope, document, data)

    def _keep_person(self, scope: Scope) -> None:
        """Once the partition is there."""
        person = self._people.of(scope)
        if person is not None and self._kept_people.get(scope) != person:
            self._writer.keep_person(scope, person)
            self._kept_people[scope] = person

    def _store(self, waiting: _Waiting) -> Outcome:
        made = waiting.draft
        gone: set[bytes] = set()
        if waiting.scope in self._updated:
            # A text that was in the store when the document was queued may have gone with an updated one since.
            gone = self._writer.missing(waiting.scope, made.digests, self._kitchen.recipe) - waiting.futures.keys()
        with engine_failures():
            texts = [
                self._derived(waiting, digest, text, gone)
                for digest, text in zip(made.digests, made.texts, strict=True)
            ]
        prepared = PreparedDocument(
            waiting.document, waiting.fingerprint, made.sentences, made.passages, texts, waiting.origin
        )
        keep = self._writer.add_derived if waiting.is_stored else self._writer.commit
        return keep(waiting.scope, prepared, self._kitchen.recipe)

    def _derived(self, waiting: _Waiting, digest: bytes, text: str, gone: set[bytes]) -> DerivedText:
        """What the store lacks of a text; nothing of one that it has."""
        if digest in waiting.futures:
            encoded = waiting.futures[digest].result()
        elif digest in gone:
            encoded = self._kitchen.encoder.encode_passage(text)
        else:
            return DerivedText(digest, None, None)
        return DerivedText(digest, term_counts(text, self._kitchen), encoded, self._expanded(waiting, digest, text))

    def _expanded(self, waiting: _Waiting, digest: bytes, text: str) -> dict[str, int] | None:
        """A text's sparse weights as the store keeps them; None without a sparse encoder."""
        sparse = self._kitchen.sparse
        if sparse is None:
            return None
        future = waiting.expansions.get(digest)
        return stored_weights(sparse, future.result() if future else sparse.encode_passage(text))

    def _finish(self, end: _SourceEnd) -> None:
        entry = end.entry
        self._bytes_done += end.source.size
        rows = _ledger_rows(entry) if entry.outcome != "unchanged" else []
        if end.sha256 and not entry.counts["failed"]:
            target = self._target(end.source)
            self._writer.record_source(entry.name, target, end.sha256, self._settings, entry.documents, rows)
        elif rows:
            self._writer.record_ledger(rows)
        self._progress(entry, self._bytes_done)

    def _target(self, source: SourceFile) -> str:
        return place(self._route, decodable(source.path))


def _is_named_after(doc_id: str, source: str) -> bool:
    """Whether a document has its id from its file: the file's name, a record of it (`#`) or a member (`!/`)."""
    return doc_id.startswith(source) and doc_id[len(source) :][:1] in ("", "#", "!")


def has_pages(document: Document) -> bool:
    """Whether a document is one whole file with pages that can be drawn."""
    return document.source.format.partition(";")[0].strip() in ("pdf", "image") and "!/" not in document.source.name


def _ready(waiting: _Waiting | _SourceEnd) -> bool:
    if isinstance(waiting, _SourceEnd):
        return True
    return all(f.done() for f in waiting.futures.values()) and all(f.done() for f in waiting.expansions.values())


def _file_sha256(path: Path) -> str:
    import hashlib  # noqa: PLC0415

    if not S_ISREG(path.stat().st_mode):
        raise OSError(EINVAL, "it is not a regular file")  # a pipe would be waited for
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _ledger_rows(entry: SourceEntry) -> list[LedgerRow]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    rows: list[LedgerRow] = [(now, entry.name, entry.outcome, "", "", "", entry.documents, entry.chars)]
    rows += [
        (now, entry.name, "skipped" if p.skipped else "failed", p.kind, p.reason, p.advice, 0, 0)
        for p in entry.problems
    ]
    return rows
