"""Book: one open store with the engines that its settings name. The Python door, and the one every other door uses."""

from __future__ import annotations

import copy
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet

from chartcite import __version__
from chartcite.cascade.prompts.files import fingerprint
from chartcite.cascade.tools import ByModel, Tools
from chartcite.core.answer import SCHEMA as ANSWER_SCHEMA
from chartcite.core.answer import Answer, Audience
from chartcite.core.audit import Action, Event
from chartcite.core.chat import Stop
from chartcite.core.choice import Choice
from chartcite.core.copies import CopiedShare
from chartcite.core.documents import Document, text_sha256
from chartcite.core.errors import (
    InvalidQuestion,
    StoreLocked,
    StoreMismatch,
    StoreUnwritable,
    UnknownDocument,
    UnknownPartition,
    UsageError,
)
from chartcite.core.feedback import Feedback
from chartcite.core.given import NOTHING_GIVEN, Given
from chartcite.core.listener import Listener
from chartcite.core.neural import EMBEDDED_ELSEWHERE
from chartcite.core.own_code import code_digest
from chartcite.core.reading import Found, PagePicture, Problem, ReadOptions
from chartcite.core.remembered import forget_remembered
from chartcite.core.retrieval import Hit, SearchSettings
from chartcite.core.scope import Scope
from chartcite.core.sight import Sight
from chartcite.core.spans import SpanAnswer
from chartcite.core.stored import DocumentInfo, OpenDocument, PartitionSummary, Recipe
from chartcite.core.table import Asked, Table
from chartcite.core.time import When
from chartcite.deid.deidentifier import Deidentifier
from chartcite.forms.audience import for_patient
from chartcite.forms.choice import choose
from chartcite.forms.span import span
from chartcite.index.large.build import refresh
from chartcite.index.large.collection import LargeIndex
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.index.port import SearchIndex, SharedIndex
from chartcite.ingest.corridor import Corridor, Progress
from chartcite.ingest.gone import gone
from chartcite.ingest.ledger import Ledger, SourceEntry
from chartcite.ingest.routing import Route
from chartcite.ingest.walk import SourceFile, walk
from chartcite.library.calls.cached import Kept
from chartcite.library.chats import Chats, Told, chats, must_hide
from chartcite.library.encoding import encoding_pool, reading_with
from chartcite.library.engines import Engines
from chartcite.library.found import FoundPassage, FoundPlace
from chartcite.library.grades import grades
from chartcite.library.open_table import OpenTable, chosen, numbered
from chartcite.library.reading import reading_options
from chartcite.library.releases import Release, release
from chartcite.library.settings import Settings
from chartcite.library.shared_index import shared_index
from chartcite.library.timelines import ReadWhole, keep_findings
from chartcite.library.veils import Veils
from chartcite.library.witnessed import Use, witness_of, witnessed
from chartcite.pipeline.corridor import answer
from chartcite.records.copies import Copies
from chartcite.records.record import read_whole
from chartcite.records.rules import rules
from chartcite.records.timeline import Timeline, timeline
from chartcite.records.topic import EVERYTHING, topic_of
from chartcite.retrieval.candidates import Bookshelf
from chartcite.retrieval.crosslingual import ASKED_ACROSS
from chartcite.retrieval.order import in_time_order
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import rank, search
from chartcite.retrieval.unread import UNREAD, for_unread
from chartcite.store.access import AccessStore
from chartcite.store.audit import AuditTrail
from chartcite.store.beside import stem
from chartcite.store.reader import PartitionReader
from chartcite.store.store import Store
from chartcite.table import Desk
from chartcite.text.analyser import Analyser
from chartcite.text.mixed import in_all
from chartcite.verification.answers import Recheck, quality, recheck

if TYPE_CHECKING:
    from chartcite.readers.references import Reference
    from chartcite.readers.sandbox import Sandbox

MAX_QUESTION_CHARS = 20_000
_READING_ROOMS = ("core", "readers", "models/ocr")


