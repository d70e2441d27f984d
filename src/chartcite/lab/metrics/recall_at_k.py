"""Recall@k: which share of the relevant documents is among the first k.

`recall@k = |relevant in the first k| / |relevant|` (Manning, Raghavan and Schütze 2008, eq. 8.2; trec_eval's
`recall_k`). For questions with one relevant document it equals hit@k.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.ranking import Judgements, Scores, checked_depth, gains, relevant_count, score_queries


@dataclass(frozen=True, slots=True)
class RecallAtK:
    """Needs rankings. `k`: the cut-off rank.

    >>> RecallAtK(2).measure({"q": {"a": 1, "b": 1}}, {"q": {"a": 0.9, "x": 0.8, "b": 0.7}})["recall@2"].value
    0.5
    """

    k: int = 5
    needs: ClassVar[Needs] = "ranking"

    @property
    def name(self) -> str:
        """`recall@5`."""
        return f"recall@{checked_depth(self.k)}"

    def measure(self, gold: Mapping[str, Judgements], predicted: Mapping[str, Scores]) -> Measured:
        """Score each query of the qrels."""
        return score_queries(self.name, gold, predicted, self._score)

    def _score(self, judged: Judgements, ranked: list[str]) -> float:
        return sum(g > 0 for g in gains(judged, ranked, self.k)) / relevant_count(judged)


METRIC = RecallAtK
