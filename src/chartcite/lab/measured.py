"""What a metric returns: one value a case, and figures over all of them with their n. Never NaN: None and a reason."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar

Needs = Literal["ranking", "evidence", "alignment", "citations", "text", "revision", "probability"]
Gold_contra = TypeVar("Gold_contra", contravariant=True)
Predicted_contra = TypeVar("Predicted_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Value:
    """One measure of one case. `value` is None only with a `reason`."""

    case_id: str
    measure: str
    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """One measure over all cases.

    Attributes:
        n: cases (or units named in `unit`) that the figure rests on; missing predictions are among them.
        missing: of these, how many had no prediction and so counted as 0 (or as wrong).
    """

    measure: str
    value: float | None
    n: int
    unit: str = "cases"
    missing: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of one metric. `ignored` are predictions for cases that nobody asked for; they count nowhere."""

    values: tuple[Value, ...]
    summaries: tuple[Summary, ...]
    ignored: tuple[str, ...] = ()

    def __getitem__(self, measure: str) -> Summary:
        """The summary of that name."""
        return next(s for s in self.summaries if s.measure == measure)

    def per_case(self, measure: str) -> dict[str, float | None]:
        """One measure's values by case: what a paired test takes."""
        return {v.case_id: v.value for v in self.values if v.measure == measure}


class Metric(Protocol[Gold_contra, Predicted_contra]):
    """One way to score. `name` holds its parameters (`recall@5`); `needs` says what shape `gold` and `predicted` have.

    | needs | gold, by case id | predicted, by case id |
    |---|---|---|
    | ranking | item id -> grade | item id -> score |
    | evidence | `EvidenceKey` | item ids |
    | alignment | (answer id, evidence id) pairs | the same |
    | citations | anything: the keys say who is asked | `CitedSentence`s |
    | text | reference texts | a text |
    | revision | `Revision`: a source and reference texts | a text |
    | probability | right or wrong | a probability |
    """

    needs: ClassVar[Needs]

    @property
    def name(self) -> str:
        """The name in reports, with its parameters."""
        ...

    def measure(self, gold: Mapping[str, Gold_contra], predicted: Mapping[str, Predicted_contra]) -> Measured:
        """Score every case of `gold`; a case without a prediction counts as 0."""
        ...


def averaged(measure: str, values: Iterable[Value], missing: int = 0, *, name: str = "") -> Summary:
    """The mean of one measure over the cases where it is defined; undefined ones are counted in the reason.

    >>> averaged("recall@5", [Value("a", "recall@5", 1.0), Value("b", "recall@5", 0.0)])
    Summary(measure='recall@5', value=0.5, n=2, unit='cases', missing=0, reason='')
    """
    own = [v for v in values if v.measure == measure]
    known = [v.value for v in own if v.value is not None]
    out = len(own) - len(known)
    reason = f"{out} of {len(own)} cases left out: undefined" if out else ""
    if not known:
        return Summary(name or measure, None, 0, missing=missing, reason=reason or "there is no case")
    return Summary(name or measure, math.fsum(known) / len(known), len(known), missing=missing, reason=reason)


def unasked(gold: Collection[str], predicted: Mapping[str, Any]) -> tuple[str, ...]:
    """Predictions for cases that are not in the gold, sorted."""
    return tuple(sorted(set(predicted) - set(gold)))


def absent(gold: Iterable[str], predicted: Mapping[str, Any]) -> int:
    """How many cases have no prediction."""
    return sum(case not in predicted for case in gold)
