"""Mean reciprocal rank: 1 / (rank of the first relevant document), 0 if there is none.

Voorhees, TREC-8 question answering track report (1999), section 4; trec_eval's `recip_rank`. With a cut-off, ranks
beyond `k` count as "none" (MS MARCO's MRR@10). ir-measures breaks ties differently for its RR@k than for its RR;
ours keeps one order, trec_eval's, for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.ranking import Judgements, Scores, checked_depth, gains, score_queries


@dataclass(frozen=True, slots=True)
class Mrr:
    """Needs rankings. `k`: the cut-off rank; None for the whole ranking."""

    k: int | None = None
    needs: ClassVar[Needs] = "ranking"

    @property
    def name(self) -> str:
        """`mrr`, or `mrr@10`."""
        return "mrr" if self.k is None else f"mrr@{checked_depth(self.k)}"

    def measure(self, gold: Mapping[str, Judgements], predicted: Mapping[str, Scores]) -> Measured:
        """Score each query of the qrels."""
        return score_queries(self.name, gold, predicted, self._score)

    def _score(self, judged: Judgements, ranked: list[str]) -> float:
        return next((1 / rank for rank, gain in enumerate(gains(judged, ranked, self.k), start=1) if gain), 0.0)


METRIC = Mrr
