"""Scoring where it is known that the text answers: which of its sentences the answer rests on, by rules.

The grades of `rules` ask whether a record answers at all, and keep little. Here that is settled, and what an answer
needs is wanted: a fitted model of five likenesses of the question and each sentence. The model, what it was fitted on
and how well it did are in `data/known.json` (`scripts/fit_known_answer.py`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from chartcite.cascade.align.likeness import FEATURES, Likeness
from chartcite.cascade.score.rules import Scored

if TYPE_CHECKING:
    from numpy.typing import NDArray

USED = ("coverage", "cosine", "cosine_below_best", "logit", "logit_below_best")
"""Of the likenesses, those that the model is fitted on."""
_COLUMNS = [FEATURES.index(name) for name in USED]
DIRECT = 0.5
"""From which probability a sentence is graded 5."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A logistic model of `USED`: bias first. `least`: the probability of evidence; `fewest`: sentences in any case."""

    weights: tuple[float, ...]
    least: float
    fewest: int

    def probabilities(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64 [n] from likenesses [n, n_features]."""
        weights = np.array(self.weights)
        return np.asarray(1 / (1 + np.exp(-(weights[0] + np.sum(features[:, _COLUMNS] * weights[1:], axis=1)))))


@lru_cache(maxsize=1)
def load_model() -> KnownModel:
    """The fitted model."""
    found = json.loads((files("chartcite.cascade.score") / "data" / "known.json").read_text("utf-8"))
    return KnownModel((found["bias"], *(found["weights"][name] for name in USED)), found["least"], found["fewest"])


def known_evidence(question: str, scored: Sequence[Scored], likeness: Likeness) -> list[Scored]:
    """The sentences that an answer rests on, likeliest first, graded 5 or 4; and 3 where they make up the number."""
    if not scored:
        return []
    inorder = sorted(scored, key=lambda s: (s.candidate.order, s.candidate.start))
    model = load_model()
    found = likeness.of([question], [" ".join(s.candidate.text.split()) for s in inorder])[0]
    probabilities = model.probabilities(found)
    best = [int(n) for n in np.argsort(-probabilities, kind="stable")]
    taken = [n for at, n in enumerate(best) if probabilities[n] >= model.least or at < model.fewest]
    return [
        replace(inorder[n], relevance=_grade(float(probabilities[n]), model), probability=float(probabilities[n]))
        for n in taken
    ]  # fmt: skip


def _grade(probability: float, model: KnownModel) -> int:
    return 5 if probability >= DIRECT else 4 if probability >= model.least else 3
