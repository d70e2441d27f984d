"""Citation precision, recall and F1: do sentences stand on what they cite, and do the citations carry anything?

- recall: the share of answer sentences supported by what they cite, all their citations together (a sentence that
  cites nothing is unsupported);
- precision: the share of citations that support their sentence;
- F1: the harmonic mean of the two (ALCE: Gao et al., EMNLP 2023, section 4).

Who says "supports" (rules, an NLI model, a judge, a person) is the caller's and must be reported beside the figure.
Paper 001's "citation F1" is this one. ALCE additionally counts a citation as precise only where its sentence is
supported by all citations together and would not be without this one; give `supports` accordingly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.measured import Measured, Needs, Summary, Value, absent, averaged, unasked
from chartcite.lab.prf import PARTS, harmonic


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """One answer sentence. `supported`: by all it cites together; `supports`: by citation, whether it supports."""

    supported: bool
    supports: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Needs citations. The values of `gold` are not looked at: its keys say which cases must be answered.

    >>> answer = [CitedSentence(True, (True, False)), CitedSentence(False)]
    >>> [s.value for s in Citation().measure({"1": None}, {"1": answer}).summaries[:3]]
    [0.5, 0.5, 0.5]
    """

    needs: ClassVar[Needs] = "citations"

    @property
    def name(self) -> str:
        """`citation`."""
        return "citation"

    def measure(self, gold: Mapping[str, object], predicted: Mapping[str, Sequence[CitedSentence]]) -> Measured:
        """Score each asked case: pooled over sentences and citations (micro), and the mean over cases (macro)."""
        values = tuple(v for case in gold for v in self._case(case, predicted.get(case)))
        missing = absent(gold, predicted)
        macro = [averaged(f"{self.name}.{p}", values, missing, name=f"{self.name}.macro.{p}") for p in PARTS]
        pooled = [s for case in gold for s in predicted.get(case, ())]
        return Measured(values, (*self._micro(pooled, missing), *macro), unasked(gold, predicted))

    def _case(self, case: str, sentences: Sequence[CitedSentence] | None) -> list[Value]:
        if not sentences:
            why = "no prediction" if sentences is None else "an answer without sentences"
            return [Value(case, f"{self.name}.{part}", 0.0, why) for part in PARTS]
        precision, recall, why = _shares(sentences)
        f1 = harmonic(precision or 0.0, recall)
        parts = ((precision, why), (recall, ""), (f1, ""))
        return [Value(case, f"{self.name}.{p}", v, r) for p, (v, r) in zip(PARTS, parts, strict=True)]

    def _micro(self, pooled: Sequence[CitedSentence], missing: int) -> list[Summary]:
        names = [f"{self.name}.micro.{part}" for part in PARTS]
        if not pooled:
            return [Summary(n, None, 0, "sentences", missing, "no answer has a sentence") for n in names]
        precision, recall, why = _shares(pooled)
        citations = sum(len(s.supports) for s in pooled)
        return [
            Summary(names[0], precision, citations, "citations", missing, why),
            Summary(names[1], recall, len(pooled), "sentences", missing),
            Summary(names[2], harmonic(precision or 0.0, recall), len(pooled), "sentences", missing),
        ]


def _shares(sentences: Sequence[CitedSentence]) -> tuple[float | None, float, str]:
    given = [supports for s in sentences for supports in s.supports]
    recall = sum(s.supported and bool(s.supports) for s in sentences) / len(sentences)
    return (sum(given) / len(given), recall, "") if given else (None, recall, "no sentence cites anything")


METRIC = Citation
