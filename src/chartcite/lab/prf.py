"""Precision, recall and F1 from counts, and their micro and macro averages over cases."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from chartcite.lab.measured import Measured, Summary, Value, averaged, unasked

PARTS = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, and how many were predicted and are gold. Adds up over cases."""

    hits: int
    predicted: int
    gold: int

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.hits + other.hits, self.predicted + other.predicted, self.gold + other.gold)

    def scores(self, *, both_empty: float) -> tuple[float, float, float]:
        """Precision, recall, F1. A part with nothing to divide by is 0; all three are `both_empty` if nothing is there.

        >>> Counts(1, 2, 1).scores(both_empty=1.0)
        (0.5, 1.0, 0.6666666666666666)
        """
        if not self.predicted and not self.gold:
            return both_empty, both_empty, both_empty
        precision = self.hits / self.predicted if self.predicted else 0.0
        recall = self.hits / self.gold if self.gold else 0.0
        return precision, recall, harmonic(precision, recall)


def harmonic(a: float, b: float) -> float:
    """The harmonic mean of two shares; 0 when both are 0."""
    return 2 * a * b / (a + b) if a + b else 0.0


def counted(predicted: Collection[Hashable], gold: Collection[Hashable]) -> Counts:
    """Counts of one case; repeated items count once."""
    ours, theirs = set(predicted), set(gold)
    return Counts(len(ours & theirs), len(ours), len(theirs))


def measured(
    name: str,
    pairs: Mapping[str, tuple[Counts, bool]],
    predicted: Mapping[str, object],
    *,
    both_empty: float,
) -> Measured:
    """Values `name.precision` ... a case, and the summaries `name.micro.f1` (pooled counts) and `name.macro.f1`.

    Args:
        name: the metric's name.
        pairs: by case, its counts and whether there was a prediction at all. A missing one scores 0, also where the
            gold is empty: saying nothing is not the same as having answered "nothing".
        predicted: only for the list of ignored cases.
        both_empty: the score when nothing was predicted and nothing is gold.
    """
    values = tuple(v for case, (counts, there) in pairs.items() for v in _case(name, case, counts, there, both_empty))
    missing = sum(not there for _, there in pairs.values())
    macro = [averaged(f"{name}.{part}", values, missing, name=f"{name}.macro.{part}") for part in PARTS]
    micro = _micro(name, [counts for counts, _ in pairs.values()], missing, both_empty)
    return Measured(values, (*micro, *macro), unasked(pairs, predicted))


def _case(name: str, case: str, counts: Counts, there: bool, both_empty: float) -> Iterable[Value]:
    scores = counts.scores(both_empty=both_empty if there else 0.0)
    reason = "" if there else "no prediction"
    return (Value(case, f"{name}.{part}", score, reason) for part, score in zip(PARTS, scores, strict=True))


def _micro(name: str, counts: list[Counts], missing: int, both_empty: float) -> list[Summary]:
    names = [f"{name}.micro.{part}" for part in PARTS]
    if not counts:
        return [Summary(n, None, 0, reason="there is no case") for n in names]
    total = sum(counts, Counts(0, 0, 0))
    scores = total.scores(both_empty=both_empty if missing < len(counts) else 0.0)
    return [Summary(n, s, len(counts), missing=missing) for n, s in zip(names, scores, strict=True)]
