"""The outline of a life: how many visits and stays, which diagnoses and when, before anything is measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Person
from chartcite.lab.longchart.lexicon import causes, load

_NOTES_A_VISIT, _NOTES_A_DAY, _NOTES_A_STAY = 2.9, 5.1, 7.0


@dataclass(slots=True)
class Outline:
    """What will happen, in rough. `onsets`: day on which each diagnosis is made (before `begins`: known already)."""

    begins: date
    ends: date
    visits: list[date] = field(default_factory=list)
    stays: list[tuple[date, str, int]] = field(default_factory=list)
    planned: list[tuple[date, str]] = field(default_factory=list)
    onsets: dict[str, date] = field(default_factory=dict)


def outline(person: Person, size: int, age: int, shape: Dice, own: Dice) -> Outline:
    """Plan about `size` notes. `shape` and `age` are shared by twins (same diagnoses), `own` is not (other days)."""
    share = 0.82 if size >= 600 else 0.62 if size >= 300 else 0.48 if size >= 110 else 0.36
    visits = max(6, round(size * (1 - share) / _NOTES_A_VISIT))
    years = max(3.0, min(14.5, visits / 5.2))
    begins = date(2009, 1, 5) + timedelta(days=own.between(0, 900))
    ends = begins + timedelta(days=int(years * 365))
    plan = Outline(begins, ends)
    plan.onsets = _diagnoses(person, age, size, shape, own, begins, years)
    plan.visits = _spread(own, begins, ends, visits)
    plan.stays = _stays(plan, size * share, shape, own)
    plan.planned = _planned(person, plan, size, shape, own)
    return plan


def _diagnoses(
    person: Person, age: int, size: int, shape: Dice, own: Dice, begins: date, years: float
) -> dict[str, date]:
    table = load("conditions.toml")
    wanted = 5 + shape.between(0, 2) + (3 if size >= 300 else 1 if size >= 150 else 0)
    keys = [
        k
        for k, row in table.items()
        if row.get("sex", person.sex) == person.sex
        and row["age"][0] <= age + years - 1
        and k not in ("stroke_history",)
    ]
    chosen: list[str] = []
    while len(chosen) < wanted and keys:
        key = shape.weighted(keys, [float(table[k]["weight"]) for k in keys])
        keys.remove(key)
        if not ({"asthma", "copd"} <= {key, *chosen} or {"depression", "anxiety"} <= {key, *chosen}):
            chosen.append(key)
    onsets: dict[str, date] = {}
    for number, key in enumerate(chosen):
        earliest = int(table[key]["age"][0])
        known = (shape.chance(0.45) or number < 2) and number < wanted - 2 and earliest < age
        if known:
            onsets[key] = begins - timedelta(days=own.between(200, 3200))
        else:
            onsets[key] = begins + timedelta(days=int(own.uniform(0.02, 0.72) * years * 365))
    return onsets


def _spread(own: Dice, begins: date, ends: date, count: int) -> list[date]:
    gap = (ends - begins).days / count
    days = [begins + timedelta(days=int(i * gap + own.uniform(0.05, 0.8) * gap)) for i in range(count)]
    return [d + timedelta(days=max(0, 7 - d.weekday())) if d.weekday() >= 5 else d for d in days]


def _stays(plan: Outline, notes: float, shape: Dice, own: Dice) -> list[tuple[date, str, int]]:
    found: list[tuple[date, str, int]] = []
    used: set[str] = set()
    span = (plan.ends - plan.begins).days
    budget = notes
    while budget > 14 and len(found) < 40:
        share = own.uniform(0.06, 0.97)
        day = plan.begins + timedelta(days=int(share * span))
        if any(abs((day - other).days) < 26 for other, _, _ in found):
            budget -= 1.0
            continue
        cause = _cause(plan, day, shape, used)
        low, high = causes()[cause]["days"]
        nights = min(own.between(low, high), max(2, int(budget / _NOTES_A_DAY)))
        found.append((day, cause, nights))
        budget -= nights * _NOTES_A_DAY + _NOTES_A_STAY
    return sorted(found)


def _cause(plan: Outline, day: date, shape: Dice, used: set[str]) -> str:
    ill = {k for k, onset in plan.onsets.items() if onset < day}
    table = {
        k: row for k, row in causes().items()
        if set(row["needs"]) <= ill and not (k in used and (row.get("once") or row.get("certain")))
    }  # fmt: skip
    weights = [
        float(row["weight"]) * (2.2 if row["needs"] else 1.0) * (0.45 if k in used else 1.0) for k, row in table.items()
    ]
    cause = shape.weighted(list(table), weights)
    used.add(cause)
    return cause


def _planned(person: Person, plan: Outline, size: int, shape: Dice, own: Dice) -> list[tuple[date, str]]:
    ill = plan.onsets
    wishes = ["colonoscopy", "skin_biopsy", "carpal_tunnel", "cataract", "hernia_repair", "rotator_cuff"]
    wishes += ["egd"] * ("reflux" in ill or "iron_deficiency" in ill) + ["mastectomy_benign"] * (person.sex == "F")
    repeated = ["knee_injection"] * 3 + ["lumbar_injection"] * (3 if "back_pain" in ill else 0)
    chosen = shape.some(wishes, 2 + (size >= 150) + (size >= 300)) + repeated[: 2 + 2 * (size >= 150)]
    span = (plan.ends - plan.begins).days
    found: list[tuple[date, str]] = []
    for key in chosen:
        day = plan.begins + timedelta(days=int(own.uniform(0.1, 0.92) * span))
        if day.weekday() >= 5:
            day += timedelta(days=2)
        clash = [d for d, _, n in plan.stays if -12 < (day - d).days < n + 12]
        if not clash and all(abs((day - d).days) > 15 for d, _ in found):
            found.append((day, key))
    return sorted(found)
