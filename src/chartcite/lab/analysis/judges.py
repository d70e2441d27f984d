"""How far judges agree: kappa on bins for every pair, Krippendorff's alpha of their numbers for all of them.

Scores between 0 and 1 are put into equal bins, closed on the left, the last one on both sides: with five bins .2 is in
the second and 1 in the fifth. Weighted kappa (quadratic) forgives neighbours; the unweighted one stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from chartcite.lab.analysis.table import MetricTable
from chartcite.lab.errors import BadInput
from chartcite.lab.statistics.cohen_kappa import Kappa, cohen_kappa
from chartcite.lab.statistics.krippendorff_alpha import Alpha, krippendorff_alpha

BINS = 5


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges on the items that both have scored. `difference`: mean of the first less the second."""

    first: str
    second: str
    n: int
    difference: float | None
    absolute_difference: float | None
    kappa: Kappa
    weighted_kappa: Kappa


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """All pairs, and all judges together. `bins`: into how many kappa's scores were put."""

    bins: int
    pairs: tuple[JudgePair, ...]
    alpha: Alpha


def judge_agreement(table: MetricTable, judges: Sequence[str], *, bins: int = BINS) -> JudgeAgreement:
    """Agreement of two or more columns.

    Raises:
        BadInput: fewer than two judges, fewer than two bins, values outside 0 to 1.
        MissingExtra: statsmodels is not installed.
    """
    if len(set(judges)) < 2 or bins < 2:
        raise BadInput("Agreement needs two judges and two bins.", "Name two or more columns.")
    columns = [table.share(name) for name in judges]
    units = [[None if (v := column[item]) is None else repr(v) for column in columns] for item in table.items]
    pairs = tuple(_pair(table, a, b, bins) for a, b in combinations(judges, 2))
    return JudgeAgreement(bins, pairs, krippendorff_alpha(units, scale="interval"))


def binned(value: float, bins: int = BINS) -> int:
    """The bin of a score, from 1.

    >>> [binned(x) for x in (0.0, 0.19, 0.2, 0.6, 1.0)]
    [1, 1, 2, 4, 5]
    """
    return min(int(value * bins + 1e-9), bins - 1) + 1


def _pair(table: MetricTable, first: str, second: str, bins: int) -> JudgePair:
    scores = table.pairs(first, second)
    labels = [(str(binned(x, bins)), str(binned(y, bins))) for x, y in scores]
    levels, n = [str(b) for b in range(1, bins + 1)], len(scores)
    return JudgePair(
        first, second, n,
        sum(x - y for x, y in scores) / n if n else None,
        sum(abs(x - y) for x, y in scores) / n if n else None,
        cohen_kappa(labels, levels=levels),
        cohen_kappa(labels, weights="quadratic", levels=levels),
    )  # fmt: skip
