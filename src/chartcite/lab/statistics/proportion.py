"""Intervals for a share: Wilson's, for reading, and Clopper and Pearson's, for guarantees.

- Wilson (JASA 22, 1927): the score interval; close to the stated coverage on average, never empty at 0 or n.
- Clopper and Pearson (Biometrika 26, 1934): exact; covers at least as often as stated, so its lower bound is the one
  to quote when nothing went wrong: 200 of 200 has 98.2 % as the lower end of its two-sided 95 % interval.

Both take the cases as independent. Claims of one query are not: give the queries instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chartcite.lab.errors import BadInput
from chartcite.lab.extras import need

Method = Literal["wilson", "clopper_pearson"]


@dataclass(frozen=True, slots=True)
class Proportion:
    """`successes` of `n`, the share and its interval; None with a reason when n is 0."""

    successes: int
    n: int
    value: float | None
    low: float | None
    high: float | None
    level: float
    method: Method
    reason: str = ""


def wilson(successes: int, n: int, *, level: float = 0.95) -> Proportion:
    """Wilson's score interval, without continuity correction."""
    return _proportion(successes, n, level, "wilson")


def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> Proportion:
    """The exact interval."""
    return _proportion(successes, n, level, "clopper_pearson")


def _proportion(successes: int, n: int, level: float, method: Method) -> Proportion:
    if not 0 <= successes <= n or not 0 < level < 1:
        raise BadInput("Successes must lie between 0 and n, the level between 0 and 1.")
    if not n:
        return Proportion(0, 0, None, None, None, level, method, "there is no case")
    test = need("scipy.stats").binomtest(successes, n)
    found = test.proportion_ci(confidence_level=level, method="exact" if method == "clopper_pearson" else "wilson")
    return Proportion(successes, n, successes / n, float(found.low), float(found.high), level, method)
