"""NLI consistency: how probable is it that the prediction does *not* contradict the reference? Best reference.

Premise is the reference, hypothesis the prediction; the figure is 1 minus the probability of contradiction, which is
paper 000's "factual consistency". `nli_consistency:FOLDER` names an ONNX model of inference (docs/models.md, grounder)
whose labels include `contradiction`. A pair longer than the model reads has no figure: a part is not the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.nli import Nli


@dataclass(frozen=True, slots=True)
class NliConsistency(Nli):
    """See `Nli`."""

    called: ClassVar[str] = "nli_consistency"
    label: ClassVar[str] = "contradiction"
    inverted: ClassVar[bool] = True


METRIC = NliConsistency
