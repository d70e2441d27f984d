"""Krippendorff's alpha: agreement of any number of raters, with gaps, for labels of any kind of scale.

`alpha = 1 - Do / De`: observed over expected disagreement, from the coincidence matrix of all pairs of values within
units; a unit with m values gives each of its pairs the weight 1 / (m - 1), a unit with fewer than two gives none
(Krippendorff, *Content Analysis*, 2004, chapter 11; "Computing Krippendorff's alpha-reliability", 2011).

Distance of two values: nominal 0 or 1; interval `(c - k)^2`; ordinal: the square of the values between them, `(sum of
n_g from c to k - (n_c + n_k) / 2)^2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chartcite.lab.errors import BadInput
from chartcite.lab.statistics.ratings import are_numbers, ordered_levels

Scale = Literal["nominal", "ordinal", "interval"]
_Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Alpha:
    """Agreement on `units` with at least two values each (`values` in all); `excluded` units have fewer."""

    alpha: float | None
    scale: Scale
    units: int
    values: int
    excluded: int
    levels: tuple[str, ...]
    reason: str = ""


def krippendorff_alpha(
    units: Iterable[Sequence[str | None]], *, scale: Scale = "nominal", levels: Sequence[str] | None = None
) -> Alpha:
    """Alpha over units, each the raters' labels in any order, None where a rater said nothing.

    Args:
        units: one sequence of labels a unit.
        scale: what distance means.
        levels: the labels in order, for `ordinal` labels that are words.

    Raises:
        BadInput: words on an interval scale, words without levels on an ordinal one, a label outside the levels.
    """
    given = [[value for value in unit if value is not None] for unit in units]
    paired = [unit for unit in given if len(unit) > 1]
    used = {value for unit in paired for value in unit}
    order = _order(used, scale, levels)
    values = sum(map(len, paired))
    head = (scale, len(paired), values, len(given) - len(paired), order)
    if len(used) < 2:
        why = "only one label was used: no disagreement is possible" if used else "no unit has two values"
        return Alpha(None, *head, why)
    matrix = _coincidences(paired, order)
    totals = matrix.sum(axis=1)
    distance = _distance(order, totals, scale)
    observed = float((matrix * distance).sum()) / values
    expected = float((np.outer(totals, totals) * distance).sum()) / (values * (values - 1))
    return Alpha(1 - observed / expected, *head)


def _order(used: set[str], scale: Scale, levels: Sequence[str] | None) -> tuple[str, ...]:
    if levels is not None and not used <= set(levels):
        raise BadInput("A label is not among the levels given.")
    if not are_numbers(used) and (scale == "interval" or (scale == "ordinal" and levels is None)):
        raise BadInput(f"Words have no {scale} scale.", "Give numbers, or the levels in order, or use nominal.")
    return tuple(levels) if levels is not None else ordered_levels(used)


def _coincidences(paired: list[list[str]], order: tuple[str, ...]) -> _Matrix:
    place = {name: i for i, name in enumerate(order)}
    matrix = np.zeros((len(order), len(order)))
    for unit in paired:
        counts = np.bincount([place[value] for value in unit], minlength=len(order)).astype(float)
        matrix += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return matrix


def _distance(order: tuple[str, ...], totals: _Matrix, scale: Scale) -> _Matrix:
    if scale == "nominal":
        return 1 - np.eye(len(order))
    # Ordinal: the middle of each level's ranks, whose differences are the formula's sums.
    middles = np.cumsum(totals) - totals / 2
    at = np.array([float(value) for value in order]) if scale == "interval" else middles
    return np.asarray((at[:, None] - at[None, :]) ** 2)
