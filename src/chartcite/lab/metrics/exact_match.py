"""Exact match after SQuAD's normalisation: 1 if the answer equals any reference, else 0 (Rajpurkar et al., 2016)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.squad import best_of_references, normalised


@dataclass(frozen=True, slots=True)
class ExactMatch:
    """Needs text.

    >>> ExactMatch().measure({"1": ["the lisinopril"]}, {"1": "Lisinopril."})["exact_match"].value
    1.0
    """

    needs: ClassVar[Needs] = "text"

    @property
    def name(self) -> str:
        """`exact_match`."""
        return "exact_match"

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        return best_of_references(self.name, gold, predicted, lambda a, b: float(normalised(a) == normalised(b)))


METRIC = ExactMatch
