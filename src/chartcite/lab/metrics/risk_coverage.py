"""Risk against coverage: if only the surest answers were given, how many of those would be wrong?

Sort by confidence; at coverage i/n the risk is the share of wrong answers among the i surest. `AURC = (1/n) * sum of
the risks` (Geifman and El-Yaniv, NeurIPS 2017; Geifman et al., ICLR 2019), 0 is best; `excess_aurc` subtracts what a
perfect order of the same answers would get, so that it judges the confidence and not the accuracy.
Among equal confidences the expected risk over all orders is taken, so the result does not depend on the input's order.
A case without an answer counts as wrong and as the least sure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from chartcite.lab.errors import BadInput
from chartcite.lab.measured import Measured, Needs, Summary, Value, absent, unasked


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the curve: answering the `answered` surest, `coverage` of all, has this `risk`."""

    answered: int
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """Needs probability: any number that is greater where the answer is surer.

    >>> found = RiskCoverage().measure({"a": True, "b": False}, {"a": 0.9, "b": 0.2})
    >>> found["aurc"].value, found["excess_aurc"].value
    (0.25, 0.0)
    """

    needs: ClassVar[Needs] = "probability"

    @property
    def name(self) -> str:
        """`risk_coverage`."""
        return "risk_coverage"

    def measure(self, gold: Mapping[str, bool], predicted: Mapping[str, float]) -> Measured:
        """AURC and excess AURC over all cases; by case, 1 for a wrong answer."""
        wrong = {case: case not in predicted or not right for case, right in gold.items()}
        values = tuple(
            Value(case, "wrong", float(bad), "" if case in predicted else "no prediction")
            for case, bad in wrong.items()
        )
        missing, n = absent(gold, predicted), len(gold)
        if not n:
            return Measured((), tuple(Summary(m, None, 0, reason="there is no case") for m in ("aurc", "excess_aurc")))
        aurc = _area(curve(gold, predicted))
        best = _area(_points([(float(not bad), bad) for bad in wrong.values()]))
        summaries = (
            Summary("aurc", aurc, n, missing=missing),
            Summary("excess_aurc", aurc - best, n, missing=missing),
        )
        return Measured(values, summaries, unasked(gold, predicted))


def curve(gold: Mapping[str, bool], predicted: Mapping[str, float]) -> tuple[Point, ...]:
    """The whole curve, one point a case.

    Raises:
        BadInput: a confidence that is not a number.
    """
    if any(math.isnan(c) for c in predicted.values()):
        raise BadInput("A confidence is not a number.")
    return _points(
        [(predicted.get(case, -math.inf), case not in predicted or not right) for case, right in gold.items()]
    )


def _points(scored: Iterable[tuple[float, bool]]) -> tuple[Point, ...]:
    ordered = sorted(scored, key=lambda s: -s[0])
    points: list[Point] = []
    wrong_before = 0.0
    for _, tied in groupby(ordered, key=lambda s: s[0]):
        flags = [bad for _, bad in tied]
        share, start = sum(flags) / len(flags), len(points)
        for i in range(1, len(flags) + 1):
            answered = start + i
            points.append(Point(answered, answered / len(ordered), (wrong_before + i * share) / answered))
        wrong_before += sum(flags)
    return tuple(points)


def _area(points: tuple[Point, ...]) -> float:
    return math.fsum(p.risk for p in points) / len(points)


METRIC = RiskCoverage