class Book:
    """An open store. Use as a context manager, or call `close`.

    >>> import chartcite                                            # doctest: +SKIP
    >>> book = chartcite.open("records/")                           # doctest: +SKIP
    >>> answer = book.ask("What is the warfarin dose?", patient="p1")  # doctest: +SKIP
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        *,
        create: bool = True,
        engines: Engines | None = None,
        who: str | None = None,
    ) -> None:
        """Open a store. `who` uses it, for its audit trail (`audit_key`); by default the user of this process."""
        self.settings = settings or Settings()
        self.engines = engines or Engines(self.settings)
        self.store = Store(folder, create=create)
        try:
            self.witness = witness_of(folder, self.settings.audit_key, who)
        except BaseException:
            self.store.close()
            raise
        self._shared = shared_index(self.settings)
        self._indexes: OrderedDict[tuple[Scope, int, int, str], SearchIndex] = OrderedDict()
        self._sight = Sight()
        self._veils = Veils(self.store)
        self._kin = WeakSet([self])

    def narrowed(self, *, only: Collection[str] | None = None, without: Collection[str] = ()) -> Book:
        """The same open store and engines with some documents out of sight, as if they were not there.

        For asking what an answer rests on: without the notes that say it, or from them alone. Statistics (how rare a
        word is) are those of the documents in sight. Close the book it came from, not this one.

        Args:
            only: doc_ids that may be evidence; None: all.
            without: doc_ids that may not.
        """
        other = copy.copy(self)
        other._sight = Sight.of(only, without)
        other._indexes = OrderedDict()
        self._kin.add(other)
        return other

    def used_by(self, who: str) -> Book:
        """The same open store, engines and arrays, for somebody else: lines of the audit trail name `who`.

        Close the book it came from, not this one.
        """
        other = copy.copy(self)
        if isinstance(self.witness, AuditTrail):
            other.witness = self.witness.used_by(who)
        self._kin.add(other)
        return other

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and forget its arrays, and what was read from it."""
        self._forget()
        if self._shared is not None:
            self._shared.close()
        self.store.close()

    def ingest(
        self,
        *paths: str | Path,
        patient: str | None = None,
        collection: str | None = None,
        patient_from_folder: bool = False,
        options: ReadOptions | None = None,
        progress: Progress | None = None,
        references: str | Path | None = None,
        name_pattern: str = "",
        files: str | Path | None = None,
    ) -> Ledger:
        """Read files and folders into the store. What is there already is not touched; a rerun resumes.

        `references` is a table with authors, years and identifiers of files that do not say them. `name_pattern`
        (`{patient}_{date}_{type}`) and `files` (a table: `file, patient_id, time, note_type`) say whose a file is.

        Raises:
            ReadError: a table cannot be used.
            UsageError: a path does not exist, the pattern is none, or both a patient and a collection are named.
            StoreError: the store cannot take more; what was committed stays.
        """
        from chartcite.readers.references import matched, read_references  # noqa: PLC0415
        from chartcite.readers.sandbox import Sandbox  # noqa: PLC0415
        from chartcite.readers.stated_names import naming  # noqa: PLC0415

        named = None if patient is None and collection is None else _scope(patient, collection)
        route = Route(named, patient_from_folder)
        sources = walk([Path(p) for p in paths])
        read_options = naming(
            options or self.read_options(), name_pattern, Path(files) if files else None, [s.name for s in sources]
        )
        pool = encoding_pool(self.settings, self.engines)
        writer = self.store.writer(uuid.uuid4().hex)
        stated = matched(read_references(Path(references)) if references else {}, [source.name for source in sources])
        corridor = Corridor(
            self.engines.kitchen, writer, pool, route, _reading_settings(read_options, stated),
            original_bytes=self.settings.keep_originals_mb << 20,
        )  # fmt: skip
        try:
            with self._took_in(), Sandbox() as sandbox:
                ledger = corridor.run(sources, _reading(read_options, sandbox, stated), progress or _silent)
            ledger.gone = gone([Path(p) for p in paths], sources, route, writer)
            self._make_ready((p.scope for p in self.store.partitions()), read=reading_with(pool))
            ledger.workers_lost = pool.lost
        finally:
            pool.close()
        for name in sorted(ledger.patients):
            with suppress(UnknownPartition):  # nothing of it could be kept, or another process deleted it
                ledger.copied[name] = self.copied(name)
        return ledger

    def copied(self, patient: str) -> CopiedShare:
        """How many sentences of a patient's record an earlier document has too.

        Raises:
            UnknownPartition: the store has no such patient.
        """
        with self.store.read(Scope.patient(patient)) as reader:
            return Copies(reader).share()

    def index(
        self, *, patient: str | None = None, collection: str | None = None, progress: Progress | None = None
    ) -> Ledger:
        """Build what the present settings need and the store lacks: passages, terms, vectors; by default everywhere."""
        if patient is None and collection is None:
            scopes = [p.scope for p in self.store.partitions()]
        else:
            scopes = [_scope(patient, collection)]
        pool = encoding_pool(self.settings, self.engines)
        corridor = Corridor(self.engines.kitchen, self.store.writer(uuid.uuid4().hex), pool, Route(), "")
        try:
            for scope in scopes:
                with self.store.read(scope) as reader:
                    keys = reader.all_keys()
                corridor.reindex(scope, self._documents(scope, keys), SourceEntry(scope.name), progress or _silent)
            self._make_ready(scopes, afresh=True, read=reading_with(pool))
            corridor.ledger.workers_lost = pool.lost
        finally:
            pool.close()
        return corridor.ledger

    @contextmanager
    def _took_in(self) -> Iterator[None]:
        """The audit trail is told of every partition that a reading of sources has changed, also one that broke off."""
        if self.witness is None:
            yield
            return
        before = {(p.scope, p.seq) for p in self.store.partitions()}
        try:
            yield
        finally:
            for partition in self.store.partitions():
                if (partition.scope, partition.seq) not in before:
                    self.witness.record(Event("ingest", "done", partition.scope))

    def _make_ready(self, scopes: Iterable[Scope], *, afresh: bool = False, read: ReadWhole = read_whole) -> None:
        """Have the arrays of partitions ready; one that lacks some document under this recipe is left as it is.

        Another process may have deleted a partition. After an ingest, one at which another process works is left to it.
        """
        recipe = self.engines.recipe
        passed_over = (StoreMismatch, UnknownPartition) if afresh else (StoreMismatch, UnknownPartition, StoreLocked)
        for scope in scopes:
            with suppress(*passed_over):
                keep_findings(self.store, scope, read)
                if self._shared is not None:
                    self.store.secret(scope)  # what the engine knows the partition by
                with self.store.read(scope) as reader:
                    if (shared := self._on_shared(reader)) is not None:
                        shared.refresh(reader, recipe, afresh=afresh)
                        continue
                    if self._is_large(reader):
                        refresh(reader, recipe, stem(self.store.folder, reader.incarnation, recipe), afresh=afresh)
                        continue
                self.store.pack(scope, recipe, afresh=afresh)

    def _on_shared(self, reader: PartitionReader) -> SharedIndex | None:
        """The engine outside that searches a partition; None where arrays do."""
        few = self._shared is None or reader.count_texts() < self.settings.index_from
        return None if few else self._shared

    def _is_large(self, reader: PartitionReader) -> bool:
        return reader.count_texts() > self.settings.large_passages

    def _documents(self, scope: Scope, keys: Sequence[int]) -> Iterator[Document]:
        """One read transaction a document, so that commits may come between."""
        for key in keys:
            with self.store.read(scope) as reader:
                there = key in reader.all_keys()
                document = replace(reader.document(key), units=reader.stated_units(key)) if there else None
            if document is not None:  # another process may have deleted it since
                yield document

    def read_options(self) -> ReadOptions:
        """How to read, by the settings."""
        return reading_options(self.settings)

    def ask(
        self,
        question: str,
        *,
        patient: str | None = None,
        collection: str | None = None,
        narrative: str = "",
        as_of: str | None = None,
        cancel: threading.Event | None = None,
        listener: Listener | None = None,
        given: Given = NOTHING_GIVEN,
        audience: Audience = "clinician",
    ) -> Answer:
        """Answer a question from one patient's record or one collection.

        Args:
            question: as asked; up to 20,000 characters.
            patient: identifier, or
            collection: name; exactly one of the two.
            narrative: the longer story around the question.
            as_of: ISO date; nothing written later, and nothing undated, is used.
            cancel: set it from another thread to give up while a model is being waited for.
            listener: told of stages, and of each sentence once it is verified and surely shown.
            given: what is put in place of a stage's own output, for tracing errors.
            audience: for a `patient` plain words stand beside each sentence, and readability is measured.

        Raises:
            Cancelled: `cancel` was set.
            InvalidQuestion: empty or too long.
            UsageError: given evidence is not of this partition.
            InvalidScope, UnknownPartition: no such patient or collection.
            StoreMismatch: the settings ask for passages or vectors that were never made.
        """

        def work(reader: PartitionReader, index: SearchIndex, tools: Tools) -> Answer:
            found = answer(question, narrative, reader, index, replace(tools, listener=listener), given)
            return for_patient(found, reader, index, tools) if audience == "patient" else found

        with self._used("ask", patient, collection, f"{question} {narrative}", first=listener is not None) as (
            use,
            scope,
        ):
            _check_question(question, narrative)
            found = self._asked(f"{question} {narrative}", scope, as_of, cancel, work)
            use.told(found)
        return found

    def _asked(
        self,
        question: str,
        scope: Scope,
        as_of: str | None,
        cancel: threading.Event | None,
        work: Callable[[PartitionReader, SearchIndex, Tools], Told],
    ) -> Told:
        """One question put to one snapshot of a partition; the replies of models are kept and accounted for."""
        self.engines.preload()
        with self._talking(scope, as_of, cancel) as (reader, index, asked):
            tools = replace(self._tools(reader, index, question), as_of=as_of, writer=asked.writer, judge=asked.judge)
            found = work(reader, index, tools)
            if index.recipe != self.engines.recipe:
                asked.account.note(["indexed_as_english"])
            if tools.across and tools.across.is_by_words:
                asked.account.note([ASKED_ACROSS])
            if self.engines.is_unread(index, reader):
                asked.account.note([UNREAD])
        return asked.settle(found)

    @contextmanager
    def models(
        self, *, patient: str | None = None, collection: str | None = None, cancel: threading.Event | None = None
    ) -> Iterator[Chats]:
        """Writer and judge of the settings for one piece of work on one partition, as a question gets them.

        With its budget, the replies that the partition knows, and de-identification; what it cost is in the account.

        Raises:
            InvalidScope, UnknownPartition, StoreMismatch, ModelRefused: as `ask`.
        """
        with (
            self._used("model", patient, collection, first=True) as (_, scope),
            self._talking(scope, None, cancel) as (_, _, asked),
        ):
            yield asked

    @contextmanager
    def _talking(
        self, scope: Scope, as_of: str | None, cancel: threading.Event | None
    ) -> Iterator[tuple[PartitionReader, SearchIndex, Chats]]:
        """One snapshot of a partition and the models that may be told of it; what they say is kept when it ends."""
        kept = None
        secret, is_lasting = self._veils.secret(scope) if must_hide(self.engines, self.settings) else (b"", True)
        try:
            with self._open(scope, as_of) as (reader, index):
                kept = Kept(reader.reply) if self.settings.reply_cache else None
                noted: list[str] = []
                hide = self._veils.maker(reader, secret, noted.append) if secret else None
                asked = chats(self.engines, self.settings, kept, Stop(cancel or threading.Event()), hide)
                yield reader, index, asked
                asked.account.note(noted)
        finally:
            if kept and kept.new:
                asked.account.note(self._keep(reader, kept.new))
        if getattr(self.engines.encoder, "is_remote", False):
            asked.account.note([EMBEDDED_ELSEWHERE])
        if not is_lasting:
            asked.account.note(["surrogates_of_this_question_only"])

    def _keep(self, reader: PartitionReader, replies: Mapping[bytes, bytes]) -> list[str]:
        """Keep the replies of models; the name of what prevented it, if something did."""
        try:
            were_kept = self.store.keep_replies(reader, replies)
        except (StoreUnwritable, StoreLocked):
            were_kept = False
        return [] if were_kept else ["replies_not_kept"]

    def choose(
        self,
        question: str,
        options: Sequence[str] | Mapping[str, str],
        *,
        patient: str | None = None,
        collection: str | None = None,
        as_of: str | None = None,
        cancel: threading.Event | None = None,
    ) -> Choice:
        """The option that one patient's record or one collection bears out, with a verdict for each, or none.

        Args:
            question: as asked, without its options.
            options: texts (named A, B, ... in their order) or texts by letter; their order decides nothing.
            patient: identifier, or
            collection: name; exactly one of the two.
            as_of: as in `ask`.
            cancel: as in `ask`.

        Raises:
            InvalidOptions: fewer than two, two that say the same, or one without text.
            InvalidQuestion, InvalidScope, UnknownPartition, StoreMismatch: as `ask`.
        """
        with self._used("choose", patient, collection, question) as (use, scope):
            _check_question(question, "")
            found = self._asked(
                question, scope, as_of, cancel,
                lambda reader, index, tools: choose(question, options, reader, index, tools),
            )  # fmt: skip
            use.told(found)
        return found

    def span(
        self,
        question: str,
        *,
        patient: str | None = None,
        collection: str | None = None,
        as_of: str | None = None,
        cancel: threading.Event | None = None,
    ) -> SpanAnswer:
        """The shortest part of a cited sentence that answers, always a slice of its document; or none.

        Args:
            question: as asked.
            patient: identifier, or
            collection: name; exactly one of the two.
            as_of: as in `ask`.
            cancel: as in `ask`.

        Raises:
            InvalidQuestion, InvalidScope, UnknownPartition, StoreMismatch: as `ask`.
        """
        with self._used("span", patient, collection, question) as (use, scope):
            _check_question(question, "")
            found = self._asked(
                question, scope, as_of, cancel,
                lambda reader, index, tools: span(question, reader, index, tools),
            )  # fmt: skip
            use.told(found)
        return found

    def table(
        self,
        questions: Sequence[str | Asked],
        *,
        patient: str | None = None,
        collection: str | None = None,
        documents: Sequence[str] | None = None,
        as_of: str | None = None,
    ) -> Table:
        """For each question and each document the best cited, verified sentence, or the reason why there is none.

        Args:
            questions: as asked, or with ids of their own.
            patient: identifier (a table over notes), or
            collection: name; exactly one of the two.
            documents: their doc_ids; by default all, oldest first.
            as_of: as in `ask`.

        Raises:
            InvalidQuestion: none at all, or one that is empty or too long.
            UsageError: a document that is not there, or a question's id twice.
        """
        with self.open_table(
            questions, patient=patient, collection=collection, documents=documents, as_of=as_of
        ) as opened:
            return replace(opened.table, rows=tuple(opened.rows()))

    @contextmanager
    def open_table(
        self,
        questions: Sequence[str | Asked],
        *,
        patient: str | None = None,
        collection: str | None = None,
        documents: Sequence[str] | None = None,
        as_of: str | None = None,
    ) -> Iterator[OpenTable]:
        """The same, question by question, on one state of the store; arguments and errors as of `table`."""
        asked = numbered(questions)
        together = " ".join(one.question for one in asked)
        with self._used("table", patient, collection, together, first=True) as (use, scope):
            for one in asked:
                _check_question(one.question, "")
            self.engines.preload()
            with self._open(scope, as_of) as (reader, index):
                tools = replace(self._tools(reader, index, together), as_of=as_of)
                desk = Desk(reader, index, tools, chosen(index.documents, documents))
                use.showed(one.doc_id for one in desk.documents)
                yield OpenTable(asked, desk)

    def timeline(self, topic: str = "", *, patient: str, as_of: str | None = None) -> Timeline:
        """A patient's values, courses of drugs and encounters by day, each with the sentences that state it.

        Args:
            topic: measured things or drugs by any name (`creatinine`, `HbA1c and metformin`); empty for all.
            patient: identifier.
            as_of: as in `ask`.

        Raises:
            UnknownTopic: the word lists know none by that name.
            UnknownPartition: no such patient.
        """
        with self._used("timeline", patient, None, topic) as (use, scope):
            wanted = topic_of(topic) if topic.strip() else EVERYTHING
            with self.store.read(scope, _as_of(as_of), self._sight) as reader:
                found = timeline(reader, wanted, as_of)
            use.told(found)
        return found

    def search(
        self,
        query: str,
        *,
        patient: str | None = None,
        collection: str | None = None,
        as_of: str | None = None,
        order: Literal["rank", "time"] = "rank",
        fallback: Callable[[str, int], None] | None = None,
    ) -> list[FoundPassage]:
        """The best passages with their text and places, by the settings' method, rerank kind and `top_k`.

        Args:
            query: up to 20,000 characters.
            patient: identifier, or
            collection: name; exactly one of the two.
            as_of: as in `ask`.
            order: best first, or oldest first; every passage keeps its rank.
            fallback: told, with their number, of passages that the token budget (`max_tokens`) left out, and of a query
                that was embedded on another machine.
        """
        with self._used("search", patient, collection, query) as (use, scope):
            _check_question(query, "")
            if fallback and getattr(self.engines.encoder, "is_remote", False):
                fallback(EMBEDDED_ELSEWHERE, 1)
            with self._open(scope, as_of) as (reader, index):
                shelf = Bookshelf(reader, index.documents)
                probe = self._probe(query, index, reader)

                def text_of(passage: int) -> str:
                    return shelf.text(shelf.place(index, passage))

                across = self.engines.across(index, reader, query)
                wanted = self._search(reader, index)
                if fallback and across and across.is_by_words:
                    fallback(ASKED_ACROSS, 1)
                if fallback and self.engines.is_unread(index, reader):
                    fallback(UNREAD, 1)
                hits = search(
                    probe, self.engines.method, wanted, lambda: self.engines.reranker, text_of, fallback or _silent
                )
                hits = in_time_order(hits, index.documents) if order == "time" else hits
                ids = {d.key: d.doc_id for d in index.documents}
                found = [_found(hit, text_of(hit.passage), shelf, ids) for hit in hits]
            use.showed(place.doc_id for one in found for place in one.places)
        return found

    def rank_documents(
        self,
        query: str,
        *,
        patient: str | None = None,
        collection: str | None = None,
        as_of: str | None = None,
        depth: int = 100,
    ) -> list[tuple[str, float]]:
        """Documents by their best passage: (doc_id, score), best first; for TREC runs. `as_of` as in `ask`.

        What a method takes in around its hits (whole notes, neighbours) does not count. Whether the query is embedded
        on another machine is the encoder's `is_remote`.
        """
        with self._used("rank", patient, collection, query) as (use, scope):
            _check_question(query, "")
            with self._open(scope, as_of) as (reader, index):
                shelf = Bookshelf(reader, index.documents)
                probe = self._probe(query, index, reader)
                wanted = self._search(reader, index)
                best: dict[int, float] = {}
                passages = depth
                while True:
                    passages *= 2  # several passages of a document stand for one document
                    hits = rank(
                        probe, self.engines.method, replace(wanted, top_k=passages), lambda: self.engines.reranker,
                        lambda p: shelf.text(shelf.place(index, p)),
                    )  # fmt: skip
                    best = {}
                    for hit in hits:
                        for place in hit.places:
                            best.setdefault(place.document, hit.score)
                    if len(best) >= depth or len(hits) < passages:
                        break
                names = {d.key: d.doc_id for d in index.documents}
                found = [(names[key], score) for key, score in best.items()][:depth]
            use.showed(doc_id for doc_id, _ in found)
        return found

    def verify_answer(self, stored: Mapping[str, Any]) -> list[Recheck]:
        """Check a stored answer against the documents of today, without any model.

        Raises:
            UsageError: it is not an answer, or lacks a field.
            UnknownPartition: the store has no such patient or collection.
        """
        with self._used("verify", *_scope_of(stored)) as (_, scope), self.store.read(scope) as reader:
            return recheck(stored, reader.find)

    def citation_quality(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """How well a stored answer is cited (see `verification.quality`); raises as `verify_answer` does."""
        with self._used("verify", *_scope_of(stored)) as (_, scope), self.store.read(scope) as reader:
            return quality(stored, reader.find)

    def page_picture(
        self, doc_id: str, page: int, *, patient: str | None = None, collection: str | None = None
    ) -> PagePicture | None:
        """One page of a document's own file as a PNG, page from 1; None where the file was not kept.

        Raises:
            ReadError: there is no such page, or it cannot be drawn within the limits of `max_seconds_per_file`.
            UsageError: no such document.
            UnknownPartition: no such patient or collection.
        """
        from chartcite.library.pictures import picture  # noqa: PLC0415
        from chartcite.readers.sandbox import Sandbox  # noqa: PLC0415

        with self._used("document", patient, collection) as (use, scope):
            with self.store.read(scope, "", self._sight) as reader:
                key = next((d.key for d in reader.documents() if d.doc_id == doc_id), None)
                if key is None:
                    raise UsageError("There is no such document.", "Take its doc_id from a citation.")
                data = reader.original(key)
            use.showed([doc_id])
            if data is None:
                return None
            with Sandbox() as sandbox:
                return picture(data, replace(self.read_options(), page=page, files={}), sandbox)

    def give_feedback(self, feedback: Feedback) -> int:
        """Keep what somebody says of an answer, with the partition that it is of; returns its number once it is safe.

        Raises:
            UsageError: what it is of is no answer, or it is too large.
            UnknownPartition: no such patient or collection.
        """
        said = feedback.to_dict()
        if feedback.answer.get("schema") != ANSWER_SCHEMA:
            raise UsageError(
                "This is not an answer of chartcite (schema chartcite.answer/1).", "Give it as it was shown."
            )
        with self._used("feedback", *_scope_of(feedback.answer)) as (_, scope):
            return self.store.keep_feedback(scope, said)

    def feedback(self, *, patient: str | None = None, collection: str | None = None) -> list[dict[str, Any]]:
        """What was said of a partition's answers, oldest first (`chartcite.feedback/1` with `id` and `at`).

        Raises:
            UnknownPartition: no such patient or collection.
        """
        with self._used("feedback", patient, collection) as (_, scope), self.store.read(scope):
            pass
        return self.store.feedback(scope)

    def deidentified(self, patient: str) -> Iterator[Release]:
        """A patient's documents, oldest first, with surrogates for what identifies; the same ones at every call.

        Nothing finds everything: read `docs/llm.md` before such texts are given to anybody.

        Raises:
            UnknownPartition: the store has no such patient.
            StoreUnwritable: the patient has no secret yet, and the store can only be read.
        """
        with self._used("deidentify", patient, None, first=True) as (use, scope):
            hider = self.deidentifier(patient=patient)
            with self.store.read(scope) as reader:
                use.showed(document.doc_id for document in reader.documents())
                yield from release(reader, hider)

    def deidentifier(self, *, patient: str | None = None, collection: str | None = None) -> Deidentifier:
        """What hides and restores texts of one partition; raises as `deidentified` does."""
        scope = _scope(patient, collection)
        secret = self.store.secret(scope)
        with self.store.read(scope) as reader:
            return self._veils.maker(reader, secret)()

    def documents(self, *, patient: str | None = None, collection: str | None = None) -> list[DocumentInfo]:
        """The documents that may be evidence, without their texts, oldest first.

        Raises:
            UnknownPartition: no such patient or collection.
        """
        with self._used("documents", patient, collection) as (use, scope):
            with self.store.read(scope) as reader:
                found = reader.documents()
            use.showed(document.doc_id for document in found)
        return found

    def document(self, doc_id: str, *, patient: str | None = None, collection: str | None = None) -> OpenDocument:
        """One document of a partition with its text, for showing; also one that is no evidence (any more).

        Raises:
            UnknownDocument: the partition has none of that doc_id.
            UnknownPartition: no such patient or collection.
        """
        with self._used("document", patient, collection) as (use, scope):
            with self.store.read(scope, "", self._sight) as reader:
                found = reader.opened(doc_id)
            if found is None:
                raise UnknownDocument("There is no such document here.", "Choose one of those that are listed.")
            use.showed([doc_id])
        return found

    def grades(
        self, question: str, *, patient: str | None = None, collection: str | None = None, narrative: str = ""
    ) -> dict[str, int]:
        """The grade, 1 to 5, of every sentence of the passages found for a question, by its text; raises as `ask`."""
        with self._used("grade", patient, collection, question) as (use, scope):
            _check_question(question, narrative)
            with self._open(scope, None) as (reader, index):
                use.showed(document.doc_id for document in index.documents)
                return grades(question, narrative, reader, index, self._tools(reader, index, question))

    @contextmanager
    def _used(
        self, action: Action, patient: str | None, collection: str | None, asked: str = "", *, first: bool = False
    ) -> Iterator[tuple[Use, Scope]]:
        """One use of a partition, which the audit trail is told of before its result is given away."""
        use = Use(action, asked)
        with suppress(UsageError):
            use.scope = _scope(patient, collection)  # a name that cannot be one is refused below, and that is told
        with witnessed(self.witness, use, first=first):
            scope = _scope(patient, collection)
            yield use, scope
            if action != "delete":
                with self.store.read(scope):  # deleted meanwhile: nothing of it is given away, and no name is kept
                    pass

    def patients(self) -> list[PartitionSummary]:
        """All patients of the store."""
        return self.store.partitions("patient")

    def collections(self) -> list[PartitionSummary]:
        """All named collections of the store."""
        return self.store.partitions("collection")

    def unkept_findings(self, patient: str | None = None) -> int:
        """Documents that questions over time read anew, since the rules changed after they came; `index` keeps it."""
        return self.store.without_findings(rules(), patient)

    def delete(self, *, patient: str | None = None, collection: str | None = None) -> int:
        """Remove a patient or collection with everything derived from it; returns its number of documents."""
        with self._used("delete", patient, collection, first=True) as (_, scope):
            AccessStore(self.store.folder).forget(scope)  # first: a later patient of that name is granted to nobody
            with self._forgotten_outside(scope):
                return self._delete(scope)

    def _delete(self, scope: Scope) -> int:
        try:
            return self.store.delete(scope)
        finally:
            AccessStore(self.store.folder).forget(scope)  # granted in between
            self._forget(scope)
            forget_remembered()
            if self.witness:
                self.witness.forget(scope)

    @contextmanager
    def _forgotten_outside(self, scope: Scope) -> Iterator[None]:
        """What a shared index holds of a partition goes before it does, and again after it: it may have been sent anew.

        Raises:
            EndpointFailed: it cannot be deleted there; before, then nothing is deleted here.
        """
        owner = None
        if self._shared is not None:
            with suppress(UnknownPartition), self.store.read(scope) as reader:
                owner = self._shared.owner(reader)
        if self._shared is None or owner is None:
            yield
            return
        self._shared.forget(owner)
        yield
        self._shared.forget(owner)

    def _forget(self, scope: Scope | None = None) -> None:
        """Keep nothing of a partition in memory, here or in what was narrowed from it; of none at all when None."""
        for book in self._kin:
            for key in [k for k in book._indexes if scope is None or k[0] == scope]:
                del book._indexes[key]
        self._veils.forget(scope)

    @contextmanager
    def _open(self, scope: Scope, as_of: str | None) -> Iterator[tuple[PartitionReader, SearchIndex]]:
        with self.store.read(scope, _as_of(as_of), self._sight) as reader:
            yield reader, self._index(reader)

    def _index(self, reader: PartitionReader) -> SearchIndex:
        """The partition's arrays, kept while the partition does not change and memory allows."""
        key = (reader.scope, reader.incarnation, reader.seq, reader.as_of)
        if key not in self._indexes:
            for old in [k for k in self._indexes if k[0] == reader.scope and k[1:3] != key[1:3]]:
                del self._indexes[old]
            parameters = Bm25(self.settings.bm25_k1, self.settings.bm25_b)
            self._indexes[key] = self._built(reader, self.engines.recipe, parameters)
        self._indexes.move_to_end(key)
        index = self._indexes[key]
        while len(self._indexes) > 1 and sum(i.nbytes for i in self._indexes.values()) > self.settings.cache_mb << 20:
            self._indexes.popitem(last=False)
        return index

    def _built(self, reader: PartitionReader, recipe: Recipe, parameters: Bm25) -> SearchIndex:
        """The index of a partition; of one prepared as English, before passages had a language, as it is."""
        try:
            return self._read(reader, recipe, parameters)
        except StoreMismatch:
            if self.settings.language == "auto":
                with suppress(StoreMismatch):
                    return self._read(reader, replace(recipe, analyser=Analyser("en").name), parameters)
            raise

    def _read(self, reader: PartitionReader, recipe: Recipe, parameters: Bm25) -> SearchIndex:
        if (shared := self._on_shared(reader)) is not None:
            return shared.open(reader, recipe, parameters)
        if not self._is_large(reader):
            return PartitionIndex.build(reader, recipe, parameters)
        if not self._sight.is_whole:
            raise UsageError(
                "A partition that is searched in files beside the store cannot be narrowed.",
                "Raise large_passages above its number of passages.",
            )
        return LargeIndex.open(reader, recipe, parameters, stem(self.store.folder, reader.incarnation, recipe))

    def _probe(self, query: str, index: SearchIndex, reader: PartitionReader) -> Probe:
        e = self.engines
        across = e.across(index, reader, query)
        return Probe(
            query, index, reader, e.encoder, e.query_terms(e.readings(index, reader, query), across), sparse=e.sparse,
            spoken=across.spoken if across else None,
        )  # fmt: skip

    def _search(self, reader: PartitionReader, index: SearchIndex) -> SearchSettings:
        s = self.settings
        weights = {
            "lexical": s.lexical_weight, "dense": s.dense_weight, "sparse": s.sparse_weight, "late": s.late_weight,
        }  # fmt: skip
        wanted = SearchSettings(
            method=s.method, rerank=s.rerank, fusion=s.fusion, top_k=s.top_k, rrf_k=s.rrf_k, weights=weights,
            parents=s.parents, neighbours=s.neighbours, max_tokens=s.max_tokens,
        )  # fmt: skip
        return for_unread(wanted) if self.engines.is_unread(index, reader) else wanted

    def _tools(self, reader: PartitionReader, index: SearchIndex, question: str) -> Tools:
        e, s = self.engines, self.settings
        readings, across = e.readings(index, reader, question), e.across(index, reader, question)
        by_model = ByModel(
            s.llm_stages, s.prompt_examples, s.writer_temperature, s.score_most, s.votes, s.votes_needed,
            s.vote_temperature, s.writer_sees_record, s.drafts,
        )  # fmt: skip

        def config() -> str:
            prompts = {"prompts": fingerprint(by_model.stages)} if by_model.stages else {}
            reranker = f"{e.reranker.name}@{e.reranker.fingerprint}"
            return s.answer_hash({**index.recipe.to_dict(), **prompts, **e.judged_by, "reranker": reranker})

        return Tools(
            e.encoder, lambda: e.reranker, in_all(readings), e.query_terms(readings, across), e.method,
            self._search(reader, index), s.answer_words, s.order,
            s.per_document,
            s.skip_retrieval_sentences, config, sparse=e.sparse, by_model=by_model, query_from=s.query_from,
            judge_record=e.judge_record, over_time=s.over_time, readings=readings, across=across,
        )  # fmt: skip


def _found(hit: Hit, text: str, shelf: Bookshelf, ids: Mapping[int, str]) -> FoundPassage:
    first = hit.places[0]
    document = shelf.document(first.document)
    return FoundPassage(
        rank=hit.rank, score=hit.score, text=text, title=document.title, note_type=document.note_type,
        time=document.time.text if document.time else None, page=document.page_at(first.start),
        places=tuple(FoundPlace(ids[p.document], p.start, p.end) for p in hit.places), parts=hit.parts,
    )  # fmt: skip


def _scope(patient: str | None, collection: str | None) -> Scope:
    if patient is not None and collection is not None:
        raise UsageError("A patient and a collection were both named.", "Name one of them.")
    if patient is not None:
        return Scope.patient(patient)
    if collection is not None:
        return Scope.collection(collection)
    raise UsageError("No patient and no collection was named.", "Use --patient ID or --collection NAME.")


def _scope_of(stored: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Patient and collection that a stored answer names, one of them."""
    scope = stored.get("scope")
    if not isinstance(scope, dict) or len(scope) != 1:
        raise UsageError("The stored answer names no scope.", "Save it again with ask --json.")
    kind, name = next(iter(scope.items()))
    named = Scope(kind, name)
    return (name, None) if named.kind == "patient" else (None, name)


def _as_of(date: str | None) -> str:
    """The last moment of a date, as a sort key: `2019-03` takes in all of March 2019."""
    if date is None:
        return ""
    try:
        when = When.parse(date)
    except ValueError as error:
        raise UsageError("The date is not one of the calendar.", "Write it as YYYY-MM-DD.") from error
    return when.sort_key[: {"year": 4, "month": 7, "day": 10, "minute": 16}.get(when.precision, 19)] + "~"


def _check_question(question: str, narrative: str) -> None:
    try:
        (question + narrative).encode()
    except UnicodeEncodeError as error:
        raise InvalidQuestion("The question holds bytes that are no text.", "Write it in UTF-8.") from error
    if not question.strip() and not narrative.strip():
        raise InvalidQuestion("The question is empty.", "Ask something, for example: What is the warfarin dose?")
    if len(question) > MAX_QUESTION_CHARS or len(narrative) > MAX_QUESTION_CHARS:
        raise InvalidQuestion(
            f"The question has more than {MAX_QUESTION_CHARS:,} characters.", "Ask about one thing, in a few sentences."
        )


def _reading(
    options: ReadOptions, sandbox: Sandbox, references: Mapping[str, Reference]
) -> Callable[[SourceFile], Iterator[Found | Problem]]:
    from chartcite.readers.detect import read_source  # noqa: PLC0415
    from chartcite.readers.references import with_reference  # noqa: PLC0415

    return lambda source: with_reference(
        read_source(source.path, source.name, options, sandbox), source.name, references.get(source.name)
    )


def _reading_settings(options: ReadOptions, references: Mapping[str, Reference]) -> str:
    """What decides how a source is read: a source read whole otherwise, or by other code, is read again."""
    by = f"{__version__} {code_digest(_READING_ROOMS)}"
    settings = repr((by, sorted(options.columns.items()), options.encoding))
    if options.ocr:
        settings += f" ocr {options.ocr} {options.ocr_pages}"
    if options.name_pattern or options.files:
        settings += f" names {text_sha256(repr((options.name_pattern, sorted(options.files.items()))))}"
    return settings + (f" references {text_sha256(repr(list(references.items())))}" if references else "")


def _silent(*_: object) -> None:
    return None
