"""Each hit with the passages before and after it in its note: a finding and the sentence that explains it."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.core.retrieval import Hit, SearchSettings
from chartcite.retrieval.budget import Budget
from chartcite.retrieval.methods.hybrid import rank
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.taken import Parts, taken_in

__all__ = ["expand", "rank"]


def expand(hits: Sequence[Hit], probe: Probe, settings: SearchSettings, budget: Budget) -> list[Hit]:
    """Hits in order of rank, each between its neighbours; of a text with several places, where it was said first.

    Hits go in before any neighbour does, so that a small budget costs neighbours, not hits.
    """
    kept = [hit for hit in hits if budget.takes([hit.passage])]
    seen = {hit.passage for hit in kept}
    found: list[tuple[int, Parts]] = []
    for hit in kept:
        passages = probe.passages_of(hit.places[0].document)
        at = passages.index(hit.passage)
        around = passages[max(0, at - settings.neighbours) : at + settings.neighbours + 1]
        for passage in around:
            if passage == hit.passage:
                found.append((passage, {}))
            elif passage not in seen and budget.takes([passage]):
                seen.add(passage)
                found.append((passage, {"neighbour": (hit.rank, hit.score)}))
    return taken_in(found, hits, probe)
