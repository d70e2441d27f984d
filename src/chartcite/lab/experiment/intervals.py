"""Intervals for one strategy's figures, by resampling whole clusters (patients, questions) with replacement.

The percentile interval, seeded; clusters are drawn in sorted order, so the digits do not depend on the input's order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chartcite.lab.experiment.spec import Statistics
from chartcite.lab.statistics.bootstrap import paired_bootstrap

Counts = tuple[float, ...]
Ratio = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Sums of counts, [draws, counts], to the figure of each draw."""
_CHUNK_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends, or None where a single cluster has no spread; and on how many clusters it rests."""

    low: float | None
    high: float | None
    clusters: int


def mean_interval(values: Mapping[str, float], clusters: Mapping[str, str], how: Statistics) -> Interval:
    """For a mean over cases."""
    if not values:
        return Interval(None, None, 0)
    found = paired_bootstrap(
        values, dict.fromkeys(values, 0.0), {case: clusters[case] for case in values},
        level=how.level, resamples=how.resamples, seed=how.seed,
    )  # fmt: skip
    return Interval(found.low, found.high, found.clusters)


def pooled_interval(
    counts: Mapping[str, Counts], clusters: Mapping[str, str], figure: Ratio, how: Statistics
) -> Interval:
    """For a figure made of counts that are pooled over cases, such as micro precision.

    Args:
        counts: by case, what is summed.
        clusters: by case, what is drawn together.
        figure: from sums to the figure; NaN where it is undefined, and such draws are left out.
        how: seed, number of draws, coverage.
    """
    names = sorted({clusters[case] for case in counts})
    if len(names) < 2:
        return Interval(None, None, len(names))
    place = {name: i for i, name in enumerate(names)}
    sums = np.zeros((len(names), len(next(iter(counts.values())))))
    for case in sorted(counts):
        sums[place[clusters[case]]] += counts[case]
    generator = np.random.Generator(np.random.PCG64(how.seed))
    figures: list[NDArray[np.float64]] = []
    chunk = max(1, _CHUNK_CELLS // sums.size)
    for start in range(0, how.resamples, chunk):
        drawn = generator.integers(0, len(names), size=(min(chunk, how.resamples - start), len(names)))
        figures.append(figure(sums[drawn].sum(axis=1)))
    known = np.concatenate(figures)
    known = known[~np.isnan(known)]
    if not known.size:
        return Interval(None, None, len(names))
    low, high = np.quantile(known, [(1 - how.level) / 2, (1 + how.level) / 2])
    return Interval(float(low), float(high), len(names))


def precision(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From (supporting citations, citations, supported sentences, sentences)."""
    return _share(sums[:, 0], sums[:, 1])


def recall(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the same counts."""
    return _share(sums[:, 2], sums[:, 3])


def f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the same counts; 0 where both are 0."""
    p, r = np.nan_to_num(precision(sums)), recall(sums)
    return np.where(p + r > 0, 2 * p * r / np.where(p + r > 0, p + r, 1.0), np.where(np.isnan(r), np.nan, 0.0))


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    out: NDArray[np.float64] = np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)
    return out


POOLED: Sequence[tuple[str, Ratio]] = (("precision", precision), ("recall", recall), ("f1", f1))
