"""McNemar's test: do two systems differ on the same questions?

Only the questions on which exactly one was right speak: b (only the first) and c (only the second).

- chi-square: (b - c)^2 / (b + c), 1 degree of freedom (McNemar, Psychometrika 12, 1947);
- corrected: (max(|b - c| - 1, 0))^2 / (b + c) (Edwards, Psychometrika 13, 1948). The correction never pushes past
  zero: for b = c statsmodels gives 1 / (b + c), ours is 0;
- exact: two-sided binomial of b among b + c at 1/2, at most 1;
- mid-p: exact less the probability of the table seen (Fagerland et al., BMC Med. Res. Methodol. 13:91, 2013). For
  b = c, where the exact p is capped at 1, this gives 1 - P; Fagerland's software gives 1 - P/2. Nothing hangs on it.

The headline is the exact p when b + c < 25, else the chi-square one; all four are always there.
The difference of the two shares has an interval (Bonett and Price, J. Educ. Behav. Stat. 37, 2012, Wald with 1/2
added to b and c), because a p value says nothing about size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from chartcite.lab.errors import BadInput
from chartcite.lab.extras import need

SMALL = 25


@dataclass(frozen=True, slots=True)
class McNemar:
    """One paired table and every form of the test on it.

    Attributes:
        both, b, c, neither: questions both got right, only the first, only the second, none.
        difference: share right of the first less that of the second, with its 95 % interval.
        headline: the p value to quote; `headline_test` says which it is.
        reason: why the statistics are None (no discordant question).
    """

    n: int
    both: int
    b: int
    c: int
    neither: int
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    chi2: float | None
    p_chi2: float | None
    chi2_corrected: float | None
    p_corrected: float | None
    p_exact: float
    p_mid: float
    headline: float | None
    headline_test: Literal["exact", "chi2"]
    reason: str = ""


def mcnemar(b: int, c: int, *, both: int = 0, neither: int = 0) -> McNemar:
    """Test a table given by its counts.

    Raises:
        BadInput: a negative count.
        MissingExtra: scipy is not installed.
    """
    if min(b, c, both, neither) < 0:
        raise BadInput("A count cannot be negative.")
    stats = need("scipy.stats")
    n, discordant = both + b + c + neither, b + c
    low, high = _interval(b, c, n, float(stats.norm.ppf(0.975)))
    exact = float(stats.binomtest(b, discordant, 0.5).pvalue) if discordant else 1.0
    mid = exact - float(stats.binom.pmf(b, discordant, 0.5)) if discordant else 1.0
    chi2 = (b - c) ** 2 / discordant if discordant else None
    corrected = max(abs(b - c) - 1, 0) ** 2 / discordant if discordant else None
    p_chi2, p_corrected = (None if x is None else float(stats.chi2.sf(x, 1)) for x in (chi2, corrected))
    small = discordant < SMALL
    return McNemar(
        n, both, b, c, neither, (b - c) / n if n else None, low, high, chi2, p_chi2, corrected, p_corrected, exact, mid,
        exact if small else p_chi2, "exact" if small else "chi2",
        "" if discordant else "the systems never differ: b + c = 0",
    )  # fmt: skip


def mcnemar_of(pairs: Iterable[tuple[bool, bool]]) -> McNemar:
    """Test pairs of right and wrong: (first system, second system), one a question."""
    counts = {(a, z): 0 for a in (True, False) for z in (True, False)}
    for first, second in pairs:
        counts[bool(first), bool(second)] += 1
    return mcnemar(counts[True, False], counts[False, True], both=counts[True, True], neither=counts[False, False])


def _interval(b: int, c: int, n: int, z: float) -> tuple[float | None, float | None]:
    if not n:
        return None, None
    first, second = (b + 1) / (n + 2), (c + 1) / (n + 2)
    half = z * math.sqrt((first + second - (first - second) ** 2) / (n + 2))
    return max(first - second - half, -1.0), min(first - second + half, 1.0)
