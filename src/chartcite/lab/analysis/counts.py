"""How many items a rule finds: the count, its share of those that could be judged, and an interval.

Wilson's interval where every item is a cluster of its own; where several hang together, whole clusters are resampled
(percentiles, seeded), because items of one patient are not independent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chartcite.lab.statistics.bootstrap import paired_bootstrap
from chartcite.lab.statistics.proportion import wilson


@dataclass(frozen=True, slots=True)
class Count:
    """`found` of `n` that could be judged; `undefined` could not. `by`: how the interval was made."""

    found: int
    n: int
    undefined: int
    share: float | None
    low: float | None
    high: float | None
    clusters: int
    by: str
    reason: str = ""


def count(
    judged: Mapping[str, bool | None], clusters: Mapping[str, str], *, level: float = 0.95, seed: int = 0
) -> Count:
    """Count what a rule says of each item; None is undefined.

    Args:
        judged: by item.
        clusters: by item, what it hangs together with; an item without one is its own cluster.
        level: of the interval.
        seed: of the resampling.
    """
    known = {item: float(found) for item, found in judged.items() if found is not None}
    undefined, found = len(judged) - len(known), int(sum(known.values()))
    own = {item: clusters.get(item) or f"\0{item}" for item in known}
    groups = len(set(own.values()))
    if groups == len(known):
        p = wilson(found, len(known), level=level)
        return Count(found, len(known), undefined, p.value, p.low, p.high, groups, "wilson", p.reason)
    spread = paired_bootstrap(known, dict.fromkeys(known, 0.0), own, level=level, seed=seed)
    why = "" if spread.low is not None else "a single cluster has no spread"
    share = found / len(known)
    return Count(found, len(known), undefined, share, spread.low, spread.high, groups, "cluster bootstrap", why)
