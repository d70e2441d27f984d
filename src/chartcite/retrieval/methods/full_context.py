"""The whole record in time order, or the newest notes that a budget allows: what retrieval is measured against."""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.core.retrieval import Hit, SearchSettings
from chartcite.retrieval.budget import Budget
from chartcite.retrieval.methods.hybrid import rank
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.taken import taken_in

__all__ = ["expand", "rank"]


def expand(hits: Sequence[Hit], probe: Probe, _settings: SearchSettings, budget: Budget) -> list[Hit]:
    """Every passage, oldest note first; a hit keeps its ranks in the lists. A note goes in whole or not at all."""
    notes: list[list[int]] = []
    seen: set[int] = set()
    for document in reversed(probe.index.documents):  # newest first: the budget goes to them
        passages = [p for p in probe.passages_of(document.key) if p not in seen]
        if passages and budget.takes(passages):
            seen.update(passages)
            notes.append(passages)
    return taken_in([(passage, {}) for note in reversed(notes) for passage in note], hits, probe)
