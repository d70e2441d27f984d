"""The row types of the study's tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One PDF as it was read. `chunks`: distinct chunk texts that begin in it, under the first strategy's splitter."""

    source: str
    title: str
    pages: int
    characters: int
    chunks: int


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One chunk as the first stage ranked it; or, with a reason and no rank, a query that got none."""

    strategy: str
    query_id: str
    query_text: str
    original_rank: int | None
    retrieval_score: float | None
    page: int | None
    chunk_id: str
    source: str
    full_text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One chunk as the writer's order has it: the paper's file of retrieval results, with the strategy in front.

    `original_rank` and `retrieval_score` are empty where there was no first stage, `rerank_score` where nothing was
    reranked.
    """

    strategy: str
    query_id: str
    query_text: str
    final_rank: int | None
    original_rank: int | None
    retrieval_score: float | None
    rerank_score: float | None
    page: int | None
    chunk_id: str
    source: str
    preview: str
    full_text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DedupeRow:
    """What became of a query's candidates."""

    strategy: str
    query_id: str
    candidates: int
    same_chunk: int
    same_text: int
    kept: int


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer. `given`: how many numbered sources the writer saw; `by`: `rules` or the model's name."""

    strategy: str
    query_id: str
    query_text: str
    answer: str
    by: str
    given: int
    insufficient: bool
    calls: int
    fallbacks: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """One sentence of an answer, from 1, with the numbers of the sources that it names."""

    strategy: str
    query_id: str
    sentence: int
    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim, from 1: one sentence."""

    strategy: str
    query_id: str
    claim: int
    sentence: int
    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RemovedRow:
    """A piece of an answer that was not counted as a claim, and why."""

    strategy: str
    query_id: str
    sentence: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class PlantedRow:
    """A claim whose label is known by how it was made, to be judged against the sources given for its query."""

    id: str
    query_id: str
    kind: str
    supported: bool
    text: str


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """What one judge says of one claim; None with the reason where it says nothing.

    `conclusive` is False where its reply held no verdict: then it counts as unsupported.
    """

    judge: str
    strategy: str
    query_id: str
    claim: int
    against: str
    supported: bool | None
    best_source: int | None
    conclusive: bool
    reason: str


@dataclass(frozen=True, slots=True)
class PlantedJudgedRow:
    """What one judge says of one planted claim."""

    judge: str
    planted_id: str
    query_id: str
    kind: str
    planted_supported: bool
    supported: bool | None
    conclusive: bool
    reason: str


@dataclass(frozen=True, slots=True)
class OverallRow:
    """Table I for one strategy, one judge and one kind of evidence."""

    strategy: str
    judge: str
    against: str
    queries: int
    chunks: int
    chunks_mean: float | None
    given_mean: float | None
    claims: int
    claims_mean: float
    claims_min: int
    claims_max: int
    removed: int
    supported: int | None
    unsupported: int | None
    accuracy: float | None
    full_queries: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SourceShareRow:
    """Table II: a document's share of the chunks retrieved, beside its share of all chunks there are."""

    strategy: str
    source: str
    chunks: int
    share: float
    given: int
    collection_share: float | None


@dataclass(frozen=True, slots=True)
class RerankRow:
    """Table III: what reranking did to the order; None with a reason where nothing was reranked."""

    strategy: str
    chunks: int
    unchanged: int | None
    unchanged_share: float | None
    top_mean: float | None
    top_min: int | None
    top_max: int | None
    top_in_first_3: int | None
    top_outside_first_10: int | None
    tops: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """Table IV: one kind of score; `sd` with n - 1."""

    strategy: str
    score: str
    n: int
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GroundingRow:
    """One level of grounding accuracy with both intervals.

    `exact_*` is Clopper and Pearson's, which takes the units as independent; `cluster_*` resamples queries.
    """

    strategy: str
    judge: str
    against: str
    level: str
    supported: float | None
    n: int
    value: float | None
    exact_low: float | None
    exact_high: float | None
    cluster_low: float | None
    cluster_high: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge on planted claims of one kind (`all true`, `all false` for the two sums)."""

    judge: str
    kind: str
    planted_supported: bool
    n: int
    right: int
    inconclusive: int
    value: float | None
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JudgePairRow:
    """Agreement of two judges on the claims of one strategy."""

    first: str
    second: str
    strategy: str
    against: str
    n: int
    agreement: float | None
    kappa: float | None
    low: float | None
    high: float | None
    reason: str = ""
