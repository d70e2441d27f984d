"""How metrics go together: Pearson and Spearman for every pair, each with its n and interval.

Items that have both values; intervals by Fisher's z, for Spearman with the variance of Bonett and Wright (Psychometrika
65, 2000): `(1 + r^2 / 2) / (n - 3)`. Both take items as independent. A metric that is the same for all items, or fewer
than three items, has no correlation: None, with the reason. From four items on there is an interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from chartcite.lab.analysis.table import MetricTable, names_of
from chartcite.lab.extras import need

Kind = Literal["pearson", "spearman"]
KINDS: tuple[Kind, ...] = ("pearson", "spearman")


@dataclass(frozen=True, slots=True)
class Correlation:
    """One pair of columns; `p`: two-sided, of no correlation."""

    first: str
    second: str
    kind: Kind
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    reason: str = ""


def correlations(table: MetricTable, metrics: Sequence[str] = (), *, level: float = 0.95) -> list[Correlation]:
    """Every pair once, in the order of the columns; first Pearson, then Spearman.

    Raises:
        BadInput: no column of that name.
        MissingExtra: scipy is not installed.
    """
    pairs = combinations(names_of(table, metrics), 2)
    return [_correlation(table, a, b, kind, level) for a, b in pairs for kind in KINDS]


def _correlation(table: MetricTable, first: str, second: str, kind: Kind, level: float) -> Correlation:
    pairs = table.pairs(first, second)
    sides = list(zip(*pairs, strict=True))
    head, n = (first, second, kind), len(pairs)
    if n < 3:
        return Correlation(*head, None, None, None, None, n, "fewer than three items have both")
    if any(len(set(side)) == 1 for side in sides):
        return Correlation(*head, None, None, None, None, n, "a metric is the same for all items")
    stats = need("scipy.stats")
    found = (stats.pearsonr if kind == "pearson" else stats.spearmanr)(*sides)
    r = max(-1.0, min(1.0, float(found.statistic)))
    low, high = _interval(r, n, kind, level)
    p = float(found.pvalue)
    return Correlation(*head, r, low, high, None if math.isnan(p) else p, n)


def _interval(r: float, n: int, kind: Kind, level: float) -> tuple[float | None, float | None]:
    if n < 4 or abs(r) == 1:
        return None, None
    variance = (1 + (r * r / 2 if kind == "spearman" else 0)) / (n - 3)
    half = float(need("scipy.stats").norm.ppf((1 + level) / 2)) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
