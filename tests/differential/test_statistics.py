"""Statistics against statsmodels, scipy, scikit-learn and their own definitions: 1,000 random tables each."""

from __future__ import annotations

import gc
import importlib
import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from chartcite.lab.statistics.bootstrap import paired_bootstrap
from chartcite.lab.statistics.cohen_kappa import Weights, cohen_kappa
from chartcite.lab.statistics.holm import holm
from chartcite.lab.statistics.krippendorff_alpha import Scale, krippendorff_alpha
from chartcite.lab.statistics.mcnemar import mcnemar
from chartcite.lab.statistics.proportion import clopper_pearson, wilson
from chartcite.lab.statistics.randomisation import paired_randomisation

TABLES = 1000

scipy_stats: Any = importlib.import_module("scipy.stats")
sklearn_metrics: Any = importlib.import_module("sklearn.metrics")
tables: Any = importlib.import_module("statsmodels.stats.contingency_tables")
rater: Any = importlib.import_module("statsmodels.stats.inter_rater")
shares: Any = importlib.import_module("statsmodels.stats.proportion")


def test_mcnemar_equals_statsmodels() -> None:
    rng = random.Random(1)
    for _ in range(TABLES):
        both, b, c, neither = (rng.randint(0, rng.choice([3, 30, 300])) for _ in range(4))
        b += not b + c
        ours, table = mcnemar(b, c, both=both, neither=neither), [[both, b], [c, neither]]
        assert ours.p_exact == pytest.approx(tables.mcnemar(table, exact=True).pvalue, abs=1e-9)
        plain = tables.mcnemar(table, exact=False, correction=False)
        assert (ours.chi2, ours.p_chi2) == pytest.approx((plain.statistic, plain.pvalue), abs=1e-9)
        if b != c:  # there statsmodels corrects past zero
            edwards = tables.mcnemar(table, exact=False, correction=True)
            assert (ours.chi2_corrected, ours.p_corrected) == pytest.approx(
                (edwards.statistic, edwards.pvalue), abs=1e-9
            )
            assert ours.p_mid == pytest.approx(_mid_p(b, c), abs=1e-9)
        assert 0 <= ours.p_mid <= ours.p_exact <= 1
        swapped = mcnemar(c, b, both=both, neither=neither)
        assert (swapped.p_exact, swapped.chi2) == (ours.p_exact, ours.chi2)
        assert swapped.p_mid == pytest.approx(ours.p_mid, abs=1e-12)


def _mid_p(b: int, c: int) -> float:
    """By definition: twice (P(less than the smaller) + half P(exactly it)), in whole numbers."""
    n, least = b + c, min(b, c)
    below = sum(math.comb(n, i) for i in range(least))
    return float((2 * below + math.comb(n, least)) / 2**n)


@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_kappa_equals_scikit_learn(weights: Weights, theirs: str | None) -> None:
    rng = random.Random(2)
    for _ in range(TABLES):
        levels = [str(i) for i in range(1, rng.randint(2, 5) + 1)]
        pairs = [
            (a, a if rng.random() < 0.6 else rng.choice(levels)) for a in rng.choices(levels, k=rng.randint(2, 40))
        ]
        if len({x for p in pairs for x in p}) < 2:
            continue
        ours = cohen_kappa(pairs, weights=weights, levels=levels)
        expected = sklearn_metrics.cohen_kappa_score(
            [a for a, _ in pairs], [z for _, z in pairs], weights=theirs, labels=levels
        )
        assert ours.kappa == pytest.approx(expected, abs=1e-9)
        assert cohen_kappa([(z, a) for a, z in pairs], weights=weights, levels=levels).kappa == pytest.approx(
            ours.kappa
        )


def test_kappas_interval_equals_the_large_sample_formula() -> None:
    rng = random.Random(3)
    for _ in range(TABLES):
        table = np.array([[rng.randint(1, 20) for _ in range(3)] for _ in range(3)], dtype=float)
        pairs = [(str(i), str(j)) for i in range(3) for j in range(3) for _ in range(int(table[i, j]))]
        ours = cohen_kappa(pairs)
        p = table / table.sum()
        rows, columns = p.sum(axis=1), p.sum(axis=0)
        po, pe = float(np.trace(p)), float(rows @ columns)
        k = (po - pe) / (1 - pe)
        # Fleiss, Cohen and Everitt (1969), eq. 13
        a = sum(p[i, i] * (1 - (rows[i] + columns[i]) * (1 - k)) ** 2 for i in range(3))
        b = (1 - k) ** 2 * sum(p[i, j] * (columns[i] + rows[j]) ** 2 for i, j in itertools.permutations(range(3), 2))
        variance = (a + b - (k - pe * (1 - k)) ** 2) / (1 - pe) ** 2 / table.sum()
        half = 1.959963984540054 * math.sqrt(variance)
        assert (ours.kappa, ours.low, ours.high) == pytest.approx((k, max(k - half, -1), min(k + half, 1)), abs=1e-9)


