"""Evidence as a stage: what of the graded sentences may be used, or what the caller gave in its place."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.align.likeness import Likeness
from chartcite.cascade.balance import balance, titles_last
from chartcite.cascade.focus import Focus
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.score.known import known_evidence
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.selection import STRICT, Pool, as_evidence, select
from chartcite.cascade.statements import Wanted
from chartcite.core.answer import Evidence, Interpretation
from chartcite.core.documents import Sentence
from chartcite.core.errors import UsageError
from chartcite.core.given import GivenEvidence
from chartcite.core.unseen import seen
from chartcite.retrieval.candidates import Bookshelf


def chosen(
    asked: Interpretation,
    scored: Sequence[Scored],
    want: Wanted,
    focus: Focus,
    inquiry: Inquiry,
    *,
    answerable: str = "",
) -> list[Evidence]:
    """The evidence for an answer, most useful first; of a collection, in turns of its documents.

    `answerable`: what is asked, where it is known that there is an answer; else empty.
    """
    if answerable and inquiry.tools.model("score") is None:
        return known(answerable, scored, inquiry)
    right = [s for s in scored if focus.names_the_right_one(s.candidate.said)]
    pool = Pool(right, focus.missing, focus.has, want, lambda text: focus.names(text, want.words))
    evidence = select(asked, pool, inquiry.shelf, inquiry.trace.fallback, answerable=bool(answerable))
    if not inquiry.takes_turns:
        return evidence
    said = titles_last(evidence, lambda key: inquiry.shelf.document(key).title)
    return balance(said, inquiry.tools.per_document)


def known(question: str, scored: Sequence[Scored], inquiry: Inquiry) -> list[Evidence]:
    """Of a text that is known to answer, the sentences that an answer rests on."""
    tools = inquiry.tools
    likeness = Likeness(tools.analyse, tools.query_terms, tools.encoder, tools.reranker())
    found = known_evidence(question, scored, likeness)
    made = [as_evidence(s, "strict" if s.relevance >= STRICT else "lenient", inquiry.shelf) for s in found]
    if any(e.kept == "lenient" for e in made):
        inquiry.trace.fallback("lenient_evidence")
    return made


def as_given(given: Sequence[GivenEvidence], inquiry: Inquiry) -> list[Evidence]:
    """The sentences that the caller named, in his order.

    Raises:
        UsageError: a document is not among those that may be evidence, or has no such sentence or span.
    """
    keys = {d.doc_id: d.key for d in inquiry.index.documents}
    return [_given(item, keys, inquiry.shelf) for item in given]


def _given(item: GivenEvidence, keys: dict[str, int], shelf: Bookshelf) -> Evidence:
    key = keys.get(item.doc_id)
    if key is None:
        raise UsageError(
            "Given evidence names a document that is not there, or may not be used.", "Give doc_ids of this partition."
        )
    document = shelf.document(key)
    unit = _unit(item, shelf.sentences(key))
    start, end = (unit.start, unit.end) if item.start is None or item.end is None else (item.start, item.end)
    if not 0 <= start < end <= len(document.text):
        raise UsageError("A span of given evidence lies outside its document.", "Give code points of its text.")
    return Evidence(
        key=key, doc_id=item.doc_id, sentence=unit.n, start=start, end=end, quote=seen(document.text[start:end]),
        sort_key=document.time.sort_key if document.time else "", relevance=item.relevance,
        probability=(item.relevance - 1) / 4, kept="given", section=unit.section, is_item=unit.kind == "item",
    )  # fmt: skip


def _unit(item: GivenEvidence, sentences: Sequence[Sentence]) -> Sentence:
    """The sentence that is named, or the one in which a span begins."""
    for unit in sentences:
        if unit.n == item.sentence or (item.start is not None and item.start < unit.end):
            return unit
    raise UsageError("Given evidence names a sentence that is not there.", "`chartcite sentences FILE` shows them.")
