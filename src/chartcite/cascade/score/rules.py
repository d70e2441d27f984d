"""Scoring by rules and the bundled models: relevance 1-5 for every candidate sentence.

Every candidate gets a cheap score (share of the question's words, weighted by rarity, and late interaction); the best
32 get the cross-encoder. The scores and the rank of the passage make points, a logistic model makes a probability of
them, and cut points make the five grades (`grades`). A sentence that the cross-encoder never saw has the logit that its
cheap scores let expect, is capped at 3, and how many there are is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.cascade.score.grades import Calibration, Grades
from chartcite.core.neural import Reranker
from chartcite.core.scope import Scope
from chartcite.retrieval.candidates import Candidate

CROSS_ENCODED = 32
CAP_UNSEEN = 3


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its grade. `logit` is None when the cross-encoder did not see it; `points` are its raw score."""

    candidate: Candidate
    relevance: int
    probability: float
    logit: float | None
    points: float = 0.0


def score(
    query: str,
    candidates: Sequence[Candidate],
    reranker: Reranker,
    grades: Grades,
    scope: Scope,
    *,
    most: int = CROSS_ENCODED,
) -> tuple[list[Scored], int]:
    """Grade every candidate; best first, ties in the order of the ranking and the text.

    Args:
        query: the question's interpretation, or a claim.
        candidates: the sentences.
        reranker: the cross-encoder.
        grades: the fitted model.
        scope: the partition that was searched.
        most: how many sentences the cross-encoder reads at most.

    Returns:
        The graded candidates, and how many the cross-encoder did not see.
    """
    cheap = sorted(candidates, key=lambda c: (-cheap_points(c, grades), c.hit_rank, c.order, c.start))
    seen = cheap[:most]
    logits = reranker.score(query, [shown(c) for c in seen])
    pointed = [
        *((c, logit, _points(c, logit, grades)) for c, logit in zip(seen, logits, strict=True)),
        *((c, None, cheap_points(c, grades)) for c in cheap[most:]),
    ]
    best = max((points for _, logit, points in pointed if logit is not None), default=0.0)
    calibration = grades.calibration(scope)
    graded = [_graded(c, logit, points, best, calibration) for c, logit, points in pointed]
    return by_relevance(graded), len(cheap) - len(seen)


def by_relevance(graded: Sequence[Scored]) -> list[Scored]:
    """Best first, ties in the order of the ranking and the text."""

    def key(s: Scored) -> tuple[float, float, int, int, int]:
        return -s.relevance, -s.points, s.candidate.hit_rank, s.candidate.order, s.candidate.start

    return sorted(graded, key=key)


def shown(candidate: Candidate) -> str:
    """What the cross-encoder reads: the sentence under its header (and its table's head), white space folded."""
    text = " ".join(f"{candidate.head} {candidate.text}".split())
    header = candidate.context.rsplit(" > ", 1)[-1]
    return f"{header}: {text}" if header and not text.startswith(header) else text


def cheap_points(candidate: Candidate, grades: Grades) -> float:
    """The points to expect without the cross-encoder; they decide who is worth a run of it."""
    return _points(candidate, grades.expected_logit(candidate.late, candidate.coverage), grades)


def _points(candidate: Candidate, logit: float, grades: Grades) -> float:
    return grades.points(logit, candidate.late, candidate.coverage, candidate.hit_rank)


def _graded(c: Candidate, logit: float | None, points: float, best: float, calibration: Calibration) -> Scored:
    probability = calibration.probability(points, max(best, points))
    if logit is None:
        probability = min(probability, calibration.cuts[CAP_UNSEEN - 1])
        return Scored(c, min(CAP_UNSEEN, calibration.grade(probability)), probability, None, points)
    return Scored(c, calibration.grade(probability), probability, logit, points)
