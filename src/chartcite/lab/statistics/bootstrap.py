"""Paired bootstrap: an interval for the mean difference of two systems on the same questions.

Whole clusters (patients) are drawn with replacement, with all their questions, because questions of one patient are
not independent (Davison and Hinkley 1997, section 3.8; Koehn, EMNLP 2004, for the paired form). The interval is the
percentile one. For a test, use `randomisation`: a bootstrap interval is no p value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from chartcite.lab.errors import BadInput
from chartcite.lab.statistics.clusters import differences

_CHUNK_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """Mean of (first - second) with its interval. `low` and `high` are None with a reason for a single cluster."""

    difference: float
    low: float | None
    high: float | None
    standard_error: float | None
    level: float
    n: int
    clusters: int
    resamples: int
    seed: int
    reason: str = ""


def paired_bootstrap(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    clusters: Mapping[str, str] | None = None,
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> BootstrapInterval:
    """The interval; the same seed and values give the same digits, whatever the order of the input.

    Args:
        first: values of the first system by case id; None and missing count as 0.
        second: those of the second.
        clusters: what is drawn together, by case id.
        level: coverage wanted.
        resamples: how many draws.
        seed: of the generator.

    Raises:
        BadInput: no case in common, a level outside (0, 1), or fewer than 100 resamples.
    """
    if not 0 < level < 1 or resamples < 100:
        raise BadInput("The level must lie between 0 and 1, and 100 resamples is the least.")
    paired = differences(first, second, clusters)
    k = len(paired.sums)
    if k < 2:
        return BootstrapInterval(
            paired.mean, None, None, None, level, paired.n, k, resamples, seed, "a single cluster has no spread"
        )
    sums, sizes = np.asarray(paired.sums), np.asarray(paired.sizes, dtype=float)
    generator = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(resamples)
    chunk = max(1, _CHUNK_CELLS // k)
    for start in range(0, resamples, chunk):
        drawn = generator.integers(0, k, size=(min(chunk, resamples - start), k))
        means[start : start + len(drawn)] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    error = math.sqrt(float(np.var(means, ddof=1)))
    return BootstrapInterval(paired.mean, float(low), float(high), error, level, paired.n, k, resamples, seed)
