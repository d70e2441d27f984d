"""What a patient took, drug by drug: doses with the day from which each held, pauses, the end; every entry cited."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from chartcite.records.entries import Amount, Source, shown

Action = Literal["dose", "start", "stop", "hold", "resume"]
"""`dose`: taken at that dose on that day."""
End = Literal["stopped", "held", "left_out"]
"""`left_out`: later lists of all medicines do not have it, and no sentence says why."""


@dataclass(frozen=True, slots=True)
class DoseStated:
    """What one sentence says of one drug.

    `is_listed`: as an entry of a list of all medicines. `varies`: the amount is not one (`5 mg Mon/Wed/Fri and 2.5 mg
    other days`, `40 mg x 5 d then 20 mg`); then none is given, and `text` has all of it.
    """

    drug: str
    day: str
    action: Action
    source: Source
    amount: Amount | None = None
    per_day: Fraction | None = None
    route: str = ""
    text: str = ""
    as_needed: bool = False
    is_own: bool = True
    is_listed: bool = False
    varies: bool = False


@dataclass(frozen=True, slots=True)
class DosePeriod:
    """A dose and the day from which it is stated; `until` is the first day on which something else is.

    `varies`: it has no single amount; `text` has all of it.
    """

    since: str
    until: str | None
    amount: Amount | None
    per_day: Fraction | None
    route: str
    text: str
    as_needed: bool
    sources: tuple[Source, ...]
    varies: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The schema's form; `per_day` in times a day."""
        return {
            "since": self.since, "until": self.until, **({} if self.amount is None else self.amount.to_dict()),
            "per_day": shown(self.per_day) if self.per_day else None, "route": self.route or None, "text": self.text,
            "as_needed": self.as_needed, **({"varies": True} if self.varies else {}),
            "sources": [source.to_dict() for source in self.sources],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Episode:
    """One course of a drug, from the first statement to its end.

    `start_is_stated`: the record says that it was begun then; else it is the first mention. `end` is None while the
    drug is taken as far as the record knows.
    """

    drug: str
    start: str
    start_is_stated: bool
    end: str | None
    ended: End | None
    last_mention: str
    periods: tuple[DosePeriod, ...]
    end_sources: tuple[Source, ...] = ()

    def dose_on(self, day: str) -> DosePeriod | None:
        """The dose on a day; None before the course, and from its end on."""
        if day < self.start or (self.end is not None and day >= self.end):
            return None
        return next((p for p in reversed(self.periods) if p.since <= day), None)

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "start": self.start, "start_is_stated": self.start_is_stated, "end": self.end, "ended": self.ended,
            "last_mention": self.last_mention, "doses": [period.to_dict() for period in self.periods],
            "end_sources": [source.to_dict() for source in self.end_sources],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Course:
    """All episodes of one drug, oldest first."""

    drug: str
    episodes: tuple[Episode, ...]

    @property
    def gaps(self) -> tuple[tuple[str, str], ...]:
        """(end, next start) of each time between two episodes in which it was not taken."""
        pairs = zip(self.episodes, self.episodes[1:], strict=False)
        return tuple((one.end, other.start) for one, other in pairs if one.end and one.end < other.start)

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "drug": self.drug, "episodes": [episode.to_dict() for episode in self.episodes],
            "gaps": [{"from": end, "to": start} for end, start in self.gaps],
        }  # fmt: skip
