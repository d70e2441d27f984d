"""One list: BM25."""

from __future__ import annotations

from chartcite.retrieval.probe import Probe, Scored


def rank(probe: Probe, depth: int) -> dict[str, list[Scored]]:
    """The `depth` best passages."""
    return {"lexical": probe.lexical_best(depth)}
