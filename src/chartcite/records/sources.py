"""A sentence as the source of an entry."""

from __future__ import annotations

from chartcite.core.stored import DocumentInfo
from chartcite.core.unseen import seen
from chartcite.records.entries import Source

_FINAL = ("", "current", "final")


def source_at(info: DocumentInfo, sentence: int, start: int, end: int, text: str) -> Source:
    """The sentence `[start, end)` of a document with this text."""
    written = info.time.date if info.time else ""
    status = info.status if info.status not in _FINAL else ""
    stored = text[start:end]
    quote = seen(stored)
    return Source(
        info.key,
        info.doc_id,
        sentence,
        start,
        end,
        written,
        info.note_type,
        quote,
        info.sha256,
        status,
        stored if quote is not stored else "",
    )
