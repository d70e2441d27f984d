"""Tables I to IV of paper 003, recomputed from rows. Nothing here knows where the rows came from."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from chartcite.lab.studies.grounding_study.tables import (
    AnswerRow,
    ChunkRow,
    ClaimRow,
    JudgedRow,
    OverallRow,
    RemovedRow,
    RerankRow,
    ScoreRow,
    SourceShareRow,
)

_FIRST, _OUTSIDE = 3, 10
NO_VERDICT = "not every claim has a verdict"


def overall(
    strategy: str,
    judge: str,
    against: str,
    queries: Sequence[str],
    chunks: Sequence[ChunkRow],
    answers: Sequence[AnswerRow],
    claims: Sequence[ClaimRow],
    removed: Sequence[RemovedRow],
    judged: Sequence[JudgedRow],
) -> OverallRow:
    """Table I. All rows are those of this strategy; those judged are of this judge and this kind of evidence too.

    `full_queries`: queries with at least one claim, all of whose claims are supported; as in the paper, out of all.
    """
    counts = Counter(row.query_id for row in claims)
    per_query = [counts[q] for q in queries]
    verdicts = {(row.query_id, row.claim): row.supported for row in judged}
    known = [verdicts.get((row.query_id, row.claim)) for row in claims]
    reason = "there is no claim" if not claims else NO_VERDICT if None in known else ""
    why = next((row.reason for row in judged if row.supported is None), "")
    supported = None if None in known else sum(bool(v) for v in known)
    full = None if None in known else sum(
        bool(counts[q]) and all(verdicts[q, n] for n in range(1, counts[q] + 1)) for q in queries
    )  # fmt: skip
    return OverallRow(
        strategy, judge, against, len(queries), len(chunks), _mean([len(chunks)], len(queries)),
        _mean([row.given for row in answers], len(queries)), len(claims), _mean([len(claims)], len(queries)) or 0.0,
        min(per_query, default=0), max(per_query, default=0), len(removed), supported,
        None if supported is None else len(claims) - supported,
        supported / len(claims) if supported is not None and claims else None, full,
        f"{reason}: {why}" if why else reason,
    )  # fmt: skip


def source_shares(
    strategy: str, chunks: Sequence[ChunkRow], given: Mapping[str, int], in_collection: Mapping[str, int]
) -> list[SourceShareRow]:
    """Table II: all documents, most chunks first.

    Args:
        strategy: its name.
        chunks: its chunks.
        given: by query, how many chunks the writer saw.
        in_collection: by document, how many chunks there are.
    """
    found = Counter(row.source for row in chunks)
    used = Counter(row.source for row in chunks if (row.final_rank or 0) <= given.get(row.query_id, 0))
    whole = sum(in_collection.values())
    return [
        SourceShareRow(
            strategy, source, found[source], found[source] / len(chunks) if chunks else 0.0, used[source],
            in_collection[source] / whole if source in in_collection and whole else None,
        )
        for source in sorted({*found, *in_collection}, key=lambda s: (-found[s], s))
    ]  # fmt: skip


def rerank_effect(strategy: str, chunks: Sequence[ChunkRow]) -> RerankRow:
    """Table III: how the order changed, and where the final first chunks came from."""
    tops = [row for row in chunks if row.final_rank == 1]
    before = [row.original_rank for row in tops if row.original_rank is not None]
    why = ""
    if not chunks:
        why = "nothing was found"
    elif any(row.original_rank is None for row in chunks):
        why = "there was no first stage"
    elif any(row.rerank_score is None for row in chunks):
        why = "nothing was reranked"
    if why:
        return RerankRow(strategy, len(chunks), *(None,) * 7, len(tops), why)
    same = sum(row.final_rank == row.original_rank for row in chunks)
    return RerankRow(
        strategy, len(chunks), same, same / len(chunks), statistics.fmean(before), min(before), max(before),
        sum(rank <= _FIRST for rank in before), sum(rank > _OUTSIDE for rank in before), len(tops),
    )  # fmt: skip


def score_summaries(strategy: str, chunks: Sequence[ChunkRow]) -> list[ScoreRow]:
    """Table IV: retrieval scores, rerank scores, and those of the final first chunks. They are not comparable."""
    kinds = {
        "retrieval score": [row.retrieval_score for row in chunks],
        "rerank score": [row.rerank_score for row in chunks],
        "rerank score of the first": [row.rerank_score for row in chunks if row.final_rank == 1],
    }
    return [_summary(strategy, name, [s for s in scores if s is not None]) for name, scores in kinds.items()]


def _summary(strategy: str, name: str, scores: Sequence[float]) -> ScoreRow:
    if not scores:
        return ScoreRow(strategy, name, 0, None, None, None, None, "no such score")
    sd = statistics.stdev(scores) if len(scores) > 1 else None
    why = "" if sd is not None else "one score has no spread"
    return ScoreRow(strategy, name, len(scores), math.fsum(scores) / len(scores), sd, min(scores), max(scores), why)


def _mean(parts: Sequence[int], n: int) -> float | None:
    return sum(parts) / n if n else None
