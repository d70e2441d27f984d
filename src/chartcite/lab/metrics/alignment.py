"""Alignment precision, recall and F1 over (answer sentence, evidence sentence) pairs.

ArchEHR-QA 2026, subtask 4 (github soni-sarvesh/archehr-qa-2026, `scoring_subtask_4.py`): micro pools the pairs of all
cases, macro is the mean over cases. Unlike evidence, a case with no pair on either side scores 0, not 1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.prf import counted, measured

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Needs alignment.

    >>> gold = {"1": [("a1", "s1"), ("a1", "s2")]}
    >>> Alignment().measure(gold, {"1": [("a1", "s1")]})["alignment.micro.recall"].value
    0.5
    """

    needs: ClassVar[Needs] = "alignment"

    @property
    def name(self) -> str:
        """`alignment`."""
        return "alignment"

    def measure(self, gold: Mapping[str, Collection[Pair]], predicted: Mapping[str, Collection[Pair]]) -> Measured:
        """Score each case of the gold."""
        pairs = {case: (counted(predicted.get(case, ()), links), case in predicted) for case, links in gold.items()}
        return measured(self.name, pairs, predicted, both_empty=0.0)


METRIC = Alignment
