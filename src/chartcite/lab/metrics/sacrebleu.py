"""BLEU as the library `sacrebleu` computes it: smoothed sentence BLEU by case, and the corpus figure as reported.

Post, *A Call for Clarity in Reporting BLEU Scores*, WMT 2018. By case: exponential smoothing and only the n-grams that
the text is long enough for; `sacrebleu.corpus`: counts of all cases pooled. Not `bleu`, which does not smooth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.corpus_scores import by_sacrebleu
from chartcite.lab.extras import need
from chartcite.lab.measured import Measured, Needs


@dataclass(frozen=True, slots=True)
class SacreBleu:
    """Needs text.

    >>> gold = {"1": ["Warfarin was stopped for bleeding."]}
    >>> round(SacreBleu().measure(gold, {"1": "Warfarin was stopped."})["sacrebleu"].value, 4)
    0.3875
    """

    needs: ClassVar[Needs] = "text"
    libraries: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    @property
    def name(self) -> str:
        """`sacrebleu`."""
        return "sacrebleu"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        version = need("sacrebleu").__version__
        return f"BLEU by sacrebleu {version}: exponential smoothing, by case effective order, 13a tokens, case kept"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against all its references, and the corpus."""
        metrics = need("sacrebleu.metrics")
        return by_sacrebleu(self.name, gold, predicted, metrics.BLEU(effective_order=True), metrics.BLEU())


METRIC = SacreBleu
