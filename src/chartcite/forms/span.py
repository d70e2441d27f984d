"""A question to a span: the shortest part of a cited, verified sentence that answers; a slice of its document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chartcite.cascade.describe import described, whom
from chartcite.cascade.span.kinds import wants
from chartcite.cascade.span.llm import Extractor
from chartcite.cascade.span.rules import cut
from chartcite.cascade.tools import Tools
from chartcite.core.answer import Answer, Evidence
from chartcite.core.documents import Span
from chartcite.core.spans import SpanAnswer, SpanSort
from chartcite.core.unseen import look
from chartcite.forms.base import Base, begin
from chartcite.index.port import SearchIndex
from chartcite.store.reader import PartitionReader


@dataclass(frozen=True, slots=True)
class _Found:
    evidence: Evidence
    span: Span | None
    sort: SpanSort
    by: Literal["rules", "model"] = "rules"


def span(question: str, reader: PartitionReader, index: SearchIndex, tools: Tools) -> SpanAnswer:
    """The span, or why there is none. What a model copied is taken only if it stands in the source that it names."""
    base = begin(question, reader, index, tools)
    found = None if _hangs_on_an_event(base) else _by_model(base) or _by_rules(base)
    if found is None:
        return SpanAnswer(
            question=question, doc_id=None, start=None, end=None, text=None, sort=None, citation=None,
            reason=base.answer.reason or "weak_evidence", **base.common(),
        )  # fmt: skip
    stored = base.inquiry.shelf.document(found.evidence.key).text
    place = _place(found.evidence, found.span, stored)
    return SpanAnswer(
        question=question,
        doc_id=found.evidence.doc_id,
        start=place.start,
        end=place.end,
        text=stored[place.start : place.end],
        sort=found.sort,
        citation=base.cite(found.evidence),
        reason=None,
        by=found.by,
        **base.common(),
    )


def _hangs_on_an_event(base: Base) -> bool:
    """Whether the time asked of is that of an event whose day is unknown, or after it: the evidence is of any time."""
    is_open = base.is_undated or bool(base.after)
    if is_open:
        base.inquiry.trace.fallback("time_of_the_event_not_applied")
    return is_open


def _by_rules(base: Base) -> _Found | None:
    kind = wants(base.question, base.want)
    best = _cited_first(base.answer)
    for evidence in best:
        if found := cut(evidence.quote, kind, base.want, base.read.focus):
            return _Found(evidence, found, kind)
    if not best:
        return None
    base.inquiry.trace.fallback("sentence_shown_whole")
    return _Found(best[0], None, "sentence")


def _by_model(base: Base) -> _Found | None:
    inquiry = base.inquiry
    conversation = inquiry.conversation("span", "extractor")
    evidence = base.answer.evidence
    if conversation is None or not evidence:
        return None
    if conversation.chat.is_remote:
        inquiry.trace.fallback("evidence_sent_to_another_machine", len(evidence))
    extractor = Extractor(
        conversation, whom(inquiry), inquiry.tools.by_model.examples, lambda item: described(item, inquiry)
    )
    copied = extractor.extract(base.question, evidence)
    if copied is None:
        inquiry.trace.fallback("answered_by_rules")
        return None
    return _Found(copied.evidence, copied.span, "copied", "model")


def _cited_first(base: Answer) -> list[Evidence]:
    """The evidence that the answer cites, the most useful first; of dated statements the first alone."""
    cited = {(c.doc_id, c.start, c.end) for c in base.citations}
    found = [e for e in base.evidence if (e.doc_id, e.start, e.end) in cited]
    return found[:1] if found and found[0].kept in ("stated", "timeline") else found


def _place(evidence: Evidence, found: Span | None, stored: str) -> Span:
    """In the document; the whole sentence without white space around it, where no part was found."""
    quote = evidence.quote
    shown = found or Span(len(quote) - len(quote.lstrip()), len(quote.rstrip()))
    at = look(stored[evidence.start : evidence.end]).span(shown)
    return Span(evidence.start + at.start, evidence.start + at.end)
