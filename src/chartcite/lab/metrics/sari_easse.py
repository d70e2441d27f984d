"""SARI as the library EASSE computes it; between 0 and 1.

The mean over n = 1..4 and over keep, add and delete *F1*, each pooled over counts, where 0/0 counts as 0 (Alva-Manchego
et al., *EASSE: Easier Automatic Sentence Simplification Evaluation*, EMNLP 2019; SARI: Xu et al., 2016). Averaged over
cases here; EASSE pools the counts of a corpus. The other family, `sari_evaluate`, gives other figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.sari import Operations, Revision, operations
from chartcite.lab.text_scores import against_all


@dataclass(frozen=True, slots=True)
class SariEasse:
    """Needs revision.

    >>> gold = {"1": Revision("The smoker denies new pain.", ("The smoker denies pain.",))}
    >>> round(SariEasse().measure(gold, {"1": "The smoker denies pain."})["sari_easse"].value, 4)
    0.8333
    """

    needs: ClassVar[Needs] = "revision"
    libraries: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    @property
    def name(self) -> str:
        """`sari_easse`."""
        return "sari_easse"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return "SARI as EASSE: 0/0 is 0, deletion by F1, 13a tokens in lower case; mean over cases"

    def measure(self, gold: Mapping[str, Revision], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against all its references."""
        return against_all(self.name, gold, predicted, lambda text, one: sari_easse(one.source, text, one.references))


def sari_easse(source: str, predicted: str, references: Sequence[str]) -> float:
    """SARI of one text."""
    return sum(map(_order, operations(source, predicted, references))) / 4


def _order(o: Operations) -> float:
    """Mean of the three parts for one n."""
    keep = _f1((o.kept & o.to_keep).total(), o.kept.total(), o.to_keep.total())
    delete = _f1((o.deleted & o.to_delete).total(), o.deleted.total(), o.to_delete.total())
    add = _f1(len(o.added & o.to_add), len(o.added), len(o.to_add))
    return (keep + delete + add) / 3


def _f1(right: int, ours: int, theirs: int) -> float:
    return 2 * right / (ours + theirs) if right else 0.0


METRIC = SariEasse
