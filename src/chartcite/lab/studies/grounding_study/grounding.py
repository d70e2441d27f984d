"""Grounding accuracy at three levels, each with its intervals; and the same by query, for paired tests.

- `claim`: the share of all claims that are supported. The exact interval takes claims as independent, which those of
  one query are not; beside it stands the interval from resampling queries.
- `query`: the share of queries with a claim, all of whose claims are supported.
- `overall`: the mean over queries of the share supported.

A query without any claim counts as unsupported, unless the documents are known not to answer it: then it had nothing to
claim and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from chartcite.lab.experiment.intervals import mean_interval, pooled_interval
from chartcite.lab.experiment.spec import Statistics
from chartcite.lab.statistics.proportion import clopper_pearson
from chartcite.lab.studies.grounding_study.tables import GroundingRow

Verdicts = Mapping[str, Sequence[bool]]
"""By query, whether each of its claims is supported; empty for a query without a claim."""


def levels(strategy: str, judge: str, against: str, verdicts: Verdicts, how: Statistics) -> list[GroundingRow]:
    """The three levels of one judge's verdicts."""
    head = (strategy, judge, against)
    flat = [v for query in sorted(verdicts) for v in verdicts[query]]
    queries = {query: query for query in verdicts}
    counts = {query: (float(sum(found)), float(len(found))) for query, found in verdicts.items()}
    claim, query = clopper_pearson(sum(flat), len(flat), level=how.level), _full(verdicts)
    exact = clopper_pearson(sum(query.values()), len(query), level=how.level)
    pooled = pooled_interval(counts, queries, _share, how) if flat else None
    full = mean_interval({q: float(v) for q, v in query.items()}, queries, how)
    shares = by_query(verdicts)
    mean = mean_interval(shares, queries, how)
    why = "" if flat else "there is no claim"
    return [
        GroundingRow(*head, "claim", sum(flat), len(flat), claim.value, claim.low, claim.high,
                     pooled.low if pooled else None, pooled.high if pooled else None, why),
        GroundingRow(*head, "query", sum(query.values()), len(query), exact.value, exact.low, exact.high, full.low,
                     full.high, exact.reason),
        GroundingRow(*head, "overall", sum(shares.values()), len(shares),
                     sum(shares.values()) / len(shares) if shares else None, None, None, mean.low, mean.high,
                     "" if shares else "there is no query"),
    ]  # fmt: skip


def no_levels(strategy: str, judge: str, against: str, n: int, reason: str) -> list[GroundingRow]:
    """The same for a judge that gave no verdict on some claim."""
    return [
        GroundingRow(strategy, judge, against, level, None, n, *(None,) * 5, reason)
        for level in ("claim", "query", "overall")
    ]


def by_query(verdicts: Verdicts) -> dict[str, float]:
    """The share supported, by query; 0 without a claim."""
    return {query: sum(found) / len(found) if found else 0.0 for query, found in verdicts.items()}


def _full(verdicts: Verdicts) -> dict[str, bool]:
    return {query: bool(found) and all(found) for query, found in verdicts.items()}


def _share(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    part, whole = sums[:, 0], sums[:, 1]
    out: NDArray[np.float64] = np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)
    return out
