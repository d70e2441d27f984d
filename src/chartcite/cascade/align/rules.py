"""Alignment by rules: an answer sentence is linked to all kept evidence that has its words, in their order.

Conservative: a sentence that quotes is linked to what it quotes, and to evidence elsewhere that says the same words.
One that a model wrote is linked to the sources that it named, and the verification checks whether they bear it out.
"""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.write.draft import Draft
from chartcite.core.answer import Citation, Evidence, TableHead
from chartcite.core.documents import Span, text_sha256
from chartcite.core.unseen import seen
from chartcite.retrieval.candidates import Bookshelf
from chartcite.text.columns import under
from chartcite.text.quoting import as_statement

MAX_LINKS = 3


def align(
    drafts: Sequence[Draft], evidence: Sequence[Evidence], shelf: Bookshelf
) -> list[tuple[str, tuple[Citation, ...]]]:
    """Each draft's text with its citations, the quoted sentence first."""
    return [(d.text, cited(_links(d, evidence), shelf)) for d in drafts]


def cited(links: Sequence[Evidence], shelf: Bookshelf) -> tuple[Citation, ...]:
    """Citations of the evidence that a sentence is linked to."""
    return tuple(_citation(e, shelf) for e in links)


def _links(draft: Draft, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    if not draft.is_quote:
        return draft.sources
    same = [e for e in evidence if e is not draft.evidence and _words(draft.text) in _words(as_statement(e.quote))]
    return [draft.evidence, *same][:MAX_LINKS]


def _words(text: str) -> str:
    return " " + " ".join(text.casefold().rstrip(".").split()) + " "


def _citation(evidence: Evidence, shelf: Bookshelf) -> Citation:
    document = shelf.document(evidence.key)
    head = shelf.head(evidence.key, evidence.sentence)
    return Citation(
        doc_id=evidence.doc_id,
        sentence=evidence.sentence,
        start=evidence.start,
        end=evidence.end,
        quote=document.text[evidence.start : evidence.end],
        title=document.title,
        note_type=document.note_type,
        time=document.time.text if document.time else None,
        page=document.page_at(evidence.start),
        sha256=text_sha256(document.text),
        section=evidence.section,
        same_text=evidence.same_text,
        bibliography=document.bibliography,
        boxes=document.boxes_of(evidence.start, evidence.end),
        head=_table_head(document.text, head, evidence) if head else None,
        ocr_confidence=document.words.confidence_of(evidence.start, evidence.end),
    )


def _table_head(text: str, head: Span, evidence: Evidence) -> TableHead:
    said, row = text[slice(*head)], text[evidence.start : evidence.end]
    found = under(seen(said), seen(row))
    pairs = ((said[slice(*pair.head)], row[slice(*pair.cell)]) for pair in found.cells) if found else ()
    return TableHead(head.start, head.end, said, tuple(pairs))
