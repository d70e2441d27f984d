"""R-precision: precision among the first R documents, where R is the number of relevant ones.

Buckley and Voorhees, SIGIR 2000; trec_eval's `Rprec`. A ranking shorter than R is filled with "not relevant".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.ranking import Judgements, Scores, gains, relevant_count, score_queries


@dataclass(frozen=True, slots=True)
class RPrecision:
    """Needs rankings."""

    needs: ClassVar[Needs] = "ranking"

    @property
    def name(self) -> str:
        """`r_precision`."""
        return "r_precision"

    def measure(self, gold: Mapping[str, Judgements], predicted: Mapping[str, Scores]) -> Measured:
        """Score each query of the qrels."""
        return score_queries(self.name, gold, predicted, self._score)

    def _score(self, judged: Judgements, ranked: list[str]) -> float:
        wanted = relevant_count(judged)
        return sum(g > 0 for g in gains(judged, ranked, wanted)) / wanted


METRIC = RPrecision
