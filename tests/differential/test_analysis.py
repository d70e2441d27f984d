"""Standardising, percentiles, correlations and kappa on bins against scipy, scikit-learn and the standard library."""

from __future__ import annotations

import importlib
import random
import statistics
from typing import Any

import pytest

from chartcite.lab.analysis.correlation import correlations
from chartcite.lab.analysis.judges import judge_agreement
from chartcite.lab.analysis.standardise import percentile, z_scores
from chartcite.lab.analysis.table import table_of

SIZES = [60, pytest.param(1000, marks=pytest.mark.soak)]
scipy_stats: Any = importlib.import_module("scipy.stats")
sklearn_metrics: Any = importlib.import_module("sklearn.metrics")


def columns(rng: random.Random) -> tuple[list[float], list[float]]:
    n = rng.randint(5, 40)
    steps = rng.choice([4, 10, 1000])
    one = [rng.randint(0, steps) / steps for _ in range(n)]
    return one, [min(1.0, max(0.0, x + rng.choice([0, 0, 0.25, -0.25, rng.random() - 0.5]))) for x in one]


def ranks(side: list[float]) -> list[float]:
    """Equal values share the mean of their ranks."""
    return [sum(y < x for y in side) + (sum(y == x for y in side) + 1) / 2 for x in side]


@pytest.mark.parametrize("size", SIZES)
def test_against_libraries(size: int) -> None:
    rng = random.Random(31)
    for _ in range(size):
        one, two = columns(rng)
        if len(set(one)) == 1 or len(set(two)) == 1:
            continue
        column: dict[str, float | None] = {str(i): x for i, x in enumerate(one)}
        assert list(z_scores(column).values()) == pytest.approx(scipy_stats.zscore(one).tolist(), abs=1e-9)
        cuts = statistics.quantiles(one, n=5, method="inclusive")
        assert (percentile(column, 40), percentile(column, 60)) == pytest.approx((cuts[1], cuts[2]))
        table = table_of([(str(i), name, x) for name, side in (("a", one), ("b", two)) for i, x in enumerate(side)])
        pearson, spearman = correlations(table)
        assert pearson.value == pytest.approx(statistics.correlation(one, two), abs=1e-9)
        assert spearman.value == pytest.approx(statistics.correlation(ranks(one), ranks(two)), abs=1e-9)
        found = scipy_stats.pearsonr(one, two)
        span = found.confidence_interval(0.95)
        if pearson.low is not None:
            assert (pearson.low, pearson.high) == pytest.approx((span.low, span.high), abs=1e-9)
        (pair,) = judge_agreement(table, ["a", "b"]).pairs
        labels = [[min(int(x * 5 + 1e-9), 4) for x in side] for side in (one, two)]
        if pair.kappa.kappa is not None:
            assert pair.kappa.kappa == pytest.approx(sklearn_metrics.cohen_kappa_score(*labels), abs=1e-9)
            weighted = sklearn_metrics.cohen_kappa_score(*labels, weights="quadratic", labels=range(5))
            assert pair.weighted_kappa.kappa == pytest.approx(weighted, abs=1e-9)
