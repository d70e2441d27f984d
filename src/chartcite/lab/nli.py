"""Metrics by a model of inference: premise is the reference, hypothesis the prediction, best over the references.

A pair longer than the model reads has no figure: a part is not the whole. Without a model there is none at all.
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


@dataclass(frozen=True, slots=True)
class Nli:
    """The probability of one label as a metric, or 1 less it where `inverted`; needs text. `folder`: the model's."""

    folder: str = ""
    needs: ClassVar[Needs] = "text"
    called: ClassVar[str]
    label: ClassVar[str]
    inverted: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """As the metric's file."""
        return self.called

    @property
    def form(self) -> str:
        """What exactly is computed."""
        if not self.folder:
            return f"no figure: {self._needs}"
        share = f"{'1 less ' if self.inverted else ''}the probability of {self.label}"
        return f"{share}, reference to prediction, by {Path(self.folder).name}"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references.

        Raises:
            ModelRefused: the model has no such label.
        """
        if not self.folder:
            return without(self.name, gold, self._needs)
        return against_best(self.name, gold, predicted, self._score)

    @property
    def _needs(self) -> str:
        return f"needs a model of inference: {self.called}:FOLDER (docs/lab.md)"

    def _score(self, text: str, reference: str) -> float | None:
        found = inference(self.folder).probabilities(text, reference)
        if found is None:
            return None
        if self.label not in found:
            raise ModelRefused(f"The model of inference has no label {self.label}.", "Name it in chartcite.json.")
        return 1 - found[self.label] if self.inverted else found[self.label]
