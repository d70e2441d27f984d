"""Scoring as a stage: every sentence of the passages with its relevance, best first; by the rules, then by a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chartcite.cascade.conversation import Conversation
from chartcite.cascade.focus import Focus
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.score.grades import load_grades
from chartcite.cascade.score.llm import Line, Scorer
from chartcite.cascade.score.rules import CAP_UNSEEN, Scored, by_relevance, score
from chartcite.cascade.selection import CERTAIN, ENOUGH, ENOUGH_WITH_UNKNOWN_WORDS
from chartcite.core.answer import Interpretation
from chartcite.core.retrieval import Hit
from chartcite.retrieval.candidates import Candidate, Preference, candidates
from chartcite.retrieval.probe import Probe


def graded(asked: Interpretation, focus: Focus, hits: Sequence[Hit], probe: Probe, inquiry: Inquiry) -> list[Scored]:
    """Every distinct sentence of the passages, graded."""
    tools = inquiry.tools
    found = candidates(hits, inquiry.shelf, probe, tools.encoder, focus.coverage, _preference(asked))
    scored, unseen = score(asked.query, found, tools.reranker(), load_grades(), inquiry.reader.scope)
    if unseen:
        inquiry.trace.fallback("not_cross_encoded", unseen)
    conversation = inquiry.conversation("score", "score")
    return _by_model(conversation, asked, scored, inquiry) if conversation and scored else scored


def _by_model(
    conversation: Conversation, asked: Interpretation, scored: Sequence[Scored], inquiry: Inquiry
) -> list[Scored]:
    """The same sentences with the grades of a model; those beyond its number keep the rules' grade, at most 3."""
    trace, most = inquiry.trace, inquiry.tools.by_model.score_most
    seen = sorted(scored[:most], key=lambda s: (s.candidate.order, s.candidate.start))  # as the record runs
    if conversation.chat.is_remote:
        trace.fallback("evidence_sent_to_another_machine", len(seen))
    scorer = Scorer(conversation, "medicine" if inquiry.is_collection else "a patient", inquiry.tools.by_model.examples)
    lines = [Line(_heading(s.candidate, inquiry), " ".join(s.candidate.text.split())) for s in seen]
    grades = scorer.grades(asked.query, asked.said, lines)
    made = [s if grade is None else _with_grade(s, grade) for s, grade in zip(seen, grades, strict=True)]
    rest = [replace(s, relevance=min(s.relevance, CAP_UNSEEN)) for s in scored[most:]]
    if by_rules := grades.count(None) + len(rest):
        trace.fallback("scored_by_rules", by_rules)
    return by_relevance([*made, *rest])


def _with_grade(scored: Scored, grade: int) -> Scored:
    """A sentence with a model's grade, put on the scale of the rules so that selection reads both alike.

    5 is certain, 4 enough even where the record lacks a word, 3 enough where it does not, less is never enough. Among
    sentences of one grade the rules' own points and probability decide.
    """
    least = {5: CERTAIN, 4: ENOUGH_WITH_UNKNOWN_WORDS, 3: ENOUGH}.get(grade, float("-inf"))
    most = {5: float("inf"), 4: CERTAIN, 3: ENOUGH_WITH_UNKNOWN_WORDS}.get(grade, ENOUGH) - 1
    return replace(
        scored, relevance=grade, points=max(least, min(most, scored.points)),
        probability=(grade - 1 + scored.probability) / 5,
    )  # fmt: skip


def _heading(candidate: Candidate, inquiry: Inquiry) -> str:
    info = inquiry.shelf.info(candidate.document)
    parts = (candidate.date or "undated", info.note_type or info.title, candidate.context, candidate.head)
    return ", ".join(" ".join(part.split()) for part in parts if part)


def _preference(asked: Interpretation) -> Preference:
    """Where a sentence that stands in several documents is cited from."""
    if asked.kind == "latest":
        return lambda document: document.sort_key
    return lambda document: (
        "1" if asked.period and document.time and document.time.date.startswith(asked.period) else ""
    )
