"""Method: a first stage, and what it takes in around its hits. One file each in `methods/`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chartcite.core.retrieval import Hit, SearchSettings
from chartcite.retrieval.budget import Budget
from chartcite.retrieval.probe import Probe, Scored

Rank = Callable[[Probe, int], dict[str, list[Scored]]]
Expand = Callable[[Sequence[Hit], Probe, SearchSettings, Budget], list[Hit]]


@dataclass(frozen=True, slots=True)
class Method:
    """What a method's file holds.

    `rank(probe, depth)` gives one or more named lists to be fused; `expand(hits, probe, settings, budget)`, where there
    is one, turns the ranked hits into what goes on: whole notes, neighbours, the whole record.
    """

    rank: Rank
    expand: Expand | None = None
