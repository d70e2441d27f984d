"""Second corridor, question to answer: interpret, retrieve, score, write, align, verify. Reads top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chartcite.cascade.align.rules import cited
from chartcite.cascade.align.stage import aligned_by_model, aligned_by_rules, given_aligned
from chartcite.cascade.balance import shares
from chartcite.cascade.conflicts import find_conflicts
from chartcite.cascade.conversation import Conversation
from chartcite.cascade.evidence import as_given, chosen
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.stage import interpreted
from chartcite.cascade.passages import passages
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.score.stage import graded
from chartcite.cascade.statements import wanted
from chartcite.cascade.tools import Tools
from chartcite.cascade.trace import Trace
from chartcite.cascade.write.around import sources_around
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.rules import write
from chartcite.cascade.write.stage import answer_first, by_model
from chartcite.core.answer import Answer, AnswerSentence, Evidence, Interpretation, Reason, Searched
from chartcite.core.chat import ChatModel
from chartcite.core.given import NOTHING_GIVEN, Given
from chartcite.core.retrieval import Hit
from chartcite.index.port import SearchIndex
from chartcite.retrieval.candidates import Bookshelf
from chartcite.store.reader import PartitionReader
from chartcite.verification.answers import judge_sentences, verify, without_idle
from chartcite.verification.disagreements import disagreements
from chartcite.verification.findings import between_documents

__all__ = ["Tools", "Trace", "answer"]


def answer(
    question: str, narrative: str, reader: PartitionReader, index: SearchIndex, tools: Tools,
    given: Given = NOTHING_GIVEN,
) -> Answer:  # fmt: skip
    """Answer a question from one partition, or say why not and what was searched."""
    trace = Trace(tools.listener)
    shelf = Bookshelf(reader, index.documents)
    inquiry = Inquiry(reader, index, shelf, tools, trace)
    with trace.stage("interpret"):
        asked = interpreted(question, narrative, inquiry, given.query)
    probe = inquiry.probe(asked.query)
    focus, want = inquiry.focus(asked, probe), wanted(asked.query)
    hits, scored = list[Hit](), list[Scored]()
    if given.evidence is None:
        with trace.stage("retrieve"):
            hits = passages(asked, want, focus, probe, inquiry)
        with trace.stage("score"):
            scored = graded(asked, focus, hits, probe, inquiry)
    if probe.cut:
        trace.fallback("query_cut", probe.cut)
    with trace.stage("select"):
        evidence = (
            as_given(given.evidence, inquiry)
            if given.evidence is not None
            else chosen(asked, scored, want, focus, inquiry, answerable=_known_to_answer(question, asked, given, tools))
        )
    writer = inquiry.conversation("write", "writer") if evidence and given.sentences is None else None
    drafts, checked, lenient = list[Draft](), tuple[AnswerSentence, ...](), tuple[AnswerSentence, ...]()
    if given.sentences is not None:
        checked = _of_given(given.sentences, evidence, inquiry)
    if writer is not None:
        with trace.stage("model"):
            named = answer_first(asked, scored, evidence, inquiry) if given.evidence is None else evidence
        checked, lenient = _by_model(writer, asked, named, inquiry)
        evidence = named if checked else evidence
    is_by_model = bool(checked) and writer is not None
    if not checked and given.sentences is None:
        with trace.stage("write"):
            drafts = write(
                asked, evidence, tools.answer_words, tools.order, trace.fallback, by_document=inquiry.takes_turns
            )
        checked = _repair(_checked(drafts, evidence, inquiry), trace)
    trace.shown(checked)
    checked = _judged(question, checked, inquiry)
    with trace.stage("conflicts"):
        disagree = between_documents if inquiry.is_collection else disagreements
        conflicts = find_conflicts(
            checked, scored, shelf, probe, tools.encoder, disagree, is_collection=inquiry.is_collection
        )
    return Answer(
        question=question,
        query=asked.query,
        scope=reader.scope,
        kind=asked.kind,
        sentences=checked,
        evidence=tuple(evidence),
        searched=_searched(index, asked, focus.missing),
        reason=None
        if checked
        else _why_not(asked, focus.missing, drafts, has_sentences=bool(scored or given.evidence is not None)),
        fallbacks=tuple(trace.fallbacks),
        config=tools.config(),
        partition_seq=reader.seq,
        as_of=tools.as_of,
        conflicts=conflicts,
        writer=_writer(writer.chat) if writer is not None and is_by_model else None,
        sources=shares(hits, evidence, checked, shelf) if inquiry.is_collection else (),
        timings_ms=trace.timings_ms,
        lenient=lenient,
    )


def _known_to_answer(question: str, asked: Interpretation, given: Given, tools: Tools) -> str:
    """What is asked, where the caller knows that the record answers it: as a person put it, unless a query stands."""
    if not given.answerable:
        return ""
    return question if question.strip() and given.query is None and tools.query_from == "both" else asked.query


def _by_model(
    conversation: Conversation, asked: Interpretation, evidence: Sequence[Evidence], inquiry: Inquiry
) -> tuple[tuple[AnswerSentence, ...], tuple[AnswerSentence, ...]]:
    """What the model wrote and its sources bear out, and what only the notes do; what fails was given back once."""

    def failures(drafts: Sequence[Draft]) -> list[str]:
        return ["" if s.verified else _why(s) for s in verify(aligned_by_rules(drafts, evidence, inquiry))]

    with inquiry.trace.stage("model"):
        drafts = by_model(conversation, asked, evidence, failures, inquiry)
    checked = _checked(drafts, evidence, inquiry)
    lenient = _lenient([s.text for s in checked if not s.verified], evidence, inquiry)
    shown = _repair(checked, inquiry.trace)
    if not shown:
        inquiry.trace.fallback("answered_by_rules")
    return shown, lenient


def _lenient(dropped: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> tuple[AnswerSentence, ...]:
    """Of sentences that their evidence does not bear out, those that other sentences of the same notes do."""
    if not inquiry.tools.by_model.sees_record:
        return ()
    links = sources_around(dropped, evidence, inquiry)
    linked = [(text, cited(own, inquiry.shelf)) for text, own in zip(dropped, links, strict=True)]
    return tuple(s for s in verify(linked) if s.verified)


def _checked(drafts: Sequence[Draft], evidence: Sequence[Evidence], inquiry: Inquiry) -> list[AnswerSentence]:
    """The drafts with their citations, checked; links of a model that do not bear a sentence out give way."""
    trace = inquiry.trace
    with trace.stage("align"):
        by_rules = aligned_by_rules(drafts, evidence, inquiry)
        linked = aligned_by_model(drafts, evidence, inquiry)
    with trace.stage("verify"):
        if linked is None:
            checked = verify(by_rules)
            return checked if all(d.is_quote for d in drafts) else _without_idle(checked, trace)
        checked = verify(linked)
        own = {n: verify(by_rules[n : n + 1])[0] for n, s in enumerate(checked) if not s.verified}
        better = {n: s for n, s in own.items() if s.verified}
    if better:
        trace.fallback("aligned_by_rules", len(better))
    return _without_idle([better.get(n, s) for n, s in enumerate(checked)], trace)


def _without_idle(checked: Sequence[AnswerSentence], trace: Trace) -> list[AnswerSentence]:
    """What a model wrote or linked, without citations that do nothing."""
    kept = [without_idle(sentence) for sentence in checked]
    if idle := sum(len(s.citations) for s in checked) - sum(len(s.citations) for s in kept):
        trace.fallback("citations_without_use", idle)
    return kept


def _of_given(texts: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> tuple[AnswerSentence, ...]:
    """The caller's own sentences, linked to evidence and checked; all of them are kept, with what the check says."""
    with inquiry.trace.stage("align"):
        aligned = given_aligned(texts, evidence, inquiry)
    with inquiry.trace.stage("verify"):
        checked = tuple(verify(aligned))
    if unverified := sum(not s.verified for s in checked):
        inquiry.trace.fallback("given_sentences_not_verified", unverified)
    return checked


def _judged(question: str, checked: Sequence[AnswerSentence], inquiry: Inquiry) -> tuple[AnswerSentence, ...]:
    """The same with what a judge says of each sentence shown. It lifts nothing and drops nothing."""
    judge, trace = inquiry.tools.judge, inquiry.trace
    if judge is None or not checked:
        return tuple(checked)
    if judge.is_remote:
        trace.fallback("evidence_sent_to_another_machine", len(checked))
    with trace.stage("judge"):
        return judge_sentences(judge, question, checked, trace.fallback, inquiry.tools.judge_record)


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


def _why_not(asked: Interpretation, missing: Sequence[str], drafts: Sequence[object], *, has_sentences: bool) -> Reason:
    """Nothing is called unmentioned while the record has any of the words that were asked for."""
    if not has_sentences:
        return "empty_record"
    if drafts:
        return "not_verified"
    known = [word for word in asked.focus if word not in missing]
    return "weak_evidence" if known or not asked.focus else "not_mentioned"
