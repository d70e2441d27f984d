"""Therapy: which dose is begun, changed, held or stopped, and why. Rules come from `data/drugs.toml`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Action, Dose, DoseEvent, Reason, Result
from chartcite.lab.longchart.lexicon import drug_table, load

NewId = Callable[[str], str]
_MOST_DRUGS = 11
_VITAL = ("warfarin", "apixaban", "insulin_glargine", "levetiracetam", "levothyroxine")


class Pharmacy:
    """One patient's drugs. Every decision is an event with a reason; the doses are what follows from them."""

    def __init__(self, dice: Dice, new_id: NewId) -> None:
        self.doses: list[Dose] = []
        self.given_up: set[str] = set()
        self.held: dict[str, tuple[Dose, str]] = {}
        self._dice, self._new_id = dice, new_id
        self._since: dict[str, date] = {}

    def current(self, drug: str) -> Dose | None:
        """The open dose of a drug."""
        return next((d for d in self.doses if d.drug == drug and d.end is None and not d.inpatient), None)

    def open(self) -> list[Dose]:
        """Everything taken now, in order of start."""
        return [d for d in self.doses if d.end is None and not d.inpatient]

    def treated(self, condition: str) -> bool:
        """Whether something taken or held treats it."""
        taken = [d.drug for d in self.open()] + list(self.held)
        return any(condition in drug_table(d)["treats"] for d in taken)

    # -- decisions --------------------------------------------------------------------------------------------------

    def already_on(self, drug: str, since: date, step: int) -> None:
        """A drug taken before the record begins: no event."""
        self._put(drug, since, step)

    def start(self, drug: str, at: datetime, reason: Reason, extra: int = 0) -> DoseEvent | None:
        """Begin a drug at its first step, unless it is taken, given up, or there are too many."""
        if (
            self.current(drug)
            or drug in self.given_up
            or drug in self.held
            or len(self.open()) >= _MOST_DRUGS + 3 * (drug in _VITAL)
        ):
            return None
        ladder = drug_table(drug)["steps"]
        step = min(len(ladder) - 1, int(drug_table(drug).get("start", 0)) + extra)
        return self._event(drug, at, "start", None, self._put(drug, at.date(), step), reason)

    def step(self, drug: str, at: datetime, by: int, reason: Reason) -> DoseEvent | None:
        """Change to a neighbouring step, if there is one and the last change is not too fresh."""
        dose = self.current(drug)
        if dose is None or (at.date() - dose.start).days < 20:
            return None
        step = dose.step + by
        if not 0 <= step < len(drug_table(drug)["steps"]):
            return None
        dose.end = at.date()
        return self._event(drug, at, "change", dose, self._put(drug, at.date(), step), reason)

    def stop(self, drug: str, at: datetime, reason: Reason) -> DoseEvent | None:
        """End a drug for good."""
        dose = self.current(drug)
        if dose is None or (at.date() - dose.start).days < 5:
            return None
        dose.end = at.date()
        self.given_up.add(drug)
        return self._event(drug, at, "stop", dose, None, reason)

    def hold(self, drug: str, at: datetime, reason: Reason) -> DoseEvent | None:
        """End it for the time being."""
        dose = self.current(drug)
        if dose is None or (at.date() - dose.start).days < 3:
            return None
        dose.end = at.date()
        self.held[drug] = (dose, reason.kind)
        return self._event(drug, at, "hold", dose, None, reason)

    def resume(self, drug: str, at: datetime, reason: Reason, by: int = 0) -> DoseEvent | None:
        """Take it up again, at the old step or beside it."""
        if drug not in self.held:
            return None
        old, _ = self.held.pop(drug)
        if at.date() <= (old.end or old.start):
            at = at + timedelta(days=1)
        step = max(0, min(len(drug_table(drug)["steps"]) - 1, old.step + by))
        return self._event(drug, at, "resume", old, self._put(drug, at.date(), step), reason)

    def course(self, drug: str, at: datetime, days: int, amount: str, reason: Reason) -> tuple[DoseEvent, DoseEvent]:
        """A course given in hospital: its start and its end."""
        row = drug_table(drug)
        until = at + timedelta(days=days)
        dose = Dose(
            self._new_id("dose"),
            drug,
            amount,
            row["unit"],
            row["freq"],
            row["route"],
            at.date(),
            until.date(),
            inpatient=True,
        )
        self.doses.append(dose)
        end = until.replace(hour=10, minute=self._dice.between(0, 59))
        return (
            self._event(drug, at, "start", None, dose, reason),
            self._event(drug, end, "finish", dose, None, Reason("course", reason.key)),
        )

    # -- rules on what was measured ---------------------------------------------------------------------------------

    def review(self, at: datetime, results: list[Result], most: int = 2) -> list[DoseEvent]:
        """What the results of the day make a careful doctor do; at most `most` changes."""
        last = {r.analyte: r for r in results}
        found: list[DoseEvent] = []
        for drug in list(self.held):
            found += self._maybe_resume(drug, at, last)
        for dose in self.open():
            if len(found) >= most:
                break
            event = self._by_rule(dose, at, last)
            if event is not None:
                found.append(event)
        return found

    def _maybe_resume(self, drug: str, at: datetime, last: dict[str, Result]) -> list[DoseEvent]:
        old, why = self.held[drug]
        limits = drug_table(drug).get("hold", {})
        safe = all(key in last and last[key].home < limit * 0.93 for key, limit in limits.items())
        if (why in ("high", "low") and not safe) or (at.date() - (old.end or at.date())).days < 6:
            return []
        shown = next((last[k] for k in limits if k in last), None)
        event = self.resume(
            drug, at, Reason("recovered", result=shown if why == "high" else None), -1 if why == "high" else 0
        )
        return [event] if event else []

    def _by_rule(self, dose: Dose, at: datetime, last: dict[str, Result]) -> DoseEvent | None:
        row = drug_table(dose.drug)
        for rule in ("stop", "hold", "down", "up", "up_below"):
            for key, limit in row.get(rule, {}).items():
                below = _below(rule, key, limit)
                if key in last and _beyond(last[key].home, abs(limit), below):
                    return self._act(rule, dose.drug, at, _measured(last[key], below))
        if self._dice.chance(float(row.get("up_chance", 0.0))):
            return self.step(dose.drug, at, 1, Reason("uncontrolled", row["treats"][0]))
        return None

    def _act(self, rule: str, drug: str, at: datetime, reason: Reason) -> DoseEvent | None:
        if rule == "stop":
            return self.stop(drug, at, reason)
        if rule == "hold":
            return self.hold(drug, at, reason)
        return self.step(drug, at, -1 if rule == "down" else 1, reason)

    def complain(self, at: datetime, share: float) -> list[DoseEvent]:
        """One drug may turn out badly: it is stopped and, where the ladder file names one, replaced."""
        for dose in self.open():
            harms = drug_table(dose.drug)["harms"]
            young = (at.date() - self._since.get(dose.drug, dose.start)).days
            if harms and 6 < young < 900 and self._dice.chance(share):
                event = self.stop(dose.drug, at, Reason("harm", self._dice.pick(harms)))
                if event is None:
                    return []
                follower = drug_table(dose.drug).get("next", "")
                new = (
                    self.start(follower, at, Reason("replaces", dose.drug)) if follower in load("drugs.toml") else None
                )
                return [event, new] if new else [event]
        return []

    def _put(self, drug: str, start: date, step: int) -> Dose:
        row = drug_table(drug)
        amount, freq = row["steps"][step].split()
        dose = Dose(self._new_id("dose"), drug, amount, row["unit"], freq, row["route"], start, step=step)
        self._since.setdefault(drug, start)
        self.doses.append(dose)
        return dose

    def _event(
        self, drug: str, at: datetime, action: Action, before: Dose | None, after: Dose | None, reason: Reason
    ) -> DoseEvent:
        return DoseEvent(self._new_id("event"), drug, at, action, before, after, reason)


def _below(rule: str, analyte: str, limit: float) -> bool:
    """Whether a rule strikes below its limit. A negative limit of a `down` rule strikes above it."""
    if rule == "stop":
        return analyte in ("egfr", "sodium", "magnesium")
    return rule == "up_below" or (rule == "down" and limit > 0 and analyte != "creatinine")


def _beyond(value: float, limit: float, below: bool) -> bool:
    return value < limit if below else value > limit


def _measured(result: Result, below: bool) -> Reason:
    return Reason("low" if below else "high", result.analyte, result)
