"""ROUGE-2: shared pairs of neighbouring words; F1, best over the references (Lin, 2004, section 2).

As ROUGE-1, over pairs. See `lab/rouge.py`.
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
class Rouge2:
    """Needs text. `tokens`: `unicode`, or `ascii` as the library has them.

    >>> found = Rouge2().measure({"1": ["Why was warfarin stopped?"]}, {"1": "Why was warfarin given?"})
    >>> round(found["rouge_2"].value, 4)
    0.6667
    """

    tokens: Tokens = "unicode"
    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("rouge_score",)

    @property
    def name(self) -> str:
        """`rouge_2`."""
        return "rouge_2"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return f"rouge-score, rouge2, F1, {self.tokens} words, no stemmer"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return against_best(self.name, gold, predicted, partial(rouge, "rouge2", tokens=self.tokens))


METRIC = Rouge2
