"""Fusion of ranked lists: by reciprocal rank, or by a convex combination of scores.

Cormack, Clarke & Büttcher (2009), *Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods*;
with an optional weight a list: score(d) = sum over lists of weight / (k + rank), ranks from 1.

Bruch, Gai & Ingber (2023), *An Analysis of Fusion Functions for Hybrid Retrieval*, eq. 2, with min-max scaling of each
list: score(d) = sum over lists of share * (s - lowest) / (highest - lowest), the shares adding up to 1.
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


def convex_combination(
    lists: Sequence[Sequence[tuple[Item, float]]], weights: Sequence[float] | None = None
) -> list[tuple[Item, float]]:
    """Fuse scored lists; best first, equal scores in order of the item.

    An item missing from a list adds nothing there, and neither does a list's last item unless all are equal. A list of
    equal scores counts in full. The order of the lists changes nothing.

    >>> convex_combination([[("a", 9.0), ("b", 3.0)], [("b", 0.8), ("c", 0.2)]])
    [('a', 0.5), ('b', 0.5), ('c', 0.0)]
    """
    given = list(weights or [1.0] * len(lists))
    whole = math.fsum(w for w, scored in zip(given, lists, strict=True) if scored) or 1.0
    shares: dict[Item, list[float]] = {}
    for scored, weight in zip(lists, given, strict=True):
        best: dict[Item, float] = {}
        for item, score in scored:
            best[item] = max(score, best.get(item, score))
        low, high = min(best.values(), default=0.0), max(best.values(), default=0.0)
        for item, score in best.items():
            scaled = (score - low) / (high - low) if high > low else 1.0
            shares.setdefault(item, []).append(weight / whole * scaled)
    scores: Mapping[Item, float] = {item: math.fsum(parts) for item, parts in shares.items()}
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
