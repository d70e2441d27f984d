"""Seeded chance with the same draws on every machine and Python: only the Mersenne Twister's `random()` is used."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A stream of draws named by words, so that one stream never disturbs another.

    >>> Dice(7, "notes").between(1, 6) == Dice(7, "notes").between(1, 6)
    True
    """

    def __init__(self, *name: object) -> None:
        self._random = random.Random("/".join(map(str, name)))  # noqa: S311  (fiction, not secrets)

    def unit(self) -> float:
        """A number in [0, 1)."""
        return self._random.random()

    def chance(self, share: float) -> bool:
        """Whether something with this probability happens."""
        return self._random.random() < share

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def uniform(self, low: float, high: float) -> float:
        """A number from `low` to `high`."""
        return low + self._random.random() * (high - low)

    def near(self, mean: float, spread: float) -> float:
        """A roughly normal number, never further than 2.5 spreads from the mean (a sum of six draws)."""
        drawn = (sum(self._random.random() for _ in range(6)) - 3.0) * 1.4142135623730951
        return mean + spread * max(-2.5, min(2.5, drawn))

    def pick(self, things: Sequence[T]) -> T:
        """One of them."""
        return things[int(self._random.random() * len(things))]

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """At most `count` of them, in drawn order, none twice."""
        return self.shuffled(things)[:count]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """All of them in another order (Fisher and Yates)."""
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = int(self._random.random() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def weighted(self, things: Sequence[T], weights: Sequence[float]) -> T:
        """One of them, in proportion to its weight."""
        mark = self._random.random() * sum(weights)
        for thing, weight in zip(things, weights, strict=True):
            mark -= weight
            if mark < 0:
                return thing
        return things[-1]
