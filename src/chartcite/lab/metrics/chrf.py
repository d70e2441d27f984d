"""chrF2: the F-score of character n-grams up to six, recall weighing twice as much, blanks left out.

`F = 5 * P * R / (4 * P + R)`, P and R the means over n = 1..6 (Popović, *chrF: character n-gram F-score for automatic
MT evaluation*, WMT 2015), as the library `sacrebleu` computes it; `chrf.corpus` pools the counts of all cases.
Sees accents and endings, so it suits Portuguese; says nothing about meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.corpus_scores import by_sacrebleu
from chartcite.lab.extras import need
from chartcite.lab.measured import Measured, Needs


@dataclass(frozen=True, slots=True)
class Chrf:
    """Needs text.

    >>> gold = {"1": ["não há lesões"]}
    >>> round(Chrf().measure(gold, {"1": "não há infecções"})["chrf"].value, 4)
    0.3539
    """

    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    @property
    def name(self) -> str:
        """`chrf`."""
        return "chrf"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return f"chrF2 by sacrebleu {need('sacrebleu').__version__}: characters 1 to 6, no words, letter case kept"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references, and the corpus."""
        scorer = need("sacrebleu.metrics").CHRF()
        return by_sacrebleu(self.name, gold, predicted, scorer, scorer)


METRIC = Chrf
