"""Figures made of pooled counts (balanced accuracy, F1, kappa, AC1): intervals by resampling whole clusters, seeded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from chartcite.lab.experiment.intervals import Counts, Ratio, pooled_interval
from chartcite.lab.experiment.spec import Statistics
from verification.checkers import Judged
from verification.figures import Figure


def resampled(counts: Mapping[str, Counts], clusters: Mapping[str, str], ratio: Ratio) -> Figure:
    """The figure of the summed counts, and its 95 % percentile interval over 10,000 draws of clusters.

    Args:
        counts: by case, what is summed.
        clusters: by case, what hangs together.
        ratio: from sums [draws, counts] to the figure of each draw, NaN where it is undefined.
    """
    if not counts:
        return {"n": 0, "clusters": 0, "value": None, "low": None, "high": None}
    whole = float(ratio(np.array([counts[case] for case in counts]).sum(axis=0, keepdims=True))[0])
    found = pooled_interval(counts, clusters, ratio, Statistics())
    ends = (None if np.isnan(whole) else whole, found.low, found.high)
    value, low, high = (None if v is None else round(v, 4) for v in ends)
    return {"n": len(counts), "clusters": found.clusters, "value": value, "low": low, "high": high}


def shown_ratio(figure: Figure) -> str:
    """`.622 [.580, .660]`, or a dash."""
    if figure["value"] is None:
        return "-"
    low, high = (f"{figure[end]:.3f}" if figure[end] is not None else "-" for end in ("low", "high"))
    return f"{figure['value']:.3f} [{low}, {high}]"


def f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From (hits, predicted, gold)."""
    return _share(2 * sums[:, 0], sums[:, 1] + sums[:, 2])


def precision(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the same counts."""
    return _share(sums[:, 0], sums[:, 1])


def recall(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the same counts."""
    return _share(sums[:, 0], sums[:, 2])


def mean_recall(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Balanced accuracy, from a confusion matrix laid flat: rows are the gold labels; a label without gold is out."""
    cells = _square(sums)
    rows = cells.sum(axis=2)
    hits = np.where(rows > 0, np.diagonal(cells, axis1=1, axis2=2) / np.where(rows > 0, rows, 1.0), np.nan)
    mean: NDArray[np.float64] = np.nanmean(hits, axis=1)
    return mean


def kappa(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cohen's, from the same."""
    cells, n = _square(sums), sums.sum(axis=1)
    agreed = np.trace(cells, axis1=1, axis2=2) / n
    chance = (cells.sum(axis=1) * cells.sum(axis=2)).sum(axis=1) / n**2
    return _share(agreed - chance, 1 - chance)


def ac1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Gwet's, from the same; the labels are those of the matrix, used or not."""
    cells, n = _square(sums), sums.sum(axis=1)
    agreed = np.trace(cells, axis1=1, axis2=2) / n
    share = (cells.sum(axis=1) + cells.sum(axis=2)) / (2 * n[:, None])
    chance = (share * (1 - share)).sum(axis=1) / (cells.shape[1] - 1)
    return _share(agreed - chance, 1 - chance)


def cells_of(pairs: Mapping[str, tuple[str, str]], labels: Sequence[str]) -> dict[str, Counts]:
    """By case, a flat confusion matrix with a single 1: the gold label's row, the other's column."""
    place = {label: i for i, label in enumerate(labels)}
    size = len(labels)
    return {
        case: tuple(float(i == place[gold] * size + place[other]) for i in range(size * size))
        for case, (gold, other) in pairs.items()
    }


def clusters_of(judged: Sequence[Judged]) -> dict[str, str]:
    """What hangs together, by the item's id."""
    return {one.item.id: one.item.cluster or one.item.id for one in judged}


def _square(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    size = round(sums.shape[1] ** 0.5)
    return sums.reshape(-1, size, size)


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    out: NDArray[np.float64] = np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)
    return out
