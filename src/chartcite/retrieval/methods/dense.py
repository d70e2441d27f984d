"""One list: cosine with the query's vector."""

from __future__ import annotations

from chartcite.retrieval.probe import Probe, Scored


def rank(probe: Probe, depth: int) -> dict[str, list[Scored]]:
    """The `depth` best passages."""
    return {"dense": probe.dense_best(depth)}
