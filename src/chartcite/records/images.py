"""How sure the words of an entry were read, where its document came from an image."""

from __future__ import annotations

from dataclasses import replace

from chartcite.core.documents import Document
from chartcite.records.entries import Source
from chartcite.records.findings import DocumentFindings, Findings


def with_confidence(found: DocumentFindings, document: Document) -> DocumentFindings:
    """The findings of a document, with the confidence of each source's least sure word, if it has one."""
    if not document.words.blocks:
        return found
    return replace(found, by_order={order: _marked(one, document) for order, one in found.by_order.items()})


def _marked(found: Findings, document: Document) -> Findings:
    def seen(source: Source) -> Source:
        return replace(source, ocr_confidence=document.words.confidence_of(source.start, source.end))

    return replace(
        found,
        values=tuple(replace(one, source=seen(one.source)) for one in found.values),
        doses=tuple(replace(one, source=seen(one.source)) for one in found.doses),
        conditions=tuple(replace(one, source=seen(one.source)) for one in found.conditions),
        procedures=tuple(replace(one, source=seen(one.source)) for one in found.procedures),
    )
