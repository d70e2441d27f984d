"""Alignment of sentences that somebody else wrote (a clinician's answer) to the sentences of a note, by rules.

Conservative and many to many: a pair is linked if a fitted model gives it an even chance or more, at most three for
each sentence; where none has that, the likeliest alone if it is not far from it; else the sentence stays without a
link. A header is never linked. The model, what it was fitted on and how well it did are in `data/given.json`
(`scripts/fit_given_alignment.py`). A link says what a sentence is about, not that it is true: verification says that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from chartcite.cascade.align.likeness import FEATURES, Likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_LINKS = 3
_HEADER_WORDS = 6


@dataclass(frozen=True, slots=True)
class GivenModel:
    """A logistic model of `FEATURES`, and from which probability a pair is linked.

    Attributes:
        weights: bias first, then one a feature.
        least: of any link.
        least_alone: of the best link of a sentence that would have none.
    """

    weights: tuple[float, ...]
    least: float
    least_alone: float

    def probabilities(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64 [n_given, n_note] from [n_given, n_note, n_features]."""
        weights = np.array(self.weights)
        z = weights[0] + np.sum(features * weights[1:], axis=-1)
        return np.asarray(1 / (1 + np.exp(-z)))


@dataclass(frozen=True, slots=True)
class GivenLink:
    """A sentence of the note, by its place in it, and how likely it is what the given sentence rests on."""

    unit: int
    probability: float


@lru_cache(maxsize=1)
def load_model() -> GivenModel:
    """The fitted model."""
    found = json.loads((files("chartcite.cascade.align") / "data" / "given.json").read_text("utf-8"))
    return GivenModel((found["bias"], *(found["weights"][name] for name in FEATURES)), *found["least"])


def align_given(given: Sequence[str], note: Sequence[str], likeness: Likeness) -> list[tuple[GivenLink, ...]]:
    """The note's sentences that each given sentence rests on, in the order of the note; perhaps none.

    Args:
        given: sentences of an answer.
        note: all sentences of the note, in order.
        likeness: the models.
    """
    folded = [" ".join(text.split()) for text in note]
    model = load_model()
    found = model.probabilities(likeness.of([" ".join(text.split()) for text in given], folded))
    headers = np.array([is_header(text) for text in folded], dtype=bool)
    return [chosen_links(np.where(headers, 0.0, row), model) for row in found]


def chosen_links(probabilities: NDArray[np.float64], model: GivenModel) -> tuple[GivenLink, ...]:
    """The links of one given sentence from the probabilities of all sentences of the note."""
    best = np.argsort(-probabilities, kind="stable")[:MOST_LINKS]
    chosen = [int(n) for n in best if probabilities[n] >= model.least]
    if not chosen and len(best) and probabilities[best[0]] >= model.least_alone:
        chosen = [int(best[0])]
    return tuple(GivenLink(n, _rounded(float(probabilities[n]))) for n in sorted(chosen))


def _rounded(probability: float) -> float:
    return math.floor(probability * 1e4 + 0.5) / 1e4


def is_header(text: str) -> bool:
    """Whether a sentence of a note is nothing but a header."""
    return text.endswith(":") and len(text.split()) <= _HEADER_WORDS
