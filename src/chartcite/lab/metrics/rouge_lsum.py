"""ROUGE-Lsum: the longest common subsequence of words, taken sentence by sentence; F1, best over the references.

Lin (2004), section 3.2 (union of subsequences); a word counts no more often than both sides have it. **A sentence is a
line**: texts of one line each give plain ROUGE-L, and where line ends stand changes the figure. See `lab/rouge.py`.
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
class RougeLsum:
    """Needs text. `tokens`: `unicode`, or `ascii` as the library has them.

    >>> found = RougeLsum().measure({"1": ["Why was warfarin stopped?"]}, {"1": "warfarin was stopped"})
    >>> round(found["rouge_lsum"].value, 4)
    0.5714
    """

    tokens: Tokens = "unicode"
    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("rouge_score",)

    @property
    def name(self) -> str:
        """`rouge_lsum`."""
        return "rouge_lsum"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        return f"rouge-score, rougeLsum, F1, {self.tokens} words, no stemmer, a line is a sentence"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return against_best(self.name, gold, predicted, partial(rouge, "rougeLsum", tokens=self.tokens))


METRIC = RougeLsum
