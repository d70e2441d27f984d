"""Cohen's kappa: agreement of two raters beyond what their habits would give by chance.

`kappa = (po - pe) / (1 - pe)`, po the share of agreement, pe the sum over labels of the product of both raters'
shares (Cohen, Educ. Psychol. Meas. 20, 1960); weighted: disagreements count by distance, linear `|i - j|` or quadratic
`(i - j)^2` of the labels' positions (Cohen, Psychol. Bull. 70, 1968). The interval is the large-sample one (Fleiss,
Cohen and Everitt, Psychol. Bull. 72, 1969), computed by statsmodels.

Kappa falls when one label is rare, however well raters agree; therefore the raw agreement and Gwet's AC1
(`pe = sum of p(1 - p) / (q - 1)`, Br. J. Math. Stat. Psychol. 61, 2008) stand beside it. With one label in use nothing
can be said: None, with the reason; neither 0 nor 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from chartcite.lab.errors import BadInput
from chartcite.lab.extras import need
from chartcite.lab.statistics.ratings import are_numbers, ordered_levels

Weights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement of two raters on `n` items; `levels` in the order the weights use.

    `low` and `high` are the 95 % interval of kappa, cut at -1 and 1; None when its standard error is 0 (as with perfect
    agreement), where that formula says nothing.
    """

    n: int
    observed_agreement: float | None
    kappa: float | None
    low: float | None
    high: float | None
    ac1: float | None
    weights: Weights
    levels: tuple[str, ...]
    reason: str = ""


def cohen_kappa(
    pairs: Iterable[tuple[str, str]], *, weights: Weights = "none", levels: Sequence[str] | None = None
) -> Kappa:
    """Kappa of complete pairs; which rater comes first and how items are ordered does not matter.

    Args:
        pairs: (first rater's label, second rater's label), one an item.
        weights: how much a near miss counts.
        levels: the labels in order; without it numbers are ordered as numbers, and weights refuse words.

    Raises:
        BadInput: a label that is not among the levels given.
        MissingExtra: statsmodels is not installed.
    """
    counts = Counter(pairs)
    used = {x for pair in counts for x in pair}
    if levels is not None and not used <= set(levels):
        raise BadInput("A label is not among the levels given.")
    order = tuple(levels) if levels is not None else ordered_levels(used)
    n = sum(counts.values())
    agreed = sum(m for (a, z), m in counts.items() if a == z) / n if n else None
    ac1 = _ac1(counts, n, used) if len(used) > 1 else None
    if len(used) < 2:
        why = "there is no item" if not n else "only one label was used: chance agreement is 1"
        return Kappa(n, agreed, None, None, None, None, weights, order, why)
    if weights != "none" and levels is None and not are_numbers(used):
        why = "the labels have no order: weights need one"
        return Kappa(n, agreed, None, None, None, ac1, weights, order, why)
    kappa, low, high = _statsmodels(_table(counts, order), weights)
    why = "" if low is not None else "the standard error is 0: the interval's formula says nothing"
    return Kappa(n, agreed, kappa, low, high, ac1, weights, order, why)


def _table(counts: Counter[tuple[str, str]], order: tuple[str, ...]) -> Any:
    place = {name: i for i, name in enumerate(order)}
    table = np.zeros((len(order), len(order)))
    for (a, z), m in counts.items():
        table[place[a], place[z]] += m
    return table


def _statsmodels(table: Any, weights: Weights) -> tuple[float, float | None, float | None]:
    rater = need("statsmodels.stats.inter_rater")
    # Its words: wt "linear" is Cicchetti-Allison of |i - j|, "quadratic" of (i - j)^2; both of positions.
    with np.errstate(divide="ignore", invalid="ignore"):  # its z value, which nobody asked for, may be 0/0
        found = rater.cohens_kappa(table, wt=None if weights == "none" else weights)
    kappa, error = float(found.kappa), float(found.std_kappa)
    if not error > 0 or np.trace(table) == table.sum():
        return kappa, None, None
    return kappa, max(float(found.kappa_low), -1.0), min(float(found.kappa_upp), 1.0)


def _ac1(counts: Counter[tuple[str, str]], n: int, used: set[str]) -> float:
    share = {x: sum(m * ((a == x) + (z == x)) for (a, z), m in counts.items()) / (2 * n) for x in used}
    chance = sum(p * (1 - p) for p in share.values()) / (len(used) - 1)
    agreed = sum(m for (a, z), m in counts.items() if a == z) / n
    return (agreed - chance) / (1 - chance)
