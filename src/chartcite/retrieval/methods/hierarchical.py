"""Passages vote for their notes, and the best notes go in whole (paper 000, `RAG HIR`, with 3, 5 or 7 parents)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum

from chartcite.core.retrieval import Hit, SearchSettings
from chartcite.retrieval.budget import Budget
from chartcite.retrieval.methods.hybrid import rank
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.taken import Parts, taken_in

__all__ = ["expand", "rank"]


def expand(hits: Sequence[Hit], probe: Probe, settings: SearchSettings, budget: Budget) -> list[Hit]:
    """The `parents` best notes, each with all its passages as the text runs.

    A note that does not fit into the budget is passed over, and the next one gets its chance.
    """
    found: list[tuple[int, Parts]] = []
    seen: set[int] = set()
    parents = 0
    for document, vote in votes(hits, probe):
        passages = [p for p in probe.passages_of(document) if p not in seen]
        if parents == settings.parents:
            break
        if not budget.takes(passages):
            continue
        parents += 1
        seen.update(passages)
        found += [(passage, {"parent": (parents, vote)}) for passage in passages]
    return taken_in(found, hits, probe)


def votes(hits: Sequence[Hit], probe: Probe) -> list[tuple[int, float]]:
    """Documents with the sum of 1 / rank over their hits, best first, ties in the order of the record.

    A text that stands in n documents gives each an n-th: what is copied from note to note speaks for none of them.
    """
    parts: dict[int, list[float]] = defaultdict(list)
    for hit in hits:
        documents = dict.fromkeys(place.document for place in hit.places)
        for document in documents:
            parts[document].append(1.0 / hit.rank / len(documents))
    order = {document.key: n for n, document in enumerate(probe.index.documents)}
    total = {document: fsum(shares) for document, shares in parts.items()}
    return sorted(total.items(), key=lambda pair: (-pair[1], order[pair[0]]))
