"""NLI precision: how probable is it that the reference entails the prediction? Best over the references.

Premise is the reference, hypothesis the prediction; the figure is the probability of entailment, which is paper 000's
"factual precision". `nli_precision:FOLDER` names an ONNX model of inference (docs/models.md, grounder) whose labels
include `entailment`. A pair longer than the model reads has no figure: a part is not the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.nli import Nli


@dataclass(frozen=True, slots=True)
class NliPrecision(Nli):
    """See `Nli`."""

    called: ClassVar[str] = "nli_precision"
    label: ClassVar[str] = "entailment"


METRIC = NliPrecision
