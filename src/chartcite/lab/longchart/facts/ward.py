"""A stay in hospital: what is measured each day, what is given, held, done, and ruled out."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from chartcite.lab.longchart.facts.body import Surge
from chartcite.lab.longchart.facts.model import DoseEvent, Encounter, Problem, Reason
from chartcite.lab.longchart.lexicon import Table, causes, drug_table, load

if TYPE_CHECKING:
    from chartcite.lab.longchart.facts.course import Course


class Ward:
    """Writes one stay into a course."""

    def __init__(self, course: Course) -> None:
        self._course, self._dice, self._pharmacy = course, course.dice, course.pharmacy

    def stay(self, number: int, day: date, cause: str, nights: int) -> Encounter:
        """Admission to discharge."""
        row: Table = causes()[cause]
        at = datetime.combine(day, time(self._dice.between(1, 19), self._dice.between(0, 59)))
        until = datetime.combine(
            day + timedelta(days=nights), time(self._dice.between(11, 16), self._dice.between(0, 59))
        )
        stay = Encounter(f"e{number:03d}", "stay", at, until, row["service"], self._course.doctor("ward"), cause)
        stay.side = self._dice.pick(["left", "right"]) if row.get("side") else ""
        self._course.body.surges.append(Surge(at - timedelta(hours=10), dict(row["surge"])))
        self._exclude(stay, row)
        stay.findings = self._course.ask(at + timedelta(minutes=40), tuple(row["complaints"]))
        self._measure(stay, row)
        self._hold(stay)
        self._courses(stay, row)
        self._operate(stay, row)
        self._leave(stay)
        given = row.get("gives", "")
        if given and given not in self._course.body.ill:
            self._course.add_problem(stay, given)
        return stay

    def _exclude(self, stay: Encounter, row: Table) -> None:
        for key in self._dice.some(row["ruled_out"], 2):
            if key in self._course.body.ill:
                continue
            kind = (
                "condition"
                if key in load("conditions.toml") and key not in load("causes.toml")["excluded"]
                else "excluded"
            )
            stay.problems.append(Problem(self._course.new_id("problem"), kind, key, stay.at.date(), "ruled_out"))

    def _measure(self, stay: Encounter, row: Table) -> None:
        moved = [a for a in row["surge"] if a not in ("bp", "weight", "ef")]
        first = [*self._course.panel("chemistry", "count", "liver"), *moved]
        watch = [a for k in self._course.body.ill for a in load("conditions.toml")[k]["watch"]]
        first += [a for a in watch if a in ("inr", "bnp", "magnesium", "phosphate")]
        stay.results += self._course.draw(stay.at + timedelta(minutes=25), [*first, "weight"], outpatient=False)
        for number, study in enumerate(row["images"]):
            seen = stay.at + timedelta(hours=3 + 20 * number)
            if study == "echo" and seen < stay.until:
                stay.results += self._course.draw(seen, ["ef"], outpatient=False)
        for night in range(1, stay.nights + 1):
            when = datetime.combine(stay.at.date() + timedelta(days=night), time(5, self._dice.between(2, 55)))
            daily = ["creatinine", "bun", "sodium", "potassium", "bicarbonate", "glucose"]
            daily += ["wbc", "hemoglobin", "platelets"] if self._dice.chance(0.8) else []
            daily += [a for a in moved if self._dice.chance(0.5)] + (["inr"] if "inr" in first else [])
            stay.results += self._course.draw(when, [*daily, "weight"], outpatient=False)

    def _hold(self, stay: Encounter) -> None:
        first = {r.analyte: r for r in reversed(stay.results)}
        at = stay.at + timedelta(hours=1, minutes=self._dice.between(0, 50))
        creatinine, hemoglobin = first["creatinine"], first["hemoglobin"]
        plans: list[tuple[str, Reason]] = []
        if creatinine.home > 1.8:
            plans += [(d, Reason("high", "creatinine", creatinine)) for d in ("metformin", "lisinopril", "losartan")]
        if "furosemide_iv" in causes()[stay.cause]["treat"]:
            plans += [(d, Reason("route")) for d in ("furosemide", "torsemide")]
        if stay.cause == "gi_bleed":
            plans += [(d, Reason("low", "hemoglobin", hemoglobin)) for d in ("warfarin", "apixaban")]
        if stay.cause in ("sepsis", "kidney_injury"):
            plans += [
                (d, Reason("acute", stay.cause))
                for d in ("chlorthalidone", "amlodipine", "spironolactone", "empagliflozin")
            ]
        if causes()[stay.cause].get("certain"):
            plans += [
                (d, Reason("surgery", causes()[stay.cause]["procedures"][0]))
                for d in ("warfarin", "apixaban", "methotrexate")
            ]
        for drug, reason in plans:
            event = self._pharmacy.hold(drug, at, reason)
            stay.events += [event] if event else []

    def _courses(self, stay: Encounter, row: Table) -> None:
        for key in row["treat"]:
            course = drug_table(key)
            low, high = course["days"]
            amount = str(self._dice.pick(course["amount"]))
            days = min(self._dice.between(low, high), max(1, stay.nights))
            reason = Reason("course", stay.cause)
            begin, finish = self._pharmacy.course(key, stay.at + timedelta(hours=2), days, amount, reason)
            stay.events += [begin] + ([finish] if finish.at < stay.until else [])

    def _operate(self, stay: Encounter, row: Table) -> None:
        for key in row["procedures"]:
            if not (row.get("certain") or self._dice.chance(0.55)) or self._too_early(stay, key):
                continue
            after = self._dice.between(0, 1) if row.get("certain") else self._dice.between(1, max(1, stay.nights - 1))
            when = datetime.combine(stay.at.date() + timedelta(days=after), time(self._dice.between(8, 17), 15))
            when = max(when, stay.at + timedelta(hours=3))
            if when < stay.until:
                stay.procedures.append(self._course.operate(key, when, stay.side))

    def _too_early(self, stay: Encounter, key: str) -> bool:
        """A bowel is resected once, at the last of its inflammations."""
        later = [d for d, cause, _ in self._course.plan.stays if cause == stay.cause and d > stay.at.date()]
        return key == "colectomy" and bool(later)

    def _leave(self, stay: Encounter) -> None:
        at = stay.until - timedelta(hours=2)
        last = {r.analyte: r for r in stay.results}
        for drug in list(self._pharmacy.held):
            if self._pharmacy.held[drug][1] == "route":
                self._add(stay, self._pharmacy.resume(drug, at, Reason("recovered"), 1))
                continue
            mine = next((e for e in stay.events if e.drug == drug and e.action == "hold"), None)
            safe = (
                last["creatinine"].home < 1.7
                if drug in ("metformin", "lisinopril", "losartan")
                else self._dice.chance(0.7)
            )
            if mine and safe and stay.nights > 2:
                shown = last["creatinine"] if mine.reason.kind == "high" else None
                self._add(stay, self._pharmacy.resume(drug, at, Reason("recovered", result=shown)))
        if self._dice.chance(0.5):
            for event in self._pharmacy.review(at, list(last.values()), most=1):
                self._add(stay, event)

    def _add(self, stay: Encounter, event: DoseEvent | None) -> None:
        stay.events += [event] if event else []
