"""Paired differences by cluster: what the paired tests resample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from chartcite.lab.errors import BadInput


@dataclass(frozen=True, slots=True)
class ClusteredDifferences:
    """Sums of (first - second) and numbers of cases, by cluster, in sorted order of the cluster's name.

    Sorting makes a seeded result independent of the input's order.
    """

    sums: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def n(self) -> int:
        """Cases."""
        return sum(self.sizes)

    @property
    def mean(self) -> float:
        """The mean difference over cases."""
        return math.fsum(self.sums) / self.n


def differences(
    first: Mapping[str, float | None], second: Mapping[str, float | None], clusters: Mapping[str, str] | None = None
) -> ClusteredDifferences:
    """Pair two systems' values by case.

    Args:
        first: by case id; a missing or undefined value counts as 0, as in the metrics.
        second: the same.
        clusters: by case id, what belongs together (the patient). Without it each case stands alone.

    Raises:
        BadInput: no case in common, or a case whose cluster is not given.
    """
    cases = sorted({*first, *second})
    if not set(first) & set(second):
        raise BadInput("The two systems have no case in common.", "Check that both were run on the same questions.")
    if clusters is not None and (lost := [case for case in cases if case not in clusters]):
        raise BadInput(f"{len(lost)} cases have no cluster.", "Give each case its patient, or none at all.")
    inside: dict[str, list[float]] = {}
    for case in cases:
        name = clusters[case] if clusters is not None else case
        inside.setdefault(name, []).append((first.get(case) or 0.0) - (second.get(case) or 0.0))
    names = sorted(inside)
    return ClusteredDifferences(
        tuple(math.fsum(inside[name]) for name in names), tuple(len(inside[name]) for name in names)
    )
