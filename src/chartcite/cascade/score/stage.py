"""Scoring as a stage: every sentence of the passages with its relevance, best first."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.focus import Focus
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.score.grades import load_grades
from chartcite.cascade.score.rules import Scored, score
from chartcite.core.answer import Interpretation
from chartcite.core.retrieval import Hit
from chartcite.retrieval.candidates import Preference, candidates
from chartcite.retrieval.probe import Probe


def graded(asked: Interpretation, focus: Focus, hits: Sequence[Hit], probe: Probe, inquiry: Inquiry) -> list[Scored]:
    """Every distinct sentence of the passages, graded."""
    tools = inquiry.tools
    found = candidates(hits, inquiry.shelf, probe, tools.encoder, focus.coverage, _preference(asked))
    scored, unseen = score(asked.query, found, tools.reranker(), load_grades(), inquiry.reader.scope)
    if unseen:
        inquiry.trace.fallback("not_cross_encoded", unseen)
    return scored


def _preference(asked: Interpretation) -> Preference:
    """Where a sentence that stands in several documents is cited from."""
    if asked.kind == "latest":
        return lambda document: document.sort_key
    return lambda document: (
        "1" if asked.period and document.time and document.time.date.startswith(asked.period) else ""
    )
