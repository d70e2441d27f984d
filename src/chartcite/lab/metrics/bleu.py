"""BLEU in the form of `evaluate` and the ArchEHR-QA script: a case is a corpus of one text, no smoothing.

`BLEU = BP * exp(mean over n = 1..4 of log p_n)`, p_n the clipped precision of n-grams, `BP = 1` if the text is longer
than the *shortest* reference, else `exp(1 - r / c)` (Papineni et al., ACL 2002, section 2.3; there r is the closest
length). Without smoothing any p_n of 0, as in every text of fewer than four words, makes the whole 0. Tokens: 13a.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.sari import words
from chartcite.lab.text_scores import against_all


@dataclass(frozen=True, slots=True)
class Bleu:
    """Needs text.

    >>> gold = {"1": ["Warfarin was stopped for bleeding."]}
    >>> round(Bleu().measure(gold, {"1": "Warfarin was stopped for good."})["bleu"].value, 4)
    0.5373
    """

    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    @property
    def name(self) -> str:
        """`bleu`."""
        return "bleu"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return "BLEU as evaluate: by case, up to 4 words, no smoothing, 13a tokens, letter case kept"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against all its references."""
        return against_all(self.name, gold, predicted, bleu)


def bleu(predicted: str, references: Sequence[str]) -> float:
    """BLEU of one text; 0 where a side has no word."""
    tokens = words()
    ours, *theirs = (tokens(text).split() for text in (predicted, *references))
    shortest = min(map(len, theirs))
    if len(ours) < 4 or not shortest:
        return 0.0
    logs = 0.0
    for n in range(1, 5):
        most: Counter[tuple[str, ...]] = Counter()
        for side in theirs:
            most |= _grams(side, n)
        hits = (_grams(ours, n) & most).total()
        if not hits:
            return 0.0
        logs += math.log(hits / (len(ours) - n + 1)) / 4
    return math.exp(logs + min(0.0, 1 - shortest / len(ours)))


def _grams(side: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(side[i:] for i in range(n)), strict=False))


METRIC = Bleu
