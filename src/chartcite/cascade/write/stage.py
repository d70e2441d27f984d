"""Writing by a model as a stage: what it is shown, and the check that its sentences are sent back with."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.conversation import Conversation
from chartcite.cascade.describe import described, whom
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.llm import Check, Writer
from chartcite.core.answer import Evidence, Interpretation


def by_model(
    conversation: Conversation, asked: Interpretation, evidence: Sequence[Evidence], check: Check, inquiry: Inquiry
) -> list[Draft]:
    """The model's sentences with the sources that they name; empty when it gave none that can be used."""
    if conversation.chat.is_remote:
        inquiry.trace.fallback("evidence_sent_to_another_machine", len(evidence))
    return writer(conversation, inquiry).write(asked, evidence, check)


def writer(conversation: Conversation, inquiry: Inquiry) -> Writer:
    """The writer of one question."""
    tools = inquiry.tools
    return Writer(
        conversation, whom(inquiry), tools.answer_words, tools.by_model.examples, lambda item: described(item, inquiry)
    )
