"""Metrics on one scale: z-scores, and where a value stands among the others of its metric.

`z = (x - mean) / standard deviation`, the latter of the population (divided by n). Percentiles interpolate linearly
between neighbours (Hyndman and Fan, Am. Stat. 50, 1996, type 7). Both over the items that have a value.
"""

from __future__ import annotations

import math
from statistics import fmean

import numpy as np

from chartcite.lab.analysis.table import Column, MetricTable


def z_scores(column: Column) -> dict[str, float | None]:
    """By item; None where there is no value, or where all values are the same and nothing stands out.

    >>> z_scores({"a": 1.0, "b": 3.0, "c": None})
    {'a': -1.0, 'b': 1.0, 'c': None}
    """
    known = [value for value in column.values() if value is not None]
    mean = fmean(known) if known else 0.0
    spread = math.sqrt(fmean((value - mean) ** 2 for value in known)) if known else 0.0
    if not spread or min(known) == max(known):
        return dict.fromkeys(column)
    return {item: None if value is None else (value - mean) / spread for item, value in column.items()}


def standardised(table: MetricTable) -> MetricTable:
    """All columns as z-scores."""
    return MetricTable(table.items, {name: z_scores(c) for name, c in table.columns.items()}, table.clusters)


def percentile(column: Column, percent: float) -> float | None:
    """The value below which so many percent of the column lie; None of an empty column."""
    known = [value for value in column.values() if value is not None]
    return float(np.percentile(known, percent)) if known else None
