"""Writing by a model as a stage: what it is shown, and the check that its sentences are sent back with."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.conversation import Conversation
from chartcite.cascade.describe import described, whom
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.selection import as_evidence
from chartcite.cascade.write.around import notes_around
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.llm import Check, Writer
from chartcite.core.answer import Evidence, Interpretation


def by_model(
    conversation: Conversation, asked: Interpretation, evidence: Sequence[Evidence], check: Check, inquiry: Inquiry
) -> list[Draft]:
    """The model's sentences with the sources that they name; empty when it gave none that can be used."""
    if conversation.chat.is_remote:
        inquiry.trace.fallback("evidence_sent_to_another_machine", len(evidence))
    record = notes_around(evidence, inquiry) if inquiry.tools.by_model.sees_record else ()
    return _writer(conversation, inquiry, record).write(asked, evidence, check)


def answer_first(
    asked: Interpretation, scored: Sequence[Scored], evidence: Sequence[Evidence], inquiry: Inquiry
) -> list[Evidence]:
    """The evidence anew: what several drafts of an answer from all graded sentences name, and corrections in any case.

    Without a model, without evidence, or when no draft names anything, the evidence stays as it is.
    """
    how, trace = inquiry.tools.by_model, inquiry.trace
    conversation = inquiry.conversation("write", "writer", how.vote_temperature if how.drafts > 1 else None)
    if conversation is None or not how.drafts or not evidence:
        return list(evidence)
    places = {(e.key, e.start) for e in evidence}
    more = [s for s in scored if (s.candidate.document, s.candidate.start) not in places]
    pool = [*evidence, *(as_evidence(s, "cited", inquiry.shelf) for s in more)]
    if conversation.chat.is_remote:
        trace.fallback("evidence_sent_to_another_machine", len(pool))
    found = _writer(conversation, inquiry, ()).cited_by_drafts(asked, pool, how.drafts)
    if not found:
        trace.fallback("drafts_named_no_source")
        return list(evidence)
    return [*found, *(e for e in evidence if e.kept == "correction" and not any(e is own for own in found))]


def _writer(conversation: Conversation, inquiry: Inquiry, record: Sequence[str]) -> Writer:
    tools = inquiry.tools
    return Writer(
        conversation, whom(inquiry), tools.answer_words, tools.by_model.examples,
        lambda item: described(item, inquiry), record,
    )  # fmt: skip
