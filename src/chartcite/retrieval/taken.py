"""What an expansion took in, as hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chartcite.core.retrieval import Hit, Place
from chartcite.retrieval.probe import Probe

Parts = Mapping[str, tuple[int, float]]


def taken_in(found: Sequence[tuple[int, Parts]], hits: Sequence[Hit], probe: Probe) -> list[Hit]:
    """Passages in their new order. A hit keeps its score and its ranks in the lists; what was no hit scores 0."""
    old = {hit.passage: hit for hit in hits}
    made = []
    for rank, (passage, parts) in enumerate(found, start=1):
        hit = old.get(passage)
        places = hit.places if hit else tuple(Place(*place) for place in probe.index.places(passage))
        made.append(Hit(passage, rank, hit.score if hit else 0.0, places, {**(hit.parts if hit else {}), **parts}))
    return made
