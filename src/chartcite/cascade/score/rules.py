"""Scoring by rules and the bundled models: relevance 1-5 for every candidate sentence.

Every candidate gets a cheap score (share of the question's words, weighted by rarity, and late interaction); the best
64 get the cross-encoder. A logistic model turns the three into a probability, and cut points turn that into the five
grades; both were fitted on SciFact's training claims by `scripts/fit_evidence_grades.py` and lie in `data/grades.json`.
A sentence the cross-encoder never saw is capped at 3, and how many there are is counted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from chartcite.core.neural import Reranker
from chartcite.retrieval.candidates import Candidate

CROSS_ENCODED = 64
CAP_UNSEEN = 3


@dataclass(frozen=True, slots=True)
class Grades:
    """The fitted model. `weights` are for (1, logit, late, coverage); `cheap` for (1, late, coverage)."""

    weights: tuple[float, float, float, float]
    cheap: tuple[float, float, float]
    cuts: tuple[float, float, float, float]

    def grade(self, probability: float) -> int:
        """1-5: one more than the number of cut points reached."""
        return 1 + sum(probability >= cut for cut in self.cuts)


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its grade. `logit` is None when the cross-encoder did not see it."""

    candidate: Candidate
    relevance: int
    probability: float
    logit: float | None


@lru_cache(maxsize=1)
def load_grades() -> Grades:
    """The committed model."""
    data = json.loads(files("chartcite.cascade.score").joinpath("data/grades.json").read_text("utf-8"))
    return Grades(tuple(data["weights"]), tuple(data["cheap"]), tuple(data["cuts"]))


def score(query: str, candidates: Sequence[Candidate], reranker: Reranker, grades: Grades) -> tuple[list[Scored], int]:
    """Grade every candidate; best first, ties in the order of the ranking and the text.

    Returns:
        The graded candidates, and how many the cross-encoder did not see.
    """
    cheap = sorted(candidates, key=lambda c: (-cheap_score(c, grades), c.hit_rank, c.order, c.start))
    seen, unseen = cheap[:CROSS_ENCODED], cheap[CROSS_ENCODED:]
    logits = reranker.score(query, [shown(c) for c in seen])
    graded = [_graded(c, logit, grades) for c, logit in zip(seen, logits, strict=True)]
    graded += [_capped(c, grades) for c in unseen]
    graded.sort(
        key=lambda s: (
            -s.relevance,
            -s.probability,
            s.candidate.hit_rank,
            s.candidate.order,
            s.candidate.start,
        )
    )
    return graded, len(unseen)


def shown(candidate: Candidate) -> str:
    """What the cross-encoder reads: the sentence under its header, white space folded."""
    text = " ".join(candidate.text.split())
    header = candidate.context.rsplit(" > ", 1)[-1]
    return f"{header}: {text}" if header and not text.startswith(header) else text


def cheap_score(candidate: Candidate, grades: Grades) -> float:
    """The linear score that decides who is worth a run of the cross-encoder."""
    return grades.cheap[1] * candidate.late + grades.cheap[2] * candidate.coverage


def _graded(candidate: Candidate, logit: float, grades: Grades) -> Scored:
    bias, w_logit, w_late, w_coverage = grades.weights
    probability = _sigmoid(bias + w_logit * logit + w_late * candidate.late + w_coverage * candidate.coverage)
    return Scored(candidate, grades.grade(probability), probability, logit)


def _capped(candidate: Candidate, grades: Grades) -> Scored:
    probability = _sigmoid(grades.cheap[0] + cheap_score(candidate, grades))
    relevance = min(CAP_UNSEEN, grades.grade(probability))
    return Scored(candidate, relevance, min(probability, grades.cuts[CAP_UNSEEN - 1]), None)


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, x))))
