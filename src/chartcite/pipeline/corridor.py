"""Second corridor, question to answer: interpret, retrieve, score, write, align, verify. Reads top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from chartcite.cascade.balance import shares
from chartcite.cascade.conflicts import find_conflicts
from chartcite.cascade.evidence import as_given, chosen
from chartcite.cascade.focus import Focus
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.stage import interpreted
from chartcite.cascade.over_time.stage import OverTimeDrafts, over_time_drafts
from chartcite.cascade.passages import passages
from chartcite.cascade.presence.stage import FoundPresence, presence_of
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.score.stage import graded
from chartcite.cascade.statements import wanted
from chartcite.cascade.tools import Tools
from chartcite.cascade.trace import Trace
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.rules import write
from chartcite.cascade.write.stage import answer_first
from chartcite.core.answer import Answer, AnswerSentence, Evidence, Interpretation, Reason, Searched
from chartcite.core.chat import ChatModel
from chartcite.core.given import NOTHING_GIVEN, Given
from chartcite.core.presence import Presence
from chartcite.core.retrieval import Hit
from chartcite.core.unseen import seen
from chartcite.index.port import SearchIndex
from chartcite.pipeline.checked import computed, given_checked, judged, quoted, tell_orders, written_by_model
from chartcite.pipeline.copies import with_copies
from chartcite.pipeline.scans import tell_scans
from chartcite.retrieval.candidates import Bookshelf
from chartcite.retrieval.probe import Probe
from chartcite.store.reader import PartitionReader
from chartcite.verification.disagreements import disagreements
from chartcite.verification.findings import between_documents


class Found(NamedTuple):
    """Passages read, their sentences graded, and what of them may be used; or what the timeline tells."""

    hits: Sequence[Hit]
    scored: Sequence[Scored]
    evidence: Sequence[Evidence]
    presence: Presence | None = None
    told: OverTimeDrafts | None = None


class Said(NamedTuple):
    """Sentences that may be shown, with the evidence they were made of; what only the notes around bear out.

    `writer` is the model that wrote them; None: the rules or the caller did.
    """

    sentences: tuple[AnswerSentence, ...]
    evidence: Sequence[Evidence]
    lenient: tuple[AnswerSentence, ...] = ()
    writer: ChatModel | None = None
    drafts: Sequence[Draft] = ()


def answer(
    question: str, narrative: str, reader: PartitionReader, index: SearchIndex, tools: Tools,
    given: Given = NOTHING_GIVEN,
) -> Answer:  # fmt: skip
    """Answer a question from one partition, or say why not and what was searched."""
    asked_as, question, narrative = question, seen(question), seen(narrative)
    trace = Trace(tools.listener)
    inquiry = Inquiry(reader, index, Bookshelf(reader, index.documents), tools, trace)
    with trace.stage("interpret"):
        asked = interpreted(question, narrative, inquiry, given.query)
    probe = inquiry.probe(asked.query)
    focus = inquiry.focus(asked, probe)
    found = _found(question, narrative, asked, focus, probe, given, inquiry)
    if asked.is_open_range and found.told is None:  # what the timeline tells is of the time asked about
        trace.fallback("time_range_not_applied")
    said = _said(asked, found, given, inquiry)
    tell_orders(said.sentences, trace)
    trace.shown(said.sentences)
    checked = with_copies(judged(question, said.sentences, inquiry), inquiry)
    tell_scans(checked, trace)
    with trace.stage("conflicts"):
        conflicts = _conflicts(checked, found, probe, inquiry)
    is_known = found.presence is not None or found.told is not None
    has_sentences = bool(found.scored) or given.evidence is not None or is_known
    return Answer(
        question=asked_as,
        query=asked.query,
        scope=reader.scope,
        kind=asked.kind,
        sentences=checked,
        evidence=tuple(said.evidence),
        searched=_searched(index, asked, focus.missing),
        reason=None if checked else _why_not(asked, focus.missing, said.drafts, found, has_sentences=has_sentences),
        fallbacks=tuple(trace.fallbacks),
        config=tools.config(),
        partition_seq=reader.seq,
        as_of=tools.as_of,
        conflicts=conflicts,
        writer=_writer(said.writer) if said.writer is not None else None,
        sources=shares(found.hits, said.evidence, checked, inquiry.shelf) if inquiry.is_collection else (),
        timings_ms=trace.timings_ms,
        lenient=said.lenient,
        lang=asked.lang,
        presence=found.presence,
    )


def _found(
    question: str, narrative: str, asked: Interpretation, focus: Focus, probe: Probe, given: Given, inquiry: Inquiry
) -> Found:  # fmt: skip
    """What the timeline tells; else retrieve, score, select; or the evidence that the caller gave."""
    trace, want = inquiry.trace, wanted(asked.query)
    if given.evidence is not None:
        with trace.stage("select"):
            return Found((), (), as_given(given.evidence, inquiry))
    with trace.stage("select"):
        known = _presence(question, asked, probe, given, inquiry)
    if known is not None:
        return Found((), (), known.evidence, known.presence)
    with trace.stage("timeline"):
        told = _told(question, narrative, asked, given, inquiry)
    if told is not None:
        return Found((), (), told.evidence, told=told)
    with trace.stage("retrieve"):
        hits = passages(asked, want, focus, probe, inquiry)
    with trace.stage("score"):
        scored = graded(asked, focus, hits, probe, inquiry)
    if probe.cut:
        trace.fallback("query_cut", probe.cut)
    answerable = _known_to_answer(question, asked, given, inquiry.tools)
    with trace.stage("select"):
        return Found(hits, scored, chosen(asked, scored, want, focus, inquiry, answerable=answerable))


def _conflicts(
    checked: tuple[AnswerSentence, ...], found: Found, probe: Probe, inquiry: Inquiry
) -> tuple[Mapping[str, Any], ...]:  # fmt: skip
    """What of the sentences found may say otherwise; of a presence every sentence that does is counted already.

    Not of an allergy: `No known drug allergies` denies each of them and names none.
    """
    if found.presence is not None and found.presence.about != "allergy":
        return ()
    disagree = between_documents if inquiry.is_collection else disagreements
    return find_conflicts(
        checked, found.scored, inquiry.shelf, probe, inquiry.tools.encoder, disagree,
        is_collection=inquiry.is_collection,
    )  # fmt: skip


def _presence(
    question: str, asked: Interpretation, probe: Probe, given: Given, inquiry: Inquiry
) -> FoundPresence | None:  # fmt: skip
    """Whether something is in the record, where that is the question, as a person put it, and nobody knows."""
    if given.answerable or given.query is not None or not inquiry.index.size:
        return None
    return presence_of(question, asked, probe, inquiry)


def _told(
    question: str, narrative: str, asked: Interpretation, given: Given, inquiry: Inquiry
) -> OverTimeDrafts | None:  # fmt: skip
    """What the timeline tells of a question over time, in its person's own words."""
    said = given.query if given.query is not None else f"{question}\n\n{narrative}".strip()
    return over_time_drafts(said, asked, inquiry) if given.sentences is None else None


