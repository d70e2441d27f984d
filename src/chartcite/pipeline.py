"""Second corridor, question to answer: interpret, retrieve, score, write, align, verify. Reads top to bottom."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from chartcite.cascade.align.rules import align
from chartcite.cascade.balance import balance, deeper, shares, spread, titles_last
from chartcite.cascade.conflicts import find_conflicts
from chartcite.cascade.focus import Focus
from chartcite.cascade.interpret.rules import DEFAULT, IN_RECORD, interpret
from chartcite.cascade.interpret.vocabulary import PartitionVocabulary
from chartcite.cascade.score.grades import load_grades
from chartcite.cascade.score.rules import Scored, score
from chartcite.cascade.selection import Pool, select
from chartcite.cascade.statements import Wanted, wanted
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.llm import Writer
from chartcite.cascade.write.rules import write
from chartcite.core.answer import Answer, AnswerSentence, Evidence, Interpretation, Reason, Searched
from chartcite.core.chat import ChatModel
from chartcite.core.neural import Encoder, Reranker, SparseEncoder
from chartcite.core.retrieval import Hit, Place, SearchSettings
from chartcite.core.stored import DocumentInfo
from chartcite.index.port import SearchIndex
from chartcite.retrieval.candidates import Bookshelf, Preference, candidates
from chartcite.retrieval.dated import MOST_PASSAGES, End, at_the_end
from chartcite.retrieval.method import Method
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import search
from chartcite.store.reader import PartitionReader
from chartcite.verification.answers import judge_sentences, verify
from chartcite.verification.disagreements import disagreements
from chartcite.verification.findings import between_documents

AT_THE_END = 12
"""Passages at the newest or oldest end of the record that are read for a question about that end."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What the corridor is given: engines, and the settings that shape an answer."""

    encoder: Encoder
    reranker: Callable[[], Reranker]
    analyse: Callable[[str], Sequence[str]]
    query_terms: Callable[[str], Mapping[str, float]]
    method: Method
    search: SearchSettings
    answer_words: int
    order: str
    per_document: int
    skip_retrieval_sentences: int
    config: Callable[[], str]
    as_of: str | None = None
    writer: ChatModel | None = None
    judge: ChatModel | None = None
    sparse: SparseEncoder | None = None


