"""The row types of every stage's tables. Each goes to CSV for people and to JSONL for the next stage."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CorpusRow:
    """One partition under one recipe. `items`: of the data set; `documents`: what the store took of them."""

    encoder: str
    splitter: str
    analyser: str
    kind: str
    scope: str
    items: int
    documents: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A relevant item of a case, with the texts of its gold sentences where the data set names them.

    `present`: whether the pool that is searched has it; what is not there cannot be found.
    """

    case_id: str
    item_id: str
    sentences: tuple[str, ...] = ()
    present: bool = True


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim of the data set with its label and the texts it is to be checked against."""

    claim_id: str
    claim: str
    label: str
    sources: tuple[str, ...]
    cluster: str


@dataclass(frozen=True, slots=True)
class RetrievedRow:
    """One item of one ranking; or, with a reason and no rank, a case that got none."""

    strategy: str
    case_id: str
    rank: int | None
    item_id: str
    score: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as an answer gave it; `day` is that of its document, empty where it has none."""

    doc_id: str
    start: int
    end: int
    quote: str
    section: tuple[str, ...] = ()
    day: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One sentence of an answer (from 1); or, as sentence 0, an abstention with its reason."""

    strategy: str
    case_id: str
    sentence: int
    text: str
    verdict: str
    why: str
    abstained: bool
    reason: str
    query: str
    fallbacks: tuple[str, ...] = ()
    citations: tuple[Cited, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifyRow:
    """What one verifier says of one answer sentence, all its citations together and one by one; None with a reason."""

    strategy: str
    case_id: str
    sentence: int
    verifier: str
    supported: bool | None
    supports: tuple[bool | None, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimCheckRow:
    """What one verifier says of one claim of the data set."""

    verifier: str
    claim_id: str
    label: str
    cluster: str
    supported: bool | None
    reason: str


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One measure of one case. `by`: who judged, for measures of citations."""

    strategy: str
    case_id: str
    group: str
    measure: str
    by: str
    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One measure of one strategy, over all cases (`group` empty) or one group, with its interval."""

    strategy: str
    group: str
    measure: str
    by: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    unit: str
    clusters: int
    missing: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClaimShareRow:
    """How many of the data set's claims with one label a verifier accepted."""

    verifier: str
    label: str
    n: int
    accepted: int
    value: float | None
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two strategies on one graded measure: the difference with its interval, and the test."""

    first: str
    second: str
    measure: str
    by: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    rejected: bool
    tests: int
    n: int
    clusters: int
    exact: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class McNemarRow:
    """Two strategies on "a relevant item among the first k": who solved what, and the test on the discordant cases."""

    first: str
    second: str
    measure: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    difference: float | None
    low: float | None
    high: float | None
    chi2: float | None
    p_chi2: float | None
    chi2_corrected: float | None
    p_corrected: float | None
    p_exact: float | None
    p_mid: float | None
    p: float | None
    test: str
    p_holm: float | None
    rejected: bool
    tests: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class KappaRow:
    """Agreement of two annotators."""

    rater_a: str
    rater_b: str
    n: int
    excluded: int
    observed_agreement: float | None
    kappa: float | None
    low: float | None
    high: float | None
    ac1: float | None
    reason: str = ""
