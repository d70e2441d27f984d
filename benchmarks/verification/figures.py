"""Figures with their n and 95 % interval, as values for JSON and as text for tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from chartcite.lab.statistics.proportion import wilson

Figure = dict[str, Any]


def share(flags: Iterable[bool]) -> Figure:
    """How many are true, in per cent, with Wilson's interval.

    >>> share([True, False])["percent"]
    50.0
    """
    seen = list(flags)
    found = wilson(sum(seen), len(seen))
    ends = (found.value, found.low, found.high)
    percent, low, high = (None if v is None else round(100 * v, 2) for v in ends)
    return {"n": found.n, "count": found.successes, "percent": percent, "low": low, "high": high}


def shown(figure: Figure) -> str:
    """`  4.8 [ 1.2, 9.0]`, or a dash where there is no case."""
    if figure["percent"] is None:
        return f"{'-':>5} {'':>13}"
    return f"{figure['percent']:5.1f} [{figure['low']:5.1f},{figure['high']:5.1f}]"


def latency(ms: Sequence[float]) -> dict[str, float]:
    """Milliseconds a claim: median, 95th percentile, longest."""
    if not ms:
        return {}
    return {
        "p50": round(float(np.median(ms)), 3), "p95": round(float(np.percentile(ms, 95)), 3), "max": round(max(ms), 3)
    }  # fmt: skip


def shown_latency(times: dict[str, float]) -> str:
    """The three in columns."""
    return "".join(f"{times[name]:9.2f}" if times else f"{'-':>9}" for name in ("p50", "p95", "max"))
