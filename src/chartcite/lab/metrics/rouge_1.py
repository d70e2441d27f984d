"""ROUGE-1: shared words; F1, best over the references (Lin, 2004, section 2).

`F1 = 2 * shared / (words of the answer + words of the reference)`, shared with multiplicity. See `lab/rouge.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.rouge import Tokens, rouge
from chartcite.lab.text_scores import against_best


@dataclass(frozen=True, slots=True)
class Rouge1:
    """Needs text. `tokens`: `unicode`, or `ascii` as the library has them.

    >>> found = Rouge1().measure({"1": ["Why was warfarin stopped?"]}, {"1": "warfarin was stopped"})
    >>> round(found["rouge_1"].value, 4)
    0.8571
    """

    tokens: Tokens = "unicode"
    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("rouge_score",)

    @property
    def name(self) -> str:
        """`rouge_1`."""
        return "rouge_1"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return f"rouge-score, rouge1, F1, {self.tokens} words, no stemmer"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return against_best(self.name, gold, predicted, partial(rouge, "rouge1", tokens=self.tokens))


METRIC = Rouge1
