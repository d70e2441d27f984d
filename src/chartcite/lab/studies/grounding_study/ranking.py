"""From a first stage's list to the writer's order: duplicates out, reranked, cut. Pure functions on rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from chartcite.lab.studies.grounding_study.tables import CandidateRow, ChunkRow

PREVIEW_CHARS = 160
Score = Callable[[str, Sequence[str]], Sequence[float]]
"""(query, texts) to their relevance, higher is better."""


class Deduped(NamedTuple):
    """What is left, in order, and how many went for each reason."""

    kept: list[CandidateRow]
    same_chunk: int
    same_text: int


def dedupe(candidates: Sequence[CandidateRow]) -> Deduped:
    """Keep the first of each chunk id and of each text (white space aside).

    The whole text counts, not its beginning: two tables with one header are two chunks.
    """
    ids: set[str] = set()
    texts: set[str] = set()
    kept: list[CandidateRow] = []
    same_chunk = same_text = 0
    for row in candidates:
        text = " ".join(row.full_text.split())
        if row.chunk_id in ids:
            same_chunk += 1
        elif text in texts:
            same_text += 1
        else:
            kept.append(row)
        ids.add(row.chunk_id)
        texts.add(text)
    return Deduped(kept, same_chunk, same_text)


def reranked(rows: Sequence[CandidateRow], score: Score | None, keep: int) -> list[ChunkRow]:
    """The best `keep` in the order of the reranker's scores; without one, as they came. Ties keep the first order."""
    if not rows:
        return []
    scores: Sequence[float | None] = [None] * len(rows)
    order = list(range(len(rows)))
    if score is not None:
        found = [float(s) for s in score(rows[0].query_text, [row.full_text for row in rows])]
        order.sort(key=lambda n: (-found[n], n))
        scores = found
    return [_chunk(rows[n], rank, scores[n]) for rank, n in enumerate(order[:keep], start=1)]


def nothing(row: CandidateRow) -> ChunkRow:
    """The row of a query that got no chunk."""
    return ChunkRow(
        row.strategy, row.query_id, row.query_text, None, None, None, None, None, "", "", "", "", row.reason
    )


def preview(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= PREVIEW_CHARS else f"{line[: PREVIEW_CHARS - 1]}…"


def _chunk(row: CandidateRow, rank: int, score: float | None) -> ChunkRow:
    return ChunkRow(
        row.strategy, row.query_id, row.query_text, rank, row.original_rank, row.retrieval_score, score, row.page,
        row.chunk_id, row.source, preview(row.full_text), row.full_text,
    )  # fmt: skip
