"""SARI as `evaluate` (Hugging Face, from tensor2tensor) and the ArchEHR-QA script compute it; between 0 and 1.

The mean over n = 1..4 and over keep F1, add F1 and delete *precision*, where 0/0 counts as 1. Keep: precision is the
mean over kept n-grams of the share that the references keep, recall is pooled over counts. Add: n-grams as sets.
Xu et al. (2016); the other family, `sari_easse`, gives other figures. Copying the source scores near .5 here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.prf import harmonic
from chartcite.lab.sari import Operations, Revision, operations
from chartcite.lab.text_scores import against_all


@dataclass(frozen=True, slots=True)
class SariEvaluate:
    """Needs revision.

    >>> gold = {"1": Revision("The smoker denies new pain.", ("The smoker denies pain.",))}
    >>> SariEvaluate().measure(gold, {"1": "The smoker denies pain."})["sari_evaluate"].value
    1.0
    """

    needs: ClassVar[Needs] = "revision"
    libraries: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    @property
    def name(self) -> str:
        """`sari_evaluate`."""
        return "sari_evaluate"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return "SARI as evaluate and ArchEHR-QA: 0/0 is 1, deletion by precision, 13a tokens in lower case"

    def measure(self, gold: Mapping[str, Revision], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against all its references."""
        return against_all(
            self.name, gold, predicted, lambda text, one: sari_evaluate(one.source, text, one.references)
        )


def sari_evaluate(source: str, predicted: str, references: Sequence[str]) -> float:
    """SARI of one text."""
    return sum(map(_order, operations(source, predicted, references))) / 4


def _order(o: Operations) -> float:
    """Mean of the three parts for one n."""
    good, dropped = o.kept & o.to_keep, o.deleted & o.to_delete
    keep_precision = sum(good[g] / o.kept[g] for g in good) / len(o.kept) if o.kept else 1.0
    keep_recall = good.total() / o.to_keep.total() if o.to_keep else 1.0
    delete = sum(dropped[g] / o.deleted[g] for g in dropped) / len(o.deleted) if o.deleted else 1.0
    right = len(o.added & o.to_add)
    add_precision = right / len(o.added) if o.added else 1.0
    add_recall = right / len(o.to_add) if o.to_add else 1.0
    return (harmonic(keep_precision, keep_recall) + delete + harmonic(add_precision, add_recall)) / 3


METRIC = SariEvaluate
