"""The fitted model behind the grades: a sentence's scores to points, points to a probability, that to 1-5.

Everything in it was fitted by `scripts/fit_evidence_grades.py`; the file `data/grades.json` says on what, and how well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from chartcite.core.scope import Scope


@dataclass(frozen=True, slots=True)
class Calibration:
    """Points to probability in one kind of partition.

    Attributes:
        weights: bias, per point, per point that is missing to the best sentence of the query.
        cuts: the least probabilities of the grades 2-5.
    """

    weights: tuple[float, float, float]
    cuts: tuple[float, float, float, float]

    def probability(self, points: float, best: float) -> float:
        """That a sentence with these points is evidence, when the best one has `best`."""
        return logistic(self.weights, (points, best - points))

    def grade(self, probability: float) -> int:
        """1-5: one more than the number of cut points reached."""
        return 1 + sum(probability >= cut for cut in self.cuts)


@dataclass(frozen=True, slots=True)
class Grades:
    """The whole model.

    Attributes:
        combination: points of a logit, of late interaction, of coverage, of the passage's rank (as its logarithm).
        cheap: the logit to expect: a constant, for late interaction, for coverage.
        record, collection: what points mean in a patient's record, where much of what is found is about the question,
            and in a collection, where most is about something else.
        given: bias, weight of the logit, weight of what is missing to the best logit of the document; for documents
            that are known to hold evidence.
        given_least: the probability from which a sentence of such a document is taken for itself.
    """

    combination: tuple[float, float, float, float]
    cheap: tuple[float, float, float]
    record: Calibration
    collection: Calibration
    given: tuple[float, float, float] = (0.0, 1.0, 0.0)
    given_least: float = 0.5

    def calibration(self, scope: Scope) -> Calibration:
        """The one for a partition."""
        return self.record if scope.kind == "patient" else self.collection

    def points(self, logit: float, late: float, coverage: float, rank: int) -> float:
        """A linear score; only its order and `Calibration` give it a meaning."""
        a, b, c, d = self.combination
        return a * logit + b * late + c * coverage + d * math.log(rank)

    def expected_logit(self, late: float, coverage: float) -> float:
        """What the cross-encoder would say, as far as the cheap scores tell."""
        constant, b, c = self.cheap
        return constant + b * late + c * coverage

    def within(self, logit: float, best: float) -> float:
        """That a sentence is evidence, in a document that holds some and whose best sentence has the logit `best`."""
        return logistic(self.given, (logit, best - logit))


@lru_cache(maxsize=1)
def load_grades() -> Grades:
    """The committed model."""
    data = json.loads(files("chartcite.cascade.score").joinpath("data/grades.json").read_text("utf-8"))
    return Grades(
        tuple(data["combination"]), tuple(data["cheap"]), _calibration(data["record"]),
        _calibration(data["collection"]), tuple(data["given"]["weights"]), data["given"]["least"],
    )  # fmt: skip


def _calibration(data: dict[str, Any]) -> Calibration:
    return Calibration(tuple(data["weights"]), tuple(data["cuts"]))


def logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    """1 / (1 + exp(-w x)), with the bias first among the weights."""
    x = weights[0] + sum(w * f for w, f in zip(weights[1:], features, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, x))))
