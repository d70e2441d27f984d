"""Reciprocal rank fusion.

Cormack, Clarke & Büttcher (2009), *Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods*;
with an optional weight a list: score(d) = sum over lists of weight / (k + rank), ranks from 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", int, str)


def reciprocal_rank_fusion(
    lists: Sequence[Sequence[Item]], k: int = 60, weights: Sequence[float] | None = None
) -> list[tuple[Item, float]]:
    """Fuse ranked lists; best first, equal scores in order of the item.

    An item missing from a list adds nothing; an item twice in one list counts once, at its best rank, and those after
    it move up. The order of the lists changes nothing, not even the last bit (the sums are exact).

    >>> reciprocal_rank_fusion([["a", "b"], ["b"]], k=60)[0]
    ('b', 0.03252247488101534)
    """
    shares: dict[Item, list[float]] = {}
    for ranked, weight in zip(lists, weights or [1.0] * len(lists), strict=True):
        for rank, item in enumerate(dict.fromkeys(ranked), start=1):
            shares.setdefault(item, []).append(weight / (k + rank))
    scores: Mapping[Item, float] = {item: math.fsum(parts) for item, parts in shares.items()}
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
