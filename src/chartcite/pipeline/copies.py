"""Where else in its record a cited sentence stands: what is copied forward is not of the day of its copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chartcite.cascade.inquiry import Inquiry
from chartcite.core.answer import AnswerSentence, Citation
from chartcite.records.copies import Copies


def with_copies(sentences: Sequence[AnswerSentence], inquiry: Inquiry) -> tuple[AnswerSentence, ...]:
    """The sentences with `also_in` of each citation; those of a collection as they are."""
    if inquiry.is_collection or not sentences:
        return tuple(sentences)
    copies = Copies(inquiry.reader)
    keys = {info.doc_id: info.key for info in inquiry.index.documents}
    return tuple(
        replace(one, citations=tuple(_found(c, keys.get(c.doc_id), copies, inquiry) for c in one.citations))
        for one in sentences
    )


def _found(citation: Citation, key: int | None, copies: Copies, inquiry: Inquiry) -> Citation:
    unit = (
        next((s for s in inquiry.shelf.sentences(key) if s.n == citation.sentence), None) if key is not None else None
    )
    if key is None or unit is None:
        return citation
    text = inquiry.shelf.document(key).text
    return replace(citation, also_in=copies.of(key, text[unit.start : unit.end], unit))
