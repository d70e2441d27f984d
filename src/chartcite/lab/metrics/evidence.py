"""Evidence precision, recall and F1: were the right sentences of the record picked?

ArchEHR-QA 2026, subtask 2 (github soni-sarvesh/archehr-qa-2026, `scoring_subtask_2.py`):

- strict: predictions against the *essential* sentences;
- lenient: predictions that are only *supplementary* are dropped first, then the same;
- lenient_2025: the supplementary sentences are added to the gold (the rule of the 2025 task, and another figure).

Per case both empty 1/1/1, one empty 0/0/0. Macro is the mean over cases, micro pools the counts (F1 of subtask 2 is
strict micro). A case missing from the predictions scores 0; the official script refuses such a submission.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.prf import Counts, counted, measured

Rule = Literal["strict", "lenient", "lenient_2025"]


@dataclass(frozen=True, slots=True)
class EvidenceKey:
    """The gold of one case, as ids of sentences."""

    essential: frozenset[str]
    supplementary: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Needs evidence. `rule`: what counts as gold.

    >>> key = {"1": EvidenceKey(frozenset({"2", "5"}), frozenset({"7"}))}
    >>> round(Evidence("lenient").measure(key, {"1": ["2", "7"]})["evidence.lenient.micro.f1"].value, 4)
    0.6667
    """

    rule: Rule = "strict"
    needs: ClassVar[Needs] = "evidence"

    @property
    def name(self) -> str:
        """`evidence.strict`."""
        return f"evidence.{self.rule}"

    def measure(self, gold: Mapping[str, EvidenceKey], predicted: Mapping[str, Collection[str]]) -> Measured:
        """Score each case of the key."""
        pairs = {case: (self._counts(key, predicted.get(case, ())), case in predicted) for case, key in gold.items()}
        return measured(self.name, pairs, predicted, both_empty=1.0)

    def _counts(self, key: EvidenceKey, picked: Collection[str]) -> Counts:
        if self.rule == "lenient":
            return counted(set(picked) - (key.supplementary - key.essential), key.essential)
        return counted(picked, key.essential | key.supplementary if self.rule == "lenient_2025" else key.essential)


METRIC = Evidence
