"""NLI consistency: how probable is it that the prediction does *not* contradict the reference? Best reference.

Premise is the reference, hypothesis the prediction; the figure is 1 minus the probability of contradiction, which is
paper 000's "factual consistency". `nli_consistency:FOLDER` names an ONNX model of inference (docs/models.md, grounder)
whose labels include `contradiction`. A pair longer than the model reads has no figure: a part is not the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from chartcite.core.errors import ModelRefused
from chartcite.lab.measured import Measured, Needs
from chartcite.lab.model_folders import inference
from chartcite.lab.text_scores import against_best, without

NEEDS = "needs a model of inference: nli_consistency:FOLDER (docs/lab.md)"


@dataclass(frozen=True, slots=True)
class NliConsistency:
    """Needs text."""

    folder: str = ""
    needs: ClassVar[Needs] = "text"

    @property
    def name(self) -> str:
        """`nli_consistency`."""
        return "nli_consistency"

    @property
    def form(self) -> str:
        """What exactly is computed."""
        if not self.folder:
            return f"no figure: {NEEDS}"
        return f"1 minus the probability of contradiction, reference to prediction, by {Path(self.folder).name}"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references.

        Raises:
            ModelRefused: the model has no label `contradiction`.
        """
        if not self.folder:
            return without(self.name, gold, NEEDS)
        return against_best(self.name, gold, predicted, self._score)

    def _score(self, text: str, reference: str) -> float | None:
        found = inference(self.folder).probabilities(text, reference)
        if found is None:
            return None
        if "contradiction" not in found:
            raise ModelRefused("The model of inference has no label contradiction.", "Name it in chartcite.json.")
        return 1 - found["contradiction"]


METRIC = NliConsistency
