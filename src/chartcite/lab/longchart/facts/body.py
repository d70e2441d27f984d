"""Physiology: what a measurement would give on a day, from diagnoses, drugs, acute illness. Knows no notes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Dose, Person, Result
from chartcite.lab.longchart.lexicon import drug_table, load, units_of

PER_DAY = {
    "qd": 1.0, "qam": 1.0, "qhs": 1.0, "qpm": 1.0, "bid": 2.0, "tid": 3.0, "qod": 0.5, "qwk": 1 / 7, "q6h": 4.0,
    "drip": 1.0,
}  # fmt: skip
_RISE_DAYS, _FALL_DAYS = 2.0, 6.0
_ONSET_DAYS = 24.0  # a dose has its whole effect after so many days


@dataclass(frozen=True, slots=True)
class Surge:
    """An acute illness: analytes move by `deltas` at its worst and come back."""

    start: datetime
    deltas: dict[str, float]

    def at(self, when: datetime, analyte: str) -> float:
        """The deviation at a moment: up within two days, back over about a week."""
        delta = self.deltas.get(analyte, 0.0)
        days = (when - self.start).total_seconds() / 86400
        if not delta or days < -0.2 or days > _RISE_DAYS + 3 * _FALL_DAYS:
            return 0.0
        if days <= _RISE_DAYS:
            return delta * (0.62 + 0.38 * max(0.0, days) / _RISE_DAYS)
        left = 1.0 - (days - _RISE_DAYS) / (3 * _FALL_DAYS)
        return delta * left * left


def per_day(amount: str, freq: str) -> float:
    """Amount a day; of a combination, its first part."""
    return float(amount.split("-", maxsplit=1)[0]) * PER_DAY[freq]


def strongest(drug: str) -> float:
    """The top of a drug's ladder as amount a day."""
    amount, freq = drug_table(drug)["steps"][-1].split()
    return per_day(amount, freq)


class Body:
    """One patient's physiology."""

    def __init__(self, person: Person, seed: int) -> None:
        self._dice = Dice(seed, person.patient_id, "body")
        self._sex, self._born, self._lang = person.sex, person.born, person.lang
        self._base = {key: self._start(key) for key in load("analytes.toml")}
        self._answer = {key: self._dice.uniform(0.8, 1.2) for key in load("conditions.toml")}
        self._response = {key: self._dice.uniform(0.82, 1.18) for key in load("drugs.toml")}
        self._drift = self._dice.uniform(-0.5, 0.9)
        self.ill: dict[str, date] = {}
        self.surges: list[Surge] = []

    def _start(self, key: str) -> float:
        row = load("analytes.toml")[key]
        base = row["base"]
        mean = float(base[0 if self._sex == "F" else 1] if isinstance(base, list) else base)
        return max(float(row["floor"]), self._dice.near(mean, float(row["sd"])))

    def level(self, analyte: str, when: datetime, doses: list[Dose]) -> float:
        """The true level in the home unit, without the day's noise."""
        if analyte == "egfr":
            return self._filtration(self.level("creatinine", when, doses), when.date())
        level = self._base[analyte]
        for key, onset in self.ill.items():
            jump, slope = load("conditions.toml")[key]["effects"].get(analyte, (0.0, 0.0))
            years = max(0.0, (when.date() - onset).days / 365.25)
            level += self._answer[key] * jump + slope * years
        for dose in doses:
            if dose.on(when.date()) and not dose.inpatient:
                level += self._effect(dose, analyte, when.date())
        level += sum(surge.at(when, analyte) for surge in self.surges)
        if analyte == "weight":
            level += self._drift * (when.year - self._born.year - 55) / 2.0
        return max(float(load("analytes.toml")[analyte]["floor"]), level)

    def _effect(self, dose: Dose, analyte: str, day: date) -> float:
        table = drug_table(dose.drug)
        full = float(table["effects"].get(analyte, 0.0))
        if not full:
            return 0.0
        share = per_day(dose.amount, dose.freq) / strongest(dose.drug)
        # A change of dose acts at once on what the old dose had reached; only a first dose needs time.
        ramp = 1.0 if dose.step else min(1.0, 0.35 + (day - dose.start).days / _ONSET_DAYS)
        return full * share * ramp * self._response[dose.drug]

    def _filtration(self, creatinine: float, day: date) -> float:
        """CKD-EPI 2021 (Inker et al., NEJM 2021, 385:1737), creatinine only."""
        female = self._sex == "F"
        ratio = creatinine / (0.7 if female else 0.9)
        years = (day - self._born).days / 365.25
        low, high = min(ratio, 1.0), max(ratio, 1.0)
        value: float = (
            142.0 * low ** (-0.241 if female else -0.302) * high**-1.2 * 0.9938**years * (1.012 if female else 1.0)
        )
        return min(118.0, max(6.0, value))

    def measure(self, fact_id: str, analyte: str, when: datetime, doses: list[Dose], second_lab: bool) -> Result:
        """Draw one result as the laboratory of that time prints it."""
        row = load("analytes.toml")[analyte]
        if analyte == "bp":
            return self._pressure(fact_id, when, doses)
        noise = self._dice.near(0.0, float(row["noise"]))
        home = max(float(row["floor"]), self.level(analyte, when, doses) * (1.0 + noise))
        units = units_of(analyte, self._lang)
        unit = units[1] if second_lab and len(units) > 1 else units[0]
        shown = unit.show(home)
        return Result(fact_id, analyte, when, shown, unit.unit, unit.ref, home, flag_of(shown, unit.ref))

    def _pressure(self, fact_id: str, when: datetime, doses: list[Dose]) -> Result:
        top = round(self.level("bp", when, doses) * (1.0 + self._dice.near(0.0, 0.045)))
        low = round(top * self._dice.uniform(0.54, 0.63))
        return Result(fact_id, "bp", when, f"{top}/{low}", "mmHg", "", float(top))


def flag_of(shown: str, ref: str) -> str:
    """`H` or `L` outside a printed range.

    >>> flag_of("5.6", "3.5-5.0"), flag_of("30", ">=60"), flag_of("4.2", "3.5-5.0")
    ('H', 'L', '')
    """
    value = float(shown)
    if ref.startswith(("<", ">")):
        limit = float(ref.lstrip("<>="))
        return "H" if ref[0] == "<" and value >= limit else "L" if ref[0] == ">" and value < limit else ""
    if "-" not in ref:
        return ""
    low, high = map(float, ref.split("-"))
    return "L" if value < low else "H" if value > high else ""
