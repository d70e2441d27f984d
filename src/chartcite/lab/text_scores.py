"""Scores of texts against reference texts: what all of them do alike with cases, gaps and missing models.

Every score is between 0 and 1 (100 times that is what libraries that speak in percent give). An empty prediction is a
0 that is counted among the missing, neither skipped nor an error. Without references there is nothing to compare with:
None, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from chartcite.lab.measured import Measured, Summary, Value, averaged, unasked

NO_PREDICTION = "no prediction"
EMPTY = "empty prediction"
TOO_LONG = "longer than the model reads"
Gold = TypeVar("Gold")


def against_all(
    name: str, gold: Mapping[str, Gold], predicted: Mapping[str, str], score: Callable[[str, Gold], float | None]
) -> Measured:
    """Score every case of the gold with all its references at once.

    Args:
        name: the measure's.
        gold: by case, its references, or what holds them; falsy where there is none.
        predicted: by case, a text.
        score: of a text that is not empty and a case's gold; None where a model cannot read them.
    """
    values = tuple(_value(name, case, wanted, predicted.get(case), score) for case, wanted in gold.items())
    missing = sum(v.reason in (NO_PREDICTION, EMPTY) for v in values)
    return Measured(values, (averaged(name, values, missing),), unasked(gold, predicted))


def against_best(
    name: str,
    gold: Mapping[str, Sequence[str]],
    predicted: Mapping[str, str],
    score: Callable[[str, str], float | None],
) -> Measured:
    """Score every case of the gold with the reference that suits it best, of those where there is a score."""

    def best(text: str, references: Sequence[str]) -> float | None:
        return max((found for r in references if (found := score(text, r)) is not None), default=None)

    return against_all(name, gold, predicted, best)


def without(name: str, gold: Mapping[str, object], reason: str) -> Measured:
    """What a metric returns that has not got what it needs: no figure, for no case, and why."""
    values = tuple(Value(case, name, None, reason) for case in gold)
    return Measured(values, (Summary(name, None, 0, reason=reason),))


def _value(name: str, case: str, wanted: Gold, text: str | None, score: Callable[[str, Gold], float | None]) -> Value:
    if not wanted:
        return Value(case, name, None, "no reference")
    if text is None or not text.strip():
        return Value(case, name, 0.0, NO_PREDICTION if text is None else EMPTY)
    found = score(text, wanted)
    return Value(case, name, found, TOO_LONG if found is None else "")
