"""Calibration: does a probability of .8 mean right four times in five?

- Brier score: mean of (probability - outcome) squared (Brier 1950); 0 is best, 0.25 is what .5 for everything gets;
- ECE: `sum over bins of (n_bin / n) * |share right - mean probability|` (Naeini et al., AAAI 2015; equal-width bins
  closed on the right as in Guo et al., ICML 2017, 0 in the first).

ECE depends on the number of bins and is biased upwards when bins are thin: read it with the bins and their n.
A case without a probability cannot be scored here: it is counted in the reason, never filled in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from chartcite.lab.errors import BadInput
from chartcite.lab.measured import Measured, Needs, Summary, Value, absent, averaged, unasked


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a reliability diagram over (low, high]; `n` cases, their mean probability and share right."""

    low: float
    high: float
    n: int
    mean_probability: float | None
    share_right: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Needs probability. `bins`: how many of equal width.

    >>> found = Calibration(bins=2).measure({"a": True, "b": False}, {"a": 0.75, "b": 0.25})
    >>> found["ece"].value, found["brier"].value
    (0.25, 0.0625)
    """

    bins: int = 10
    needs: ClassVar[Needs] = "probability"

    @property
    def name(self) -> str:
        """`calibration`."""
        return "calibration"

    def measure(self, gold: Mapping[str, bool], predicted: Mapping[str, float]) -> Measured:
        """Brier score by case and over all; ECE over all."""
        values = [_squared(case, right, predicted.get(case)) for case, right in gold.items()]
        brier = averaged("brier", values, absent(gold, predicted))
        table = reliability(gold, predicted, self.bins)
        gaps = [b.n * abs(b.share_right - b.mean_probability) for b in table if b.share_right is not None
                and b.mean_probability is not None]  # fmt: skip
        ece = math.fsum(gaps) / brier.n if brier.n else None
        return Measured(
            tuple(values),
            (brier, Summary("ece", ece, brier.n, missing=brier.missing, reason=brier.reason)),
            unasked(gold, predicted),
        )


def reliability(gold: Mapping[str, bool], predicted: Mapping[str, float], bins: int = 10) -> tuple[Bin, ...]:
    """The reliability diagram as a table, empty bins included.

    Raises:
        BadInput: fewer than one bin, or a probability outside [0, 1].
    """
    if bins < 1:
        raise BadInput("Calibration needs at least one bin.")
    edges = [i / bins for i in range(bins + 1)]
    inside: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for case, right in gold.items():
        if case in predicted:
            p = _checked(predicted[case])
            inside[next(i for i in range(bins) if p <= edges[i + 1])].append((p, bool(right)))
    return tuple(_bin(edges[i], edges[i + 1], inside[i]) for i in range(bins))


def _bin(low: float, high: float, inside: list[tuple[float, bool]]) -> Bin:
    n = len(inside)
    if not n:
        return Bin(low, high, 0, None, None)
    return Bin(low, high, n, math.fsum(p for p, _ in inside) / n, sum(right for _, right in inside) / n)


def _squared(case: str, right: bool, probability: float | None) -> Value:
    if probability is None:
        return Value(case, "brier", None, "no probability")
    return Value(case, "brier", (_checked(probability) - right) ** 2)


def _checked(probability: float) -> float:
    if not 0 <= probability <= 1:
        raise BadInput("A probability must lie between 0 and 1.")
    return probability


METRIC = Calibration