def test_alpha_of_two_complete_raters_follows_from_fleiss_kappa() -> None:
    rng = random.Random(4)
    for _ in range(TABLES):
        units = [
            [rng.choice("ab" if rng.random() < 0.5 else "abc") for _ in range(2)] for _ in range(rng.randint(3, 30))
        ]
        units += [["a", "b"]]
        counts = [[unit.count(x) for x in "abc"] for unit in units]
        pi, n = rater.fleiss_kappa(np.array(counts), method="fleiss"), 2 * len(units)
        assert krippendorff_alpha(units).alpha == pytest.approx(1 - (1 - pi) * (n - 1) / n, abs=1e-9)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_alpha_equals_its_definition_over_all_pairs(scale: Scale) -> None:
    rng = random.Random(5)
    for _ in range(TABLES // 4):
        units = [[rng.choice(["1", "2", "3", "7", None]) for _ in range(3)] for _ in range(6)] + [["1", "2", None]]
        assert krippendorff_alpha(units, scale=scale).alpha == pytest.approx(_alpha(units, scale), abs=1e-9)


def _alpha(units: list[list[str | None]], scale: Scale) -> float:
    kept = [[v for v in u if v is not None] for u in units]
    kept = [u for u in kept if len(u) > 1]
    values = [v for u in kept for v in u]

    def distance(c: str, k: str) -> float:
        if scale == "nominal":
            return float(c != k)
        if scale == "interval":
            return (float(c) - float(k)) ** 2
        low, high = sorted((c, k), key=float)
        between = sum(values.count(g) for g in set(values) if float(low) <= float(g) <= float(high))
        return (between - (values.count(c) + values.count(k)) / 2) ** 2 if c != k else 0.0

    observed = sum(sum(distance(a, b) for a, b in itertools.permutations(u, 2)) / (len(u) - 1) for u in kept)
    expected = sum(distance(a, b) for a, b in itertools.permutations(values, 2)) / (len(values) - 1)
    return 1 - observed / expected


def test_holm_equals_statsmodels(monkeypatch: pytest.MonkeyPatch) -> None:
    multitest: Any = importlib.import_module("statsmodels.stats.multitest")
    monkeypatch.setattr(gc, "collect", lambda: 0)  # it collects garbage at every call
    rng = random.Random(6)
    for _ in range(TABLES):
        given = {str(i): rng.choice([rng.random(), rng.random() / 50, 0.05]) for i in range(rng.randint(1, 8))}
        rejected, adjusted, _, _ = multitest.multipletests(list(given.values()), alpha=0.05, method="holm")
        ours = holm(given)
        assert [a.p_adjusted for a in ours] == pytest.approx(list(adjusted), abs=1e-12)
        assert [a.rejected for a in ours] == list(rejected)


def test_intervals_of_a_share_equal_statsmodels() -> None:
    rng = random.Random(7)
    for _ in range(TABLES):
        n = rng.randint(1, 600)
        k, level = rng.choice([0, n, rng.randint(0, n)]), rng.choice([0.9, 0.95, 0.99])
        for ours, theirs in ((wilson, "wilson"), (clopper_pearson, "beta")):
            found = ours(k, n, level=level)
            low, high = shares.proportion_confint(k, n, alpha=1 - level, method=theirs)
            assert (found.low, found.high) == pytest.approx((float(low), float(high)), abs=1e-9)


def test_exact_randomisation_equals_scipy() -> None:
    rng = random.Random(8)
    for _ in range(TABLES):
        n = rng.randint(2, 7)
        a, z = ([float(rng.randint(0, 4)) for _ in range(n)] for _ in range(2))
        ours = paired_randomisation(dict(zip("abcdefg", a, strict=False)), dict(zip("abcdefg", z, strict=False)))
        theirs = scipy_stats.permutation_test(
            (np.array(a), np.array(z)), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
            vectorized=True,
        )  # fmt: skip
        assert ours.exact
        assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)


def test_the_bootstraps_standard_error_is_the_theoretical_one() -> None:
    rng = random.Random(9)
    for seed in range(20):
        values = {str(i): rng.gauss(0.1, 1) for i in range(80)}
        found = paired_bootstrap(values, dict.fromkeys(values, 0.0), resamples=4000, seed=seed)
        theory = float(np.std(list(values.values()))) / math.sqrt(80)
        assert found.standard_error == pytest.approx(theory, rel=0.06)
        theirs = scipy_stats.bootstrap(
            (np.array(list(values.values())),), np.mean, method="percentile", n_resamples=4000,
            rng=np.random.default_rng(seed),
        ).confidence_interval  # fmt: skip
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.25 * theory)
