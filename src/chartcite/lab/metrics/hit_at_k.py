"""Hit@k: whether any relevant document is among the first k (1 or 0); the mean is the share of answered queries.

trec_eval's `success_k`. This is the "correct" of a McNemar table of retrieval configurations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.ranking import Judgements, Scores, checked_depth, gains, score_queries


@dataclass(frozen=True, slots=True)
class HitAtK:
    """Needs rankings. `k`: the cut-off rank."""

    k: int = 5
    needs: ClassVar[Needs] = "ranking"

    @property
    def name(self) -> str:
        """`hit@5`."""
        return f"hit@{checked_depth(self.k)}"

    def measure(self, gold: Mapping[str, Judgements], predicted: Mapping[str, Scores]) -> Measured:
        """Score each query of the qrels."""
        return score_queries(self.name, gold, predicted, self._score)

    def _score(self, judged: Judgements, ranked: list[str]) -> float:
        return float(any(gains(judged, ranked, self.k)))


METRIC = HitAtK
