"""Two lists, to be fused by reciprocal rank: BM25 and cosine."""

from __future__ import annotations

from chartcite.retrieval.methods import dense, lexical
from chartcite.retrieval.probe import Probe, Scored


def rank(probe: Probe, depth: int) -> dict[str, list[Scored]]:
    """The `depth` best passages of each list."""
    return lexical.rank(probe, depth) | dense.rank(probe, depth)
