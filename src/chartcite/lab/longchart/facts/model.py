"""Words of the hidden truth. Every fact has an id that notes refer to when a sentence states it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Literal

from chartcite.lab.longchart.lexicon import Lang

Split = Literal["dev", "test"]
Action = Literal["start", "change", "stop", "hold", "resume", "finish"]
EncounterKind = Literal["visit", "consult", "stay", "procedure"]


@dataclass(frozen=True, slots=True)
class Person:
    """Who it is. `twin`: the patient_id of the look-alike, or empty."""

    patient_id: str
    name: str
    sex: Literal["F", "M"]
    born: date
    lang: Lang
    split: Split
    job: str
    home: str
    hospital: str
    twin: str = ""

    def age(self, on: date) -> int:
        """Whole years."""
        return on.year - self.born.year - ((on.month, on.day) < (self.born.month, self.born.day))


@dataclass(frozen=True, slots=True)
class Result:
    """A measured value as its laboratory prints it.

    `home` is the value in the home unit; `wrong` what was first reported by mistake, until `corrected`.
    """

    fact_id: str
    analyte: str
    at: datetime
    shown: str
    unit: str
    ref: str
    home: float
    flag: str = ""
    wrong: str = ""
    corrected: datetime | None = None

    @property
    def value(self) -> str:
        """Value with unit."""
        return f"{self.shown}{'' if self.unit == '%' else ' '}{self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a dose was begun, changed or ended. `key`: a harm, condition, procedure, drug or cause; or `result`."""

    kind: Literal[
        "diagnosis",
        "uncontrolled",
        "high",
        "low",
        "harm",
        "replaces",
        "surgery",
        "acute",
        "route",
        "recovered",
        "course",
        "step",
    ]
    key: str = ""
    result: Result | None = None


@dataclass(slots=True)
class Dose:
    """A stretch of time on one dose of one drug. `end` None: still on it."""

    fact_id: str
    drug: str
    amount: str
    unit: str
    freq: str
    route: str
    start: date
    end: date | None = None
    step: int = 0
    inpatient: bool = False

    def on(self, day: date) -> bool:
        """Whether the dose is taken on that day (the last day is not)."""
        return self.start <= day and (self.end is None or day < self.end)

    @property
    def strength(self) -> str:
        """Amount and unit."""
        return f"{self.amount} {self.unit}"


@dataclass(frozen=True, slots=True)
class DoseEvent:
    """A decision about a drug."""

    fact_id: str
    drug: str
    at: datetime
    action: Action
    before: Dose | None
    after: Dose | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Problem:
    """A diagnosis the patient has, or (`ruled_out`) turned out not to have. `kind`: condition or excluded."""

    fact_id: str
    kind: str
    key: str
    on: date
    status: Literal["active", "ruled_out", "past"]
    year_only: bool = False


@dataclass(frozen=True, slots=True)
class Procedure:
    """Something done to the patient."""

    fact_id: str
    key: str
    at: datetime
    side: Literal["left", "right", ""]
    operator: str
    loss: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A symptom asked about on a day."""

    fact_id: str
    symptom: str
    at: datetime
    present: bool


@dataclass(frozen=True, slots=True)
class Background:
    """What stays: allergy, tolerance, family, habit, past history, past procedure, drug tried.

    `topic`: allergy, tolerated, family, family_none, smoking, alcohol, past_condition, past_procedure, past_drug.
    `key`: concept; `detail`: reaction, relative, amount, year, and so on; `other`: a second detail.
    """

    fact_id: str
    topic: str
    key: str
    detail: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sources that cannot both be right. `told`: the version of each."""

    fact_id: str
    topic: str
    key: str
    told: tuple[str, str]


@dataclass(slots=True)
class Encounter:
    """A visit, a consultation, a stay or a planned procedure, with everything that happened in it."""

    key: str
    kind: EncounterKind
    at: datetime
    until: datetime
    clinic: str
    doctor: str
    cause: str = ""
    side: str = ""
    results: list[Result] = field(default_factory=list)
    events: list[DoseEvent] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)

    @property
    def nights(self) -> int:
        """Length of stay in days."""
        return (self.until.date() - self.at.date()).days


@dataclass
class Life:
    """Everything true of one patient. The ordered views are built once, after the last encounter."""

    person: Person
    begins: date
    ends: date
    encounters: list[Encounter] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    doses: list[Dose] = field(default_factory=list)
    backgrounds: list[Background] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    @cached_property
    def results(self) -> list[Result]:
        """All measured values in order of time."""
        return sorted((r for e in self.encounters for r in e.results), key=lambda r: (r.at, r.analyte))

    @cached_property
    def _by_analyte(self) -> dict[str, list[Result]]:
        found: dict[str, list[Result]] = {}
        for result in self.results:
            found.setdefault(result.analyte, []).append(result)
        return found

    def of(self, analyte: str) -> list[Result]:
        """The series of one analyte in order of time."""
        return self._by_analyte.get(analyte, [])

    @cached_property
    def events(self) -> list[DoseEvent]:
        """All decisions about drugs in order of time."""
        return sorted((v for e in self.encounters for v in e.events), key=lambda v: (v.at, v.fact_id))

    @cached_property
    def procedures(self) -> list[Procedure]:
        """All procedures in order of time."""
        return sorted((p for e in self.encounters for p in e.procedures), key=lambda p: p.at)

    @cached_property
    def stays(self) -> list[Encounter]:
        """All admissions in order of time."""
        return [e for e in self.encounters if e.kind == "stay"]

    def taken(self, day: date) -> list[Dose]:
        """What is taken on a day, outside hospital courses."""
        return [d for d in self.doses if d.on(day) and not d.inpatient]
