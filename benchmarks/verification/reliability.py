"""Whether probabilities are what they say: grades' mean probability against the share that is evidence, with a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """One graded sentence: its query, grade, probability, and whether it is evidence."""

    query: str
    grade: int
    probability: float
    is_evidence: bool


def reliability(judgements: Sequence[Judgement], seed: int = 0) -> dict[str, Any]:
    """The table of grades and the expected calibration error over them, its interval by resampling queries.

    The error is the mean over sentences of |mean probability - share of evidence| of their grade (Naeini et al. 2015,
    with the grades as bins). It is above zero by chance alone.
    """
    grades = np.array([j.grade for j in judgements])
    p = np.array([j.probability for j in judgements])
    y = np.array([j.is_evidence for j in judgements], dtype=float)
    names = list(dict.fromkeys(j.query for j in judgements))
    of = {name: n for n, name in enumerate(names)}
    query = np.array([of[j.query] for j in judgements])
    rows = [
        {
            "grade": grade, "n": int((grades == grade).sum()),
            "probability": round(float(p[grades == grade].mean()), 4),
            "share": round(float(y[grades == grade].mean()), 4),
        } for grade in sorted(set(grades.tolist()))
    ]  # fmt: skip
    sums = np.zeros((len(names), 5, 3))
    np.add.at(sums, (query, grades - 1), np.column_stack([np.ones(len(p)), p, y]))
    rng = np.random.default_rng(seed)
    drawn = [_error(sums[rng.integers(0, len(names), len(names))].sum(axis=0)) for _ in range(DRAWS)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return {
        "queries": len(names), "sentences": len(p), "evidence": int(y.sum()), "grades": rows,
        "ece": round(_error(sums.sum(axis=0)), 4), "low": round(float(low), 4), "high": round(float(high), 4),
    }  # fmt: skip


def _error(bins: NDArray[np.float64]) -> float:
    """From sums by grade of (1, probability, evidence)."""
    return float(np.abs(bins[:, 1] - bins[:, 2]).sum() / bins[:, 0].sum())


def lines(name: str, found: dict[str, Any]) -> list[str]:
    """The table as text."""
    head = f"{name}: {found['queries']} queries, {found['sentences']} sentences, {found['evidence']} are evidence"
    rows = [
        f"    grade {r['grade']}  n {r['n']:6d}  probability {r['probability']:.3f}  evidence {r['share']:.3f}"
        for r in found["grades"]
    ]
    return [head, *rows, f"    ECE {found['ece']:.4f} [{found['low']:.4f}, {found['high']:.4f}]"]


def plot(path: Path, shown: dict[str, dict[str, Any]]) -> None:
    """A reliability diagram, a line for each set of queries."""
    import matplotlib  # noqa: PLC0415

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color="0.7", linestyle="--", linewidth=1)
    for name, found in shown.items():
        x = [row["probability"] for row in found["grades"]]
        y = [row["share"] for row in found["grades"]]
        axes.plot(x, y, marker="o", label=f"{name} (ECE {found['ece']:.3f})")
        for row in found["grades"]:
            axes.annotate(
                str(row["grade"]), (row["probability"], row["share"]), textcoords="offset points", xytext=(5, -9)
            )
    axes.set_xlabel("mean probability of the grade")
    axes.set_ylabel("share that is evidence")
    axes.legend(loc="upper left", frameon=False)
    figure.savefig(path, dpi=120, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
