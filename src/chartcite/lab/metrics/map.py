"""Mean average precision: precision at the rank of each relevant document, averaged over *all* relevant ones.

`AP = (1 / |relevant|) * sum of precision@rank(d) over the relevant documents d that were retrieved`
(Buckley and Voorhees, SIGIR 2000; trec_eval's `map`). Relevant documents that were not retrieved add 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.ranking import Judgements, Scores, checked_depth, gains, relevant_count, score_queries


@dataclass(frozen=True, slots=True)
class Map:
    """Needs rankings. `k`: the cut-off rank; None for the whole ranking."""

    k: int | None = None
    needs: ClassVar[Needs] = "ranking"

    @property
    def name(self) -> str:
        """`map`, or `map@100`."""
        return "map" if self.k is None else f"map@{checked_depth(self.k)}"

    def measure(self, gold: Mapping[str, Judgements], predicted: Mapping[str, Scores]) -> Measured:
        """Score each query of the qrels."""
        return score_queries(self.name, gold, predicted, self._score)

    def _score(self, judged: Judgements, ranked: list[str]) -> float:
        found, total = 0, 0.0
        for rank, gain in enumerate(gains(judged, ranked, self.k), start=1):
            if gain:
                found += 1
                total += found / rank
        return total / relevant_count(judged)


METRIC = Map
