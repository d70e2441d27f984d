"""What scoring a submission gives: the official figures by their official names, times 100, and why one is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from chartcite.lab.measured import Measured, Value


@dataclass(frozen=True, slots=True)
class OfficialScores:
    """One submission's scores.

    Attributes:
        scores: by official name, times 100; None where a part is missing, and with it every mean that needs it.
        reasons: by name, why it is None.
        available: the parts that there are; `mean_of_available` is their mean, and no official figure.
        values: by case and measure, times 100.
        notes: what was done to the submission, and where the official script leaves something open.
    """

    year: int
    task: int | None
    cases: int
    scores: Mapping[str, float | None]
    reasons: Mapping[str, str] = field(default_factory=dict)
    mean_of_available: float | None = None
    available: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Board:
    """Figures as they are put together."""

    scores: dict[str, float | None] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    values: list[Value] = field(default_factory=list)

    def add(self, measured: Measured, names: Mapping[str, str], by_case: Mapping[str, str]) -> None:
        """Take over summaries (official name -> summary's name) and values (measure -> name), times 100."""
        for name, summary in names.items():
            found = measured[summary]
            self.put(name, None if found.value is None else 100 * found.value, found.reason)
        self.values += [
            Value(v.case_id, by_case[v.measure], None if v.value is None else 100 * v.value, v.reason)
            for v in measured.values
            if v.measure in by_case
        ]

    def put(self, name: str, value: float | None, reason: str = "") -> None:
        """One figure; the reason only where there is none."""
        self.scores[name] = value
        if value is None:
            self.reasons[name] = reason

    def mean(self, name: str, parts: Sequence[str]) -> None:
        """A mean that exists only if all its parts do."""
        values = [self.scores[part] for part in parts]
        missing = [part for part, value in zip(parts, values, strict=True) if value is None]
        known = [value for value in values if value is not None]
        self.put(name, fmean(known) if not missing else None, f"needs {', '.join(missing)}")

    def of_parts(self, parts: Iterable[str]) -> tuple[float | None, tuple[str, ...]]:
        """The mean of those parts that there are, and which they are."""
        there = {part: value for part in parts if (value := self.scores[part]) is not None}
        return (fmean(there.values()) if there else None), tuple(there)
