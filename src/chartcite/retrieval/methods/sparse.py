"""One list: the dot product of a learned sparse encoder's weights. It needs the setting `sparse`."""

from __future__ import annotations

from chartcite.retrieval.probe import Probe, Scored

NEEDS_SPARSE = True


def rank(probe: Probe, depth: int) -> dict[str, list[Scored]]:
    """The `depth` best passages.

    Raises:
        NotConfigured: no sparse encoder is set.
    """
    return {"sparse": probe.sparse_best(depth)}