def _said(asked: Interpretation, found: Found, given: Given, inquiry: Inquiry) -> Said:
    """Write, align, verify: by the model, and by the rules where it gave nothing; or the caller's sentences."""
    trace, tools = inquiry.trace, inquiry.tools
    if given.sentences is not None:
        return Said(given_checked(given.sentences, found.evidence, inquiry), found.evidence)
    if found.told is not None:
        return Said(computed(found.told.drafts, inquiry), found.evidence, drafts=found.told.drafts)
    writer = inquiry.conversation("write", "writer") if found.evidence else None
    lenient: tuple[AnswerSentence, ...] = ()
    if writer is not None:
        with trace.stage("model"):
            named = (
                found.evidence
                if given.evidence is not None or found.presence is not None
                else answer_first(asked, found.scored, found.evidence, inquiry)
            )
        checked, lenient = written_by_model(writer, asked, named, inquiry)
        if checked:
            return Said(checked, named, lenient, writer.chat)
    with trace.stage("write"):
        drafts = write(
            asked, found.evidence, tools.answer_words, tools.order, trace.fallback, by_document=inquiry.takes_turns
        )
    return Said(quoted(drafts, found.evidence, inquiry), found.evidence, lenient, drafts=drafts)


def _known_to_answer(question: str, asked: Interpretation, given: Given, tools: Tools) -> str:
    """What is asked, where the caller knows that the record answers it: as a person put it, unless a query stands."""
    if not given.answerable:
        return ""
    return question if question.strip() and given.query is None and tools.query_from == "both" else asked.query


def _writer(model: ChatModel) -> Mapping[str, Any]:
    return {"by": "model", "model": model.name, "remote": model.is_remote}


def _searched(index: SearchIndex, asked: Interpretation, missing: tuple[str, ...]) -> Searched:
    documents = index.documents
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
    asked: Interpretation, missing: Sequence[str], drafts: Sequence[object], found: Found, *, has_sentences: bool
) -> Reason:
    """Nothing is called unmentioned while the record has any of the words that were asked for."""
    if not has_sentences:
        return "empty_record"
    if drafts:
        return "not_verified"
    if found.presence is not None:
        return "not_mentioned"
    if found.told is not None:
        return "nothing_then"
    known = [word for word in asked.focus if word not in missing]
    return "weak_evidence" if known or not asked.focus else "not_mentioned"
