"""Writing by a model as a stage: what it is shown, and the check that its sentences are sent back with."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.write.draft import Draft
from chartcite.cascade.write.llm import Check, Writer
from chartcite.core.answer import Evidence, Interpretation
from chartcite.core.chat import ChatModel
from chartcite.retrieval.probe import Probe


def by_model(
    chat: ChatModel, asked: Interpretation, evidence: Sequence[Evidence], probe: Probe, check: Check, inquiry: Inquiry
) -> list[Draft]:
    """The model's sentences with the sources that they name; empty when it gave none that can be used."""
    trace, shelf = inquiry.trace, inquiry.shelf
    if chat.is_remote:
        trace.fallback("evidence_sent_to_another_machine", len(evidence))

    def described(item: Evidence) -> str:
        info = shelf.info(item.key)
        return ", ".join(
            part for part in (info.time.date if info.time else "undated", info.note_type or info.title) if part
        )

    whom = "medicine" if inquiry.is_collection else "a patient"
    writer = Writer(chat, whom, inquiry.tools.answer_words, probe.count_tokens, described, check, trace.fallback)
    return writer.write(asked, evidence)
