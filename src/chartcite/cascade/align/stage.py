"""Alignment as a stage: by a model where one was asked for, else by the rules. Links are claims; the check decides."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.align.given import align_given
from chartcite.cascade.align.likeness import Likeness
from chartcite.cascade.align.llm import Auditor
from chartcite.cascade.align.rules import align, cited
from chartcite.cascade.describe import described, whom
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.write.draft import Draft
from chartcite.core.answer import Citation, Evidence

Aligned = list[tuple[str, tuple[Citation, ...]]]
"""Answer sentences with their citations."""


def aligned_by_rules(drafts: Sequence[Draft], evidence: Sequence[Evidence], inquiry: Inquiry) -> Aligned:
    """Each draft with what it quotes or what its writer named."""
    return align(drafts, evidence, inquiry.shelf)


def aligned_by_model(drafts: Sequence[Draft], evidence: Sequence[Evidence], inquiry: Inquiry) -> Aligned | None:
    """Each draft with the sources that a model found for it; None where none was asked or its replies were none.

    What a sentence quotes stays its first source. A sentence that the model links to nothing keeps its writer's
    sources, which is counted.
    """
    texts = [draft.text for draft in drafts]
    found = _links(texts, evidence, inquiry)
    if found is None:
        return None
    made: Aligned = []
    for draft, own in zip(drafts, found, strict=True):
        links = (draft.evidence, *(e for e in own if e is not draft.evidence)) if draft.is_quote else own
        made.append((draft.text, cited(links or draft.sources, inquiry.shelf)))
    if unlinked := sum(not own and not draft.is_quote for draft, own in zip(drafts, found, strict=True)):
        inquiry.trace.fallback("aligned_by_rules", unlinked)
    return made


def given_aligned(texts: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> Aligned:
    """A caller's own sentences with the evidence that states them, perhaps none."""
    found = _links(texts, evidence, inquiry)
    links = found if found is not None else _by_likeness(texts, evidence, inquiry)
    return [(text, cited(own, inquiry.shelf)) for text, own in zip(texts, links, strict=True)]


def _by_likeness(texts: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> list[tuple[Evidence, ...]]:
    tools = inquiry.tools
    likeness = Likeness(tools.analyse, tools.query_terms, tools.encoder, tools.reranker())
    links = align_given(texts, [e.quote for e in evidence], likeness)
    return [tuple(evidence[link.unit] for link in own) for own in links]


def _links(texts: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> list[tuple[Evidence, ...]] | None:
    """What a model links each sentence to; None without one, or when it gave nothing that can be used, as is told."""
    how, trace = inquiry.tools.by_model, inquiry.trace
    conversation = inquiry.conversation("align", "align", how.vote_temperature if how.votes > 1 else None)
    if conversation is None or not texts or not evidence:
        return None
    if conversation.chat.is_remote:
        trace.fallback("evidence_sent_to_another_machine", len(evidence))
    auditor = Auditor(
        conversation, whom(inquiry), how.examples, lambda item: described(item, inquiry), how.votes, how.votes_needed
    )
    found = auditor.links([" ".join(text.split()) for text in texts], evidence)
    if found is None:
        trace.fallback("aligned_by_rules", len(texts))
    return found
