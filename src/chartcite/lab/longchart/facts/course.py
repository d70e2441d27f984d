"""Lives the outline: visit by visit, stay by stay, with measurements, decisions, findings and procedures."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from itertools import count

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.backgrounds import plant_backgrounds, plant_conflicts
from chartcite.lab.longchart.facts.body import Body
from chartcite.lab.longchart.facts.model import (
    DoseEvent,
    Encounter,
    Finding,
    Life,
    Person,
    Problem,
    Procedure,
    Reason,
    Result,
)
from chartcite.lab.longchart.facts.pharmacy import Pharmacy
from chartcite.lab.longchart.facts.plan import Outline, outline
from chartcite.lab.longchart.facts.ward import Ward
from chartcite.lab.longchart.lexicon import causes, drug_table, load

_GENERAL = (
    "fever", "chills", "night_sweats", "weight_loss", "hemoptysis", "melena", "hematochezia", "hematuria", "dysuria",
    "vomiting", "syncope", "diplopia", "tinnitus", "jaundice", "snoring", "claudication", "hallucinations", "falls",
    "hoarseness", "chest_pain", "palpitations", "dyspnea", "dysphagia", "headache", "suicidal",
)  # fmt: skip


class Course:
    """One patient's way through the years. `seed` and the patient's name decide everything."""

    def __init__(self, person: Person, size: int, seed: int, shape: str, age: int) -> None:
        self.person, self.seed = person, seed
        self.dice = Dice(seed, person.patient_id, "course")
        self.plan: Outline = outline(
            person, size, age, Dice(seed, shape, "shape"), Dice(seed, person.patient_id, "plan")
        )
        self.body = Body(person, seed)
        self.pharmacy = Pharmacy(Dice(seed, person.patient_id, "pharmacy"), self.new_id)
        self._count = count(1)
        self.life = Life(person, self.plan.begins, self.plan.ends)
        self.doctors = Dice(seed, person.patient_id, "doctors").shuffled(load("people.toml")[person.lang]["doctors"])
        middle = self.plan.begins + (self.plan.ends - self.plan.begins) * self.dice.uniform(0.25, 0.5)
        self.second_lab = (middle, middle + timedelta(days=self.dice.between(300, 900)))
        self.since_start: dict[str, int] = {}

    def new_id(self, kind: str) -> str:
        """The next fact id."""
        return f"{self.person.patient_id}:{kind}:{next(self._count):05d}"

    def live(self) -> Life:
        """Everything that happens."""
        self._before()
        steps: list[tuple[date, str, object]] = [(d, "visit", None) for d in self._free_days()]
        steps += [(d, "stay", (cause, nights)) for d, cause, nights in self.plan.stays]
        steps += [(d, "planned", key) for d, key in self.plan.planned]
        for number, (day, kind, what) in enumerate(sorted(steps, key=lambda s: (s[0], s[1]))):
            if kind == "stay" and isinstance(what, tuple):
                self.life.encounters.append(Ward(self).stay(number, day, what[0], what[1]))
            elif kind == "planned" and isinstance(what, str):
                self.life.encounters.append(self._planned(number, day, what))
            else:
                self.life.encounters.append(self._visit(number, day))
        self.life.doses = self.pharmacy.doses
        self._spoil_some()
        plant_backgrounds(self.life, Dice(self.seed, self.person.patient_id, "background"), self.new_id)
        plant_conflicts(self.life, Dice(self.seed, self.person.patient_id, "conflict"), self.new_id)
        return self.life

    def _free_days(self) -> list[date]:
        taken = [(d, d + timedelta(days=n)) for d, _, n in self.plan.stays]
        return [
            d
            for d in self.plan.visits
            if not any(a - timedelta(days=1) <= d <= b + timedelta(days=1) for a, b in taken)
        ]

    # -- before the record ------------------------------------------------------------------------------------------

    def _before(self) -> None:
        for key, onset in sorted(self.plan.onsets.items(), key=lambda item: item[1]):
            if onset >= self.plan.begins:
                continue
            self.body.ill[key] = onset
            self.life.problems.append(
                Problem(self.new_id("problem"), "condition", key, onset, "active", year_only=True)
            )
            for drug in load("conditions.toml")[key]["drugs"][:2]:
                if not self.pharmacy.current(drug):
                    since = max(onset, self.plan.begins - timedelta(days=self.dice.between(60, 700)))
                    ladder = len(drug_table(drug)["steps"])
                    self.pharmacy.already_on(drug, since, min(ladder - 1, self.dice.between(0, max(1, ladder // 2))))

    # -- measurements -----------------------------------------------------------------------------------------------

    def draw(self, when: datetime, keys: list[str], outpatient: bool = True) -> list[Result]:
        """Measure these, the creatinine-derived filtration rate along with creatinine."""
        second = outpatient and self.second_lab[0] <= when.date() <= self.second_lab[1]
        wanted = list(dict.fromkeys(keys))
        if "creatinine" in wanted and "egfr" not in wanted:
            wanted.insert(wanted.index("creatinine") + 1, "egfr")
        return [self.body.measure(self.new_id("result"), k, when, self.pharmacy.doses, second) for k in wanted]

    def panel(self, *names: str) -> list[str]:
        """The analytes of a panel."""
        rows = load("analytes.toml")
        return [
            k
            for k, r in rows.items()
            if r["panel"] in names and k != "egfr" and r.get("sex", self.person.sex) == self.person.sex
        ]

    def _routine(self) -> list[str]:
        wanted: list[str] = []
        for share, panel in ((0.8, "chemistry"), (0.55, "count"), (0.35, "liver"), (0.3, "lipids")):
            if self.dice.chance(share):
                wanted += self.panel(panel)
        for key in self.body.ill:
            wanted += [a for a in load("conditions.toml")[key]["watch"] if self.dice.chance(0.72)]
        sexed = {k for k, r in load("analytes.toml").items() if r.get("sex", self.person.sex) == self.person.sex}
        return [a for a in wanted if a in sexed and a not in ("bp", "weight", "ef", "phq9")]

    # -- an ordinary visit ------------------------------------------------------------------------------------------

    def _visit(self, number: int, day: date) -> Encounter:
        at = datetime.combine(day, time(self.dice.between(8, 16), self.dice.pick([0, 10, 15, 20, 30, 40, 45, 50])))
        special = sorted({load("conditions.toml")[k]["clinic"] for k in self.body.ill})
        consult = bool(special) and number > 1 and self.dice.chance(0.27)
        clinic = self.dice.pick(special) if consult else "primary care"
        visit = Encounter(f"e{number:03d}", "consult" if consult else "visit", at, at, clinic, self.doctor(clinic))
        lead = self.dice.pick([0, 0, 1, 2, 4])
        lead = 0 if (day - timedelta(days=lead)).weekday() >= 5 else lead
        drawn = datetime.combine(day - timedelta(days=lead), time(7, self.dice.between(4, 56)))
        visit.results = self.draw(drawn, self._routine()) + self.draw(at, self._bedside())
        if clinic == "cardiology" and self.dice.chance(0.45):
            visit.results += self.draw(at + timedelta(hours=2), ["ef"])
        self.diagnose(visit, day)
        visit.findings = self.ask(at)
        visit.events += self.pharmacy.review(at, visit.results)
        visit.events += self._fill(at, visit.results) if len(visit.events) < 3 else []
        if not visit.events:
            visit.events += self.pharmacy.complain(at, 0.045)
        return visit

    def _bedside(self) -> list[str]:
        mood = {"depression", "anxiety"} & set(self.body.ill)
        return ["weight", "bp"] + (["phq9"] if mood and self.dice.chance(0.8) else [])

    def doctor(self, clinic: str) -> str:
        """Each clinic has its doctor; now and then somebody else sees the patient."""
        places = ["primary care", *sorted({r["clinic"] for r in load("conditions.toml").values()}), "ward"]
        at = places.index(clinic) if clinic in places else len(clinic) % 7
        shift = 1 if self.dice.chance(0.12) else 0
        return str(self.doctors[(at + shift) % len(self.doctors)])

    def diagnose(self, encounter: Encounter, day: date) -> None:
        """Name what has begun since the last time, and begin its first drugs."""
        for key, onset in sorted(self.plan.onsets.items(), key=lambda item: item[1]):
            if onset > day or key in self.body.ill:
                continue
            self.add_problem(encounter, key)
            if len(encounter.problems) >= 2:
                break

    def add_problem(self, encounter: Encounter, key: str) -> None:
        """A new diagnosis made in this encounter."""
        day = encounter.at.date()
        self.body.ill[key] = day - timedelta(days=40)
        problem = Problem(self.new_id("problem"), "condition", key, day, "active")
        self.life.problems.append(problem)
        encounter.problems.append(problem)
        extra = self.dice.pick([0, 0, 1])
        if not self.pharmacy.treated(key):
            at = encounter.at if encounter.kind != "stay" else encounter.until - timedelta(hours=2)
            event = self.pharmacy.start(load("conditions.toml")[key]["drugs"][0], at, Reason("diagnosis", key), extra)
            encounter.events += [event] if event else []

    def _fill(self, at: datetime, results: list[Result]) -> list[DoseEvent]:
        """A diagnosis with a drug missing, or with the first drug at its limit, gets the next one."""
        last = {r.analyte: r for r in results}
        for key in self.body.ill:
            row = load("conditions.toml")[key]
            missing = [d for d in row["drugs"] if not self.pharmacy.current(d) and d not in self.pharmacy.held]
            for drug in missing:
                follower = drug_table(drug).get("next", "")
                if self.pharmacy.current(follower) or (drug in self.pharmacy.given_up and self.pharmacy.treated(key)):
                    continue
                event = self.pharmacy.start(drug, at, Reason("diagnosis", key))
                if event:
                    return [event]
            event = self._add_on(key, at, last)
            if event:
                return [event]
        return []

    def _add_on(self, key: str, at: datetime, last: dict[str, Result]) -> DoseEvent | None:
        row = load("conditions.toml")[key]
        firsts = [self.pharmacy.current(d) for d in row["drugs"]]
        topped = all(d is None or d.step >= len(drug_table(d.drug)["steps"]) - 2 for d in firsts)
        for drug in row.get("add", []):
            limits = {**drug_table(drug).get("up", {}), **drug_table(drug).get("up_below", {})}
            below = bool(drug_table(drug).get("up_below"))
            hit = next((last[a] for a, v in limits.items() if a in last and (last[a].home < v) == below), None)
            if topped and (hit or (not limits and self.dice.chance(0.06))):
                reason = Reason("low" if below else "high", hit.analyte, hit) if hit else Reason("uncontrolled", key)
                event = self.pharmacy.start(drug, at, reason)
                if event:
                    return event
        return None

    def ask(self, at: datetime, focus: tuple[str, ...] = ()) -> list[Finding]:
        """Symptoms asked about: those of the diagnoses, sometimes there, and general ones, mostly not."""
        own = [s for k in self.body.ill for s in load("conditions.toml")[k]["complaints"]]
        asked = list(dict.fromkeys([*focus, *self.dice.some(own, 4), *self.dice.some(_GENERAL, 4)]))
        found = []
        for symptom in asked:
            share = 0.95 if symptom in focus else 0.32 if symptom in own else 0.03
            found.append(Finding(self.new_id("finding"), symptom, at, self.dice.chance(share)))
        return found

    # -- planned procedures -----------------------------------------------------------------------------------------

    def _planned(self, number: int, day: date, key: str) -> Encounter:
        row = load("procedures.toml")[key]
        at = datetime.combine(day, time(self.dice.between(7, 14), self.dice.pick([0, 15, 30, 45])))
        visit = Encounter(f"e{number:03d}", "procedure", at, at, row["service"], self.doctor(row["service"]))
        if row["place"] != "bedside":
            before = datetime.combine(day - timedelta(days=5), time(15, self.dice.between(0, 59)))
            for drug in ("warfarin", "apixaban"):
                event = self.pharmacy.hold(drug, before, Reason("surgery", key))
                visit.events += [event] if event else []
        visit.procedures = [self.operate(key, at)]
        for drug in ("warfarin", "apixaban"):
            if drug in self.pharmacy.held and any(e.drug == drug for e in visit.events):
                event = self.pharmacy.resume(drug, at + timedelta(hours=3), Reason("recovered", key))
                visit.events += [event] if event else []
        visit.results = self.draw(at - timedelta(hours=1), ["bp"])
        return visit

    def operate(self, key: str, at: datetime, side: str = "") -> Procedure:
        """A procedure with its side, duration and blood loss."""
        row = load("procedures.toml")[key]
        chosen = (side or self.dice.pick(["left", "right"])) if row.get("side") else ""
        loss, minutes = row.get("loss", [0, 0]), row.get("minutes", [12, 50])
        return Procedure(
            self.new_id("procedure"), key, at, "left" if chosen == "left" else "right" if chosen else "",
            self.dice.pick(self.doctors[8:18] if self.person.lang == "en" else self.doctors[6:]),
            self.dice.between(loss[0], loss[1]) // 5 * 5, self.dice.between(minutes[0], minutes[1]),
        )  # fmt: skip

    # -- entries that turn out wrong --------------------------------------------------------------------------------

    def _spoil_some(self) -> None:
        """Some results are first reported wrong and corrected a day or two later."""
        used = {e.reason.result.fact_id for x in self.life.encounters for e in x.events if e.reason.result}
        for encounter in self.life.encounters:
            if not self.dice.chance(0.13 if encounter.kind != "stay" else 0.5):
                continue
            able = [
                i
                for i, r in enumerate(encounter.results)
                if r.analyte in _SPOILED and len(r.shown) >= 2 and r.fact_id not in used
            ]
            if able:
                at = self.dice.pick(able)
                encounter.results[at] = spoiled(encounter.results[at], self.dice)

    def cause(self, key: str) -> dict[str, object]:
        """A row of the causes file."""
        return dict(causes()[key])


_SPOILED = (
    "potassium",
    "glucose",
    "hemoglobin",
    "creatinine",
    "sodium",
    "inr",
    "tsh",
    "hba1c",
    "platelets",
    "ldl",
    "wbc",
)


def spoiled(result: Result, dice: Dice) -> Result:
    """The same result, first reported as something else."""
    value, digits = float(result.shown), len(result.shown.partition(".")[2])
    factor = dice.pick([0.71, 0.78, 1.29, 1.38, 1.46])
    wrong = f"{value * factor:.{digits}f}"
    later = (result.at + timedelta(days=dice.between(1, 2))).replace(
        hour=dice.between(9, 16), minute=dice.between(0, 59)
    )
    return Result(
        result.fact_id, result.analyte, result.at, result.shown, result.unit, result.ref, result.home, result.flag,
        wrong=wrong if wrong != result.shown else "", corrected=later if wrong != result.shown else None,
    )  # fmt: skip
