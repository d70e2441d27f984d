"""What a judge is worth: how it does on planted claims, and how far two judges agree on real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chartcite.lab.statistics.cohen_kappa import cohen_kappa
from chartcite.lab.statistics.proportion import clopper_pearson
from chartcite.lab.studies.grounding_study.planting import FALSE_KINDS, TRUE_KINDS
from chartcite.lab.studies.grounding_study.tables import JudgedRow, JudgePairRow, JudgeRow, PlantedJudgedRow

ALL_TRUE, ALL_FALSE = "all true", "all false"


def judge_rows(judge: str, rows: Sequence[PlantedJudgedRow], level: float) -> list[JudgeRow]:
    """By kind of planted claim, how many the judge got right: true ones accepted, false ones rejected.

    The rows of the two sums are its sensitivity and its specificity.
    """
    kinds = [k for k in (*TRUE_KINDS, *FALSE_KINDS) if any(row.kind == k for row in rows)]
    return [
        *(_of(judge, ALL_TRUE if true else ALL_FALSE, true, [r for r in rows if r.planted_supported is true], level)
          for true in (True, False)),
        *(_of(judge, kind, kind in TRUE_KINDS, [r for r in rows if r.kind == kind], level) for kind in kinds),
    ]  # fmt: skip


def says_yes_to_all(rows: Sequence[JudgeRow]) -> bool:
    """Whether a judge accepted everything that was planted, the false claims too."""
    true, false = (next((r for r in rows if r.kind == kind and r.n), None) for kind in (ALL_TRUE, ALL_FALSE))
    return bool(true and false and true.right == true.n and false.right == 0 and not false.inconclusive)


def agreement(
    first: str, second: str, strategy: str, against: str, verdicts: Mapping[str, Sequence[JudgedRow]]
) -> JudgePairRow:
    """Kappa of two judges on the claims of a strategy; a claim without both verdicts is left out."""
    theirs = {(r.query_id, r.claim): r.supported for r in verdicts[second]}
    pairs = [
        (_word(r.supported), _word(other))
        for r in verdicts[first]
        if r.supported is not None and (other := theirs.get((r.query_id, r.claim))) is not None
    ]
    k = cohen_kappa(pairs)
    return JudgePairRow(first, second, strategy, against, k.n, k.observed_agreement, k.kappa, k.low, k.high, k.reason)


def _of(judge: str, kind: str, true: bool, rows: Sequence[PlantedJudgedRow], level: float) -> JudgeRow:
    unknown = next((row.reason for row in rows if row.supported is None), None)
    silent = sum(not row.conclusive for row in rows if row.supported is not None)
    if unknown is not None:
        return JudgeRow(judge, kind, true, len(rows), 0, silent, None, None, None, unknown)
    right = sum(row.supported is true for row in rows)
    p = clopper_pearson(right, len(rows), level=level)
    return JudgeRow(judge, kind, true, len(rows), right, silent, p.value, p.low, p.high, p.reason)


def _word(value: bool) -> str:
    return "supported" if value else "unsupported"
