"""Holm's step-down correction: several tests, one chance of a false alarm (Holm, Scand. J. Stat. 6, 1979).

The i-th smallest of m p values is multiplied by m - i + 1; none may fall below the one before it; at most 1. Uniformly
better than Bonferroni, with no assumption on dependence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chartcite.lab.errors import BadInput


@dataclass(frozen=True, slots=True)
class Adjusted:
    """One comparison. `of` is m, the number of tests corrected for; an undefined p is none of them."""

    name: str
    p: float | None
    p_adjusted: float | None
    rejected: bool
    of: int
    reason: str = ""


def holm(p_values: Mapping[str, float | None], *, alpha: float = 0.05) -> tuple[Adjusted, ...]:
    """Correct all p values of one family, in the order given.

    Raises:
        BadInput: a p value outside [0, 1].

    >>> [a.p_adjusted for a in holm({"x": 0.01, "y": 0.5})]
    [0.02, 0.5]
    """
    defined = {name: p for name, p in p_values.items() if p is not None}
    if not all(0 <= p <= 1 for p in defined.values()):
        raise BadInput("A p value must lie between 0 and 1.")
    adjusted: dict[str, float] = {}
    greatest = 0.0
    for done, name in enumerate(sorted(defined, key=lambda n: defined[n])):
        greatest = max(greatest, min(1.0, (len(defined) - done) * defined[name]))
        adjusted[name] = greatest
    return tuple(
        Adjusted(name, p, adjusted[name], adjusted[name] <= alpha, len(defined))
        if name in adjusted
        else Adjusted(name, None, None, False, len(defined), "its p value is undefined")
        for name, p in p_values.items()
    )
