"""Token F1 after SQuAD's normalisation: overlap of bags of words, best over the references.

`F1 = 2 * shared / (tokens of the answer + tokens of the reference)`, shared counted with multiplicity
(Rajpurkar et al., EMNLP 2016). If either side is empty: 1 if both are, else 0 (SQuAD 2.0).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.squad import best_of_references, normalised


@dataclass(frozen=True, slots=True)
class TokenF1:
    """Needs text.

    >>> TokenF1().measure({"1": ["warfarin 5 mg"]}, {"1": "5 mg of warfarin"})["token_f1"].value
    0.8571428571428571
    """

    needs: ClassVar[Needs] = "text"

    @property
    def name(self) -> str:
        """`token_f1`."""
        return "token_f1"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return best_of_references(self.name, gold, predicted, _f1)


def _f1(answer: str, reference: str) -> float:
    ours, theirs = normalised(answer).split(), normalised(reference).split()
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * shared / (len(ours) + len(theirs))


METRIC = TokenF1
