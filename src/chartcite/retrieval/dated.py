"""The newest or oldest passages of a record that hold what was asked for, whatever their rank.

A ranking knows nothing of time: of forty creatinine results the last one is as relevant as the tenth, so that a
question for the latest or first one is not answered by the best twenty passages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from chartcite.core.retrieval import Hit, Place
from chartcite.index.port import SearchIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_PASSAGES = 200_000
"""Of a larger partition the ends are not looked at: it is a collection, whose texts have no course in time."""
End = Literal["latest", "first"]


def at_the_end(
    index: SearchIndex, held: NDArray[np.bool_], end: End, depth: int, after: int, until: str = ""
) -> list[Hit]:
    """The `depth` newest (or oldest) of some passages, from the end inwards; passages without a date are left out.

    Args:
        index: of the partition.
        held: bool [n_passages], those to choose among.
        end: which end of the record.
        depth: how many passages.
        after: the last rank that is taken.
        until: start of an ISO date; what was written later does not count.
    """
    order = {
        d.key: n for n, d in enumerate(index.documents) if d.time and (not until or d.time.date[: len(until)] <= until)
    }
    pick = max if end == "latest" else min
    dated: list[tuple[int, int]] = []
    for passage in np.flatnonzero(held).tolist():
        known = [order[key] for key, _, _ in index.places(passage) if key in order]
        if known:
            dated.append((pick(known), passage))
    dated.sort(key=lambda found: (-found[0] if end == "latest" else found[0], found[1]))
    chosen = [passage for _, passage in dated[:depth]]
    return [
        Hit(p, rank, 0.0, tuple(Place(*x) for x in index.places(p))) for rank, p in enumerate(chosen, start=after + 1)
    ]
