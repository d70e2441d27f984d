"""Checked: sentences with their citations, as they may be shown. What does not pass is dropped, visibly.

The one place where what cascade writes and links meets verification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chartcite.cascade.align.rules import cited
from chartcite.cascade.align.stage import aligned_by_model, aligned_by_rules, given_aligned
from chartcite.cascade.conversation import Conversation
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.trace import Trace
from chartcite.cascade.write.around import sources_around
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.rules import statement
from chartcite.cascade.write.stage import by_model
from chartcite.core.answer import AnswerSentence, Evidence, Interpretation
from chartcite.verification.answers import judge_sentences, verify, without_idle
from chartcite.verification.orders import reads_like_an_order

Sentences = tuple[AnswerSentence, ...]


def written_by_model(
    conversation: Conversation, asked: Interpretation, evidence: Sequence[Evidence], inquiry: Inquiry
) -> tuple[Sentences, Sentences]:
    """What the model wrote and its sources bear out, and what only the notes do; what fails was given back once."""

    def failures(drafts: Sequence[Draft]) -> list[str]:
        return ["" if s.verified else _why(s) for s in verify(aligned_by_rules(drafts, evidence, inquiry))]

    with inquiry.trace.stage("model"):
        drafts = by_model(conversation, asked, evidence, failures, inquiry)
    checked = _checked(drafts, evidence, inquiry)
    lenient = _lenient([s.text for s in checked if not s.verified], evidence, inquiry)
    shown = _verified(checked, inquiry.trace)
    if not shown:
        inquiry.trace.fallback("answered_by_rules")
    return shown, lenient


def quoted(drafts: Sequence[Draft], evidence: Sequence[Evidence], inquiry: Inquiry) -> Sentences:
    """What the rules wrote and its sources bear out."""
    return _verified(_checked(drafts, evidence, inquiry), inquiry.trace)


def computed(drafts: Sequence[Draft], inquiry: Inquiry) -> Sentences:
    """What was computed from the timeline and its sources bear out; in place of other sentences, their sources.

    As much of it as the word limit lets through, but one sentence in any case.
    """
    trace = inquiry.trace
    with trace.stage("verify"):
        found = [sentence for draft in drafts for sentence in _computed(draft, inquiry)]
    shown = list({(s.text, s.citations): s for s in found if s.verified}.values())
    if dropped := sum(not s.verified for s in found):
        trace.fallback("dropped_not_verified", dropped)
    fitting = _fitting(shown, inquiry.tools.answer_words)
    if len(fitting) < len(shown):
        trace.fallback("answer_is_incomplete", len(shown) - len(fitting))
    return fitting


def _computed(draft: Draft, inquiry: Inquiry) -> Sequence[AnswerSentence]:
    checked = verify([(draft.text, cited(draft.sources, inquiry.shelf))])
    if draft.is_quote:
        return checked
    if checked[0].verified:
        return [replace(checked[0], places=draft.places, computed=draft.computed)]
    inquiry.trace.fallback("quoted_not_computed")
    return verify([(statement(e), cited((e,), inquiry.shelf)) for e in draft.sources])


def _fitting(sentences: Sequence[AnswerSentence], limit_words: int) -> Sentences:
    left, kept = limit_words, list[AnswerSentence]()
    for sentence in sentences:
        words = len(sentence.text.split())
        if words <= left or not kept:
            kept.append(sentence)
            left -= words
    return tuple(kept)


def _lenient(dropped: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> Sentences:
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


def given_checked(texts: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> Sentences:
    """The caller's own sentences, linked to evidence and checked; all of them are kept, with what the check says."""
    with inquiry.trace.stage("align"):
        aligned = given_aligned(texts, evidence, inquiry)
    with inquiry.trace.stage("verify"):
        checked = tuple(verify(aligned))
    if unverified := sum(not s.verified for s in checked):
        inquiry.trace.fallback("given_sentences_not_verified", unverified)
    return checked


def judged(question: str, checked: Sequence[AnswerSentence], inquiry: Inquiry) -> Sentences:
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


def _verified(checked: Sequence[AnswerSentence], trace: Trace) -> Sentences:
    """The sentences that pass; what does not is dropped and counted."""
    kept = tuple(s for s in checked if s.verified)
    if len(kept) < len(checked):
        trace.fallback("dropped_not_verified", len(checked) - len(kept))
    return kept


def tell_orders(shown: Sequence[AnswerSentence], trace: Trace) -> None:
    """Name the sentences shown that cite what reads like an order to a model."""
    if orders := sum(any(reads_like_an_order(c.quote) for c in s.citations) for s in shown):
        trace.fallback("quotes_an_order", orders)
