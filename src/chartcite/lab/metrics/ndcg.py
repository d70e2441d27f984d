"""Normalised discounted cumulative gain: graded relevance, discounted by the logarithm of the rank.

`DCG = sum over ranks i of grade_i / log2(i + 1)`; `nDCG = DCG / DCG of the best possible ranking`.
Järvelin and Kekäläinen, ACM TOIS 20(4), 2002, with trec_eval's linear gain and its discount from rank 1 on
(`ndcg`, `ndcg_cut_k`). The ideal ranking holds every judged document, retrieved or not; negative grades count as 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.ranking import Judgements, Scores, checked_depth, gains, score_queries


@dataclass(frozen=True, slots=True)
class Ndcg:
    """Needs rankings. `k`: the cut-off rank; None for the whole ranking."""

    k: int | None = 10
    needs: ClassVar[Needs] = "ranking"

    @property
    def name(self) -> str:
        """`ndcg@10`, or `ndcg`."""
        return "ndcg" if self.k is None else f"ndcg@{checked_depth(self.k)}"

    def measure(self, gold: Mapping[str, Judgements], predicted: Mapping[str, Scores]) -> Measured:
        """Score each query of the qrels."""
        return score_queries(self.name, gold, predicted, self._score)

    def _score(self, judged: Judgements, ranked: list[str]) -> float:
        ideal = sorted((max(grade, 0) for grade in judged.values()), reverse=True)[: self.k]
        return _dcg(gains(judged, ranked, self.k)) / _dcg(ideal)


def _dcg(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))


METRIC = Ndcg
