"""The row types of the study's tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """What a case of the data set lacks, or what of it was mended."""

    case_id: str
    problem: str


@dataclass(frozen=True, slots=True)
class SaidRow:
    """A sentence of an answer with the ids of the note's sentences that it cites."""

    text: str
    citations: tuple[str, ...]
    verified: bool


@dataclass(frozen=True, slots=True)
class CascadeRow:
    """One case through the cascade. `oracle`: what was given from the key; `evidence` are ids of the note's sentences.

    `kept`: the rung that the evidence stands on. An abstention has no sentences and a reason.
    """

    strategy: str
    oracle: str
    case_id: str
    query: str
    evidence: tuple[str, ...]
    kept: str
    sentences: tuple[SaidRow, ...]
    reason: str
    fallbacks: tuple[str, ...] = ()
    llm_calls: int = 0


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One sentence of the clinician's answer and the ids it was aligned to, among the whole note or its gold."""

    strategy: str
    oracle: str
    case_id: str
    answer_id: str
    evidence: tuple[str, ...]
    verified: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One official figure, times 100. `oracle` as in `CascadeRow`; `task` is 1-4 of 2026, or 2025's one.

    `low`, `high`: the interval from resampling cases; None with a reason in `reason` where there is no figure.
    """

    strategy: str
    oracle: str
    task: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CaseScoreRow:
    """One measure of one case, times 100."""

    strategy: str
    oracle: str
    task: str
    measure: str
    case_id: str
    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CountRow:
    """What a pooled figure is made of in one case: right ones, predicted ones, gold ones."""

    strategy: str
    oracle: str
    task: str
    rule: str
    case_id: str
    hits: int
    predicted: int
    gold: int


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """Two arms on the same cases: first less second, with the interval from resampling cases in pairs.

    `what`: `strategy` (two strategies, nothing given) or `oracle` (one strategy, with a gold output less without).
    """

    what: str
    first: str
    second: str
    task: str
    measure: str
    difference: float | None
    low: float | None
    high: float | None
    n: int
    reason: str = ""
