"""Order of a context: by rank, as found, or by time, as it happened. Every hit keeps its rank."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.core.retrieval import Hit
from chartcite.core.stored import DocumentInfo


def in_time_order(hits: Sequence[Hit], documents: Sequence[DocumentInfo]) -> list[Hit]:
    """Oldest document first, undated before dated, within a document as the text runs.

    Args:
        hits: a text that stands in several documents counts where it was said first.
        documents: of the partition, oldest first.
    """
    number = {document.key: n for n, document in enumerate(documents)}
    return sorted(hits, key=lambda hit: (number[hit.places[0].document], hit.places[0].start, hit.passage))
