"""AlignScore, form `nli_sp`: is every sentence of the prediction borne out by some part of the reference?

The reference is cut into parts of whole sentences (one for every 350 words begun), the prediction into sentences; a
sentence's score is the highest probability of alignment over the parts, the figure the mean over sentences (Zha et al.,
*AlignScore*, ACL 2023, section 3.3); best over the references. `alignscore:FOLDER` names an ONNX export with
`chartcite.json` (its aligned label is called `entailment`) and `alignscore.json`: `{"checkpoint": "AlignScore-base"}`.
Sentences are chartcite's; the original's come from NLTK.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from chartcite.lab.measured import Measured, Needs
from chartcite.lab.model_folders import inference, read_card
from chartcite.lab.text_scores import against_best, without
from chartcite.text.sentences import split_sentences

NEEDS = "needs a model: alignscore:FOLDER (docs/lab.md)"
_PART_WORDS = 350


class AlignScoreCard(BaseModel):
    """What `alignscore.json` says."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    checkpoint: str = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class AlignScore:
    """Needs text."""

    folder: str = ""
    needs: ClassVar[Needs] = "text"

    @property
    def name(self) -> str:
        """`alignscore`."""
        return "alignscore"

    @property
    def form(self) -> str:
        """Which checkpoint."""
        return f"nli_sp, {self.card.checkpoint}, context is the reference" if self.folder else f"no figure: {NEEDS}"

    @property
    def card(self) -> AlignScoreCard:
        """What the folder says of itself."""
        return read_card(self.folder, "alignscore.json", AlignScoreCard)

    def measure(self, gold: Mapping[str, Sequence[str]], predicted: Mapping[str, str]) -> Measured:
        """Score each case of the gold against the best of its references."""
        if not self.folder or not self.card.checkpoint:
            return without(self.name, gold, NEEDS)
        return against_best(self.name, gold, predicted, lambda text, ref: alignscore(text, ref, self._aligned))

    def _aligned(self, sentence: str, part: str) -> float | None:
        found = inference(self.folder).probabilities(sentence, part)
        return None if found is None else found["entailment"]


def alignscore(predicted: str, reference: str, aligned: Callable[[str, str], float | None]) -> float | None:
    """From the probability that a part bears out a sentence; None where the model cannot read one of the pairs."""
    sentences = _sentences(reference)
    size = max(len(sentences) // (len(reference.split()) // _PART_WORDS + 1), 1)
    parts = [" ".join(sentences[i : i + size]) for i in range(0, len(sentences), size)]
    best = []
    for sentence in _sentences(predicted):
        scores = [aligned(sentence, part) for part in parts]
        if not scores or None in scores:
            return None
        best.append(max(score for score in scores if score is not None))
    return fmean(best) if best else None


def _sentences(text: str) -> list[str]:
    return [text[s.start : s.end] for s in split_sentences(text)]


METRIC = AlignScore
