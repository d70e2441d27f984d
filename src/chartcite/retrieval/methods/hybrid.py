"""Two lists to be fused, BM25 and cosine, and a third where a sparse encoder is set."""

from __future__ import annotations

from chartcite.retrieval.methods import dense, lexical, sparse
from chartcite.retrieval.probe import Probe, Scored


def rank(probe: Probe, depth: int) -> dict[str, list[Scored]]:
    """The `depth` best passages of each list."""
    lists = lexical.rank(probe, depth) | dense.rank(probe, depth)
    return lists | sparse.rank(probe, depth) if probe.has_sparse else lists
