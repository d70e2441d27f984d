"""BERTScore F1: each token's best likeness on the other side, by a model's contextual vectors; best reference.

`P` is the mean over the prediction's tokens of the highest cosine with a token of the reference, `R` the other way
round, `F = 2 P R / (P + R)`, rescaled `(F - b) / (1 - b)` by the model's baseline b (Zhang et al., *BERTScore*, ICLR
2020; no idf weights). `bertscore:FOLDER` names an ONNX export whose first output is the hidden state of the layer used,
with `bertscore.json`: `{"model": "distilbert-base-uncased", "layer": 4, "baseline": 0.7}` (null: not rescaled).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.model_folders import read_card, token_vectors
from chartcite.lab.text_scores import against_best, without

NEEDS = "needs a model: bertscore:FOLDER (docs/lab.md)"


class BertScoreCard(BaseModel):
    """What `bertscore.json` says. `baseline`: of F, for rescaling."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    model: str = Field(min_length=1)
    layer: int = Field(ge=1)
    baseline: float | None = Field(ge=0, lt=1)


@dataclass(frozen=True, slots=True)
class BertScore:
    """Needs text."""

    folder: str = ""
    needs: ClassVar[Needs] = "text"

    @property
    def name(self) -> str:
        """`bertscore`."""
        return "bertscore"

    @property
    def form(self) -> str:
        """Which model, which layer, rescaled or not."""
        if not self.folder:
            return f"no figure: {NEEDS}"
        card = self.card
        return f"BERTScore F1, {card.model}, layer {card.layer}, {'' if card.baseline is not None else 'not '}rescaled"

    @property
    def card(self) -> BertScoreCard:
        """What the folder says of itself."""
        return read_card(self.folder, "bertscore.json", BertScoreCard)

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        if not self.folder:
            return without(self.name, gold, NEEDS)
        card, model = self.card, token_vectors(self.folder)
        return against_best(
            self.name, gold, predicted,
            lambda text, ref: bertscore(_tokens(model, text), _tokens(model, ref), card.baseline),
        )  # fmt: skip


def bertscore(ours: Any, theirs: Any, baseline: float | None = None) -> float:
    """F from token vectors, float [n_tokens, dims] each, special tokens left out; 0 where a side has none."""
    if not len(ours) or not len(theirs):
        return 0.0
    mine, others = (x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12) for x in (ours, theirs))
    likeness = mine @ others.T
    precision, recall = float(likeness.max(axis=1).mean()), float(likeness.max(axis=0).mean())
    f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return f if baseline is None else (f - baseline) / (1 - baseline)


def _tokens(model: Any, text: str) -> Any:
    """Without the special tokens at both ends, which the paper's library weighs with 0."""
    return model.hidden(text)[1:-1]


METRIC = BertScore
