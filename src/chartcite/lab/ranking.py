"""Rankings as trec_eval sees them: which document stands where, and what a per-query score does with it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence

from chartcite.lab.errors import BadInput
from chartcite.lab.measured import Measured, Value, absent, averaged, unasked

Judgements = Mapping[str, int]
Scores = Mapping[str, float]


def order(scores: Scores) -> list[str]:
    """Documents by score, highest first; equal scores by document id, *descending*.

    This is trec_eval's order, and with it that of ir-measures: ranks in the file are ignored, scores are compared as
    32-bit floats (so two that differ after the seventh digit are equal), and ties fall to the greater id, code point
    by code point. Whoever wants another order among ties must write other scores.

    >>> order({"d1": 0.5, "d3": 0.1, "d2": 0.5})
    ['d2', 'd1', 'd3']
    """
    return sorted(scores, key=lambda doc: (_single(scores[doc]), doc), reverse=True)


def gains(judged: Judgements, ranked: Sequence[str], depth: int | None = None) -> list[int]:
    """The grade at each rank; unjudged and negative grades are 0."""
    return [max(judged.get(doc, 0), 0) for doc in ranked[:depth]]


def relevant_count(judged: Judgements) -> int:
    """How many documents are judged relevant (grade 1 or more)."""
    return sum(grade > 0 for grade in judged.values())


def score_queries(
    name: str,
    qrels: Mapping[str, Judgements],
    run: Mapping[str, Scores],
    score: Callable[[Judgements, list[str]], float],
) -> Measured:
    """Apply a per-query score to every query of the qrels.

    As ir-measures does, and `trec_eval -c`: a query without a ranking scores 0, one without a relevant document
    scores 0, a query of the run that the qrels do not know is ignored. The mean is over the queries of the qrels.
    """
    values = tuple(_value(name, query, judged, run.get(query), score) for query, judged in qrels.items())
    summary = averaged(name, values, absent(qrels, run))
    return Measured(values, (summary,), unasked(qrels, run))


def checked_depth(k: int) -> int:
    """A cut-off that makes sense.

    Raises:
        BadInput: below 1.
    """
    if k < 1:
        raise BadInput("A cut-off rank must be 1 or more.", "For example recall@5.")
    return k


def _value(
    name: str,
    query: str,
    judged: Judgements,
    scores: Scores | None,
    score: Callable[[Judgements, list[str]], float],
) -> Value:
    if scores is None:
        return Value(query, name, 0.0, "no ranking")
    if not relevant_count(judged):
        return Value(query, name, 0.0, "no relevant document is known")
    return Value(query, name, score(judged, order(scores)))


def _single(score: float) -> float:
    """As a 32-bit float; beyond its range, infinity."""
    try:
        return float(struct.unpack("f", struct.pack("f", score))[0])
    except OverflowError:
        return float("inf") if score > 0 else float("-inf")