@dataclass(slots=True)
class Trace:
    """What happened on the way: fallbacks by name, and the time of each stage."""

    fallbacks: list[Mapping[str, Any]] = field(default_factory=list)
    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings_ms[name] = round((time.perf_counter() - start) * 1000, 2)

    def fallback(self, name: str, count: int = 1) -> None:
        """A fallback is named and counted, never silent; one that comes again adds to its count."""
        for n, known in enumerate(self.fallbacks):
            if known["name"] == name:
                self.fallbacks[n] = {"name": name, "count": known["count"] + count}
                return
        self.fallbacks.append({"name": name, "count": count})

    def readings(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Misspelt words that were read as others, both shown."""
        read = [{"written": written, "read": read} for written, read in pairs]
        self.fallbacks.append({"name": "read_as", "count": len(pairs), "words": read})


def answer(question: str, narrative: str, reader: PartitionReader, index: SearchIndex, tools: Tools) -> Answer:
    """Answer a question from one partition, or say why not and what was searched."""
    trace = Trace()
    documents, is_collection = index.documents, reader.scope.kind == "collection"
    shelf = Bookshelf(reader, documents)
    with trace.stage("interpret"):
        weights = DEFAULT if is_collection else IN_RECORD
        asked = interpret(question, narrative, _vocabulary(question, shelf, index, reader, tools), weights)
        if asked.readings:
            trace.readings(asked.readings)
        if asked.is_open_range:
            trace.fallback("time_range_not_applied")
        if asked.other_questions:
            trace.fallback("other_questions_not_answered", asked.other_questions)
    probe = Probe(asked.query, index, reader, tools.encoder, tools.query_terms, sparse=tools.sparse)
    with trace.stage("retrieve"):
        focus = _focus(asked, probe, tools)
        want = wanted(asked.query)
        hits = _retrieve(asked, probe, shelf, tools, trace)
        hits = _with_dated(hits, asked, want, focus, probe, trace)
    with trace.stage("score"):
        scored = _score(asked, focus, hits, shelf, probe, tools, trace)
    if probe.cut:
        trace.fallback("query_cut", probe.cut)
    with trace.stage("select"):
        right = [s for s in scored if focus.names_the_right_one(s.candidate.said)]
        pool = Pool(right, focus.missing, focus.has, want, lambda text: focus.names(text, want.words))
        evidence = select(asked, pool, shelf, trace.fallback)
        takes_turns = is_collection and tools.per_document > 0
        if takes_turns:
            said = titles_last(evidence, lambda key: shelf.document(key).title)
            evidence = balance(said, tools.per_document)
    by_model, calls = _by_model(asked, evidence, shelf, probe, tools, trace)
    checked, drafts = by_model, list[Draft]()
    if not by_model:
        with trace.stage("write"):
            drafts = write(asked, evidence, tools.answer_words, tools.order, trace.fallback, by_document=takes_turns)
        with trace.stage("align"):
            aligned = align(drafts, evidence, shelf)
        with trace.stage("verify"):
            checked = _repair(verify(aligned), trace)
    checked, judged = _judged(question, checked, tools, trace)
    with trace.stage("conflicts"):
        disagree = between_documents if is_collection else disagreements
        conflicts = find_conflicts(checked, scored, shelf, probe, tools.encoder, disagree, is_collection=is_collection)
    return Answer(
        question=question,
        query=asked.query,
        scope=reader.scope,
        kind=asked.kind,
        sentences=checked,
        evidence=tuple(evidence),
        searched=_searched(documents, index, asked, pool.missing),
        reason=None if checked else _why_not(asked, documents, scored, pool.missing, drafts),
        fallbacks=tuple(trace.fallbacks),
        config=tools.config(),
        partition_seq=reader.seq,
        as_of=tools.as_of,
        conflicts=conflicts,
        llm_calls=calls + judged,
        writer=_writer(tools.writer) if by_model and tools.writer else None,
        sources=shares(hits, evidence, checked, shelf) if is_collection else (),
        timings_ms=trace.timings_ms,
    )


def _vocabulary(
    question: str, shelf: Bookshelf, index: SearchIndex, reader: PartitionReader, tools: Tools
) -> PartitionVocabulary:
    """The words of the partition, for a question that may be misspelt."""
    probe = Probe(question, index, reader, tools.encoder, tools.query_terms)
    return PartitionVocabulary(probe, tools.analyse, lambda passage: shelf.text(shelf.place(index, passage)))


def _retrieve(asked: Interpretation, probe: Probe, shelf: Bookshelf, tools: Tools, trace: Trace) -> list[Hit]:
    """The best passages; a record that is short enough is read whole."""
    if probe.index.sentences <= tools.skip_retrieval_sentences:
        trace.fallback("read_whole_record", probe.index.size)
        # The order of the record is no ranking, so all have the first rank.
        return [
            Hit(p, 1, 0.0, tuple(Place(*place) for place in probe.index.places(p))) for p in range(probe.index.size)
        ]

    # A method that takes in whole notes has its own way with documents.
    takes_turns = probe.reader.scope.kind == "collection" and tools.per_document > 0 and tools.method.expand is None

    def ranked(narrowed: Probe) -> list[Hit]:
        text_of = lambda p: shelf.text(shelf.place(probe.index, p))  # noqa: E731
        wanted = deeper(tools.search) if takes_turns else tools.search
        found = search(narrowed, tools.method, wanted, tools.reranker, text_of, trace.fallback)
        return spread(found, tools.search.top_k) if takes_turns else found

    if tools.search.rerank == "fused" and not tools.encoder.token_dims:
        trace.fallback("no_token_vectors")
    hits = ranked(probe)
    if asked.story:
        hits += ranked(probe.asking(asked.story))
    inside = [d.key for d in probe.index.documents if d.time and d.time.date.startswith(asked.period)]
    if asked.period and inside:
        # What was written in the period that the question names is looked at in any case.
        hits += ranked(probe.restricted(probe.index.of_documents(inside)))
    return list({hit.passage: hit for hit in reversed(hits)}.values())[::-1]


def _with_dated(
    hits: list[Hit], asked: Interpretation, want: Wanted, focus: Focus, probe: Probe, trace: Trace
) -> list[Hit]:
    """Beside the ranking, for the latest or first of something, the passages at that end of the record that name it."""
    is_carried = bool(asked.period and want.drugs)  # a dose goes on until it is changed
    if not (asked.kind in ("latest", "first") or is_carried) or len(hits) == probe.index.size:
        return hits
    if probe.index.size > MOST_PASSAGES:
        trace.fallback("ends_of_the_record_not_searched")
        return hits
    held = focus.holders(probe.holding, want.words)
    if held is None:
        return hits
    end: End = "first" if asked.kind == "first" else "latest"
    found = at_the_end(probe.index, held, end, AT_THE_END, len(hits), asked.period)
    known = {hit.passage for hit in hits}
    return hits + [hit for hit in found if hit.passage not in known]


def _score(
    asked: Interpretation,
    focus: Focus,
    hits: Sequence[Hit],
    shelf: Bookshelf,
    probe: Probe,
    tools: Tools,
    trace: Trace,
) -> list[Scored]:
    """Every sentence of the passages with its relevance."""
    found = candidates(hits, shelf, probe, tools.encoder, focus.coverage, _preference(asked))
    scored, unseen = score(asked.query, found, tools.reranker(), load_grades(), probe.reader.scope)
    if unseen:
        trace.fallback("not_cross_encoded", unseen)
    return scored


def _preference(asked: Interpretation) -> Preference:
    """Where a sentence that stands in several documents is cited from."""
    if asked.kind == "latest":
        return lambda document: document.sort_key
    return lambda document: (
        "1" if asked.period and document.time and document.time.date.startswith(asked.period) else ""
    )


def _focus(asked: Interpretation, probe: Probe, tools: Tools) -> Focus:
    """The question's focus words, or all its words if it has none, put to this partition."""
    return Focus(asked.focus or tuple(asked.query.lower().split()), tools.analyse, probe.idf, probe.has_akin)


def _by_model(
    asked: Interpretation, evidence: Sequence[Evidence], shelf: Bookshelf, probe: Probe, tools: Tools, trace: Trace
) -> tuple[tuple[AnswerSentence, ...], int]:
    """What the model wrote and its sources bear out, and the number of calls; nothing without a model or evidence."""
    if tools.writer is None or not evidence:
        return (), 0
    if tools.writer.is_remote:
        trace.fallback("evidence_sent_to_another_machine", len(evidence))

    def failures(drafts: Sequence[Draft]) -> list[str]:
        return ["" if s.verified else _why(s) for s in verify(align(drafts, evidence, shelf))]

    def described(item: Evidence) -> str:
        info = shelf.info(item.key)
        return ", ".join(
            part for part in (info.time.date if info.time else "undated", info.note_type or info.title) if part
        )

    whom = "a patient" if probe.reader.scope.kind == "patient" else "medicine"
    writer = Writer(tools.writer, whom, tools.answer_words, probe.count_tokens, described, failures, trace.fallback)
    with trace.stage("model"):
        drafts = writer.write(asked, evidence)
        checked = _repair(verify(align(drafts, evidence, shelf)), trace)
    if not checked:
        trace.fallback("answered_by_rules")
    return checked, writer.calls


def _judged(
    question: str, checked: Sequence[AnswerSentence], tools: Tools, trace: Trace
) -> tuple[tuple[AnswerSentence, ...], int]:
    """What a judge says of each sentence shown, and the number of calls. It lifts nothing and drops nothing."""
    if tools.judge is None or not checked:
        return tuple(checked), 0
    if tools.judge.is_remote:
        trace.fallback("evidence_sent_to_another_machine", len(checked))
    with trace.stage("judge"):
        return judge_sentences(tools.judge, question, checked, trace.fallback)


def _why(sentence: AnswerSentence) -> str:
    """Why a sentence did not pass, for the model that wrote it."""
    vetoes = [f"{veto.get('kind', '')}: {veto.get('why', '')}" for veto in sentence.vetoes]
    return "; ".join(vetoes) or sentence.why or "not borne out by its sources"


def _writer(model: ChatModel) -> Mapping[str, Any]:
    return {"by": "model", "model": model.name, "remote": model.is_remote}


def _repair(checked: Sequence[AnswerSentence], trace: Trace) -> tuple[AnswerSentence, ...]:
    """The one bounded repair of the rules way: a sentence that its citations do not carry is dropped, visibly."""
    kept = tuple(s for s in checked if s.verified)
    if len(kept) < len(checked):
        trace.fallback("dropped_not_verified", len(checked) - len(kept))
    return kept


def _searched(
    documents: Sequence[DocumentInfo], index: SearchIndex, asked: Interpretation, missing: tuple[str, ...]
) -> Searched:
    dated = [d.time.date for d in documents if d.time]
    return Searched(
        documents=len(documents),
        passages=index.size,
        first=dated[0] if dated else None,
        last=dated[-1] if dated else None,
        terms=asked.focus,
        missing=missing,
        undated=len(documents) - len(dated),
    )


def _why_not(
    asked: Interpretation,
    documents: Sequence[DocumentInfo],
    scored: Sequence[Scored],
    missing: Sequence[str],
    drafts: Sequence[object],
) -> Reason:
    """Nothing is called unmentioned while the record has any of the words that were asked for."""
    if not documents or not scored:
        return "empty_record"
    if drafts:
        return "not_verified"
    known = [word for word in asked.focus if word not in missing]
    return "weak_evidence" if known or not asked.focus else "not_mentioned"
