"""Writes all notes of a patient, encounter by encounter, in order of time."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from chartcite.lab.longchart.facts.model import Encounter, Life
from chartcite.lab.longchart.lexicon import causes, load, name
from chartcite.lab.longchart.notes.desk import Desk
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.notes.styles import contact, imaging, operation, visit, ward
from chartcite.lab.longchart.notes.styles.lab import write_labs
from chartcite.lab.longchart.notes.voice import words

_STUDIES = {
    "neuro": ("head_ct",), "lungs": ("chest_clear", "chest_ct"), "cardiac": ("chest_clear",), "gu": ("renal_us",),
    "joints": ("spine_mri", "joint_xray"), "gi": ("renal_us", "chest_clear"), "general": ("chest_clear", "chest_ct"),
}  # fmt: skip


def write_chart(life: Life, seed: int) -> list[Note]:
    """All notes, in order of time."""
    desk = Desk.of(life, seed)
    for number, encounter in enumerate(life.encounters):
        if encounter.kind == "stay":
            _stay(desk, encounter)
        elif encounter.kind == "procedure":
            _planned(desk, encounter)
        else:
            _visit(desk, encounter, number)
    return sorted(desk.notes, key=lambda n: (n.at, n.doc_id))


def _visit(desk: Desk, encounter: Encounter, number: int) -> None:
    dice = desk.dice
    write_labs(desk, encounter)
    if encounter.kind == "consult":
        visit.write_consult(desk, encounter)
    else:
        visit.write_visit(desk, encounter)
    if dice.chance(0.34) or number == 0:
        contact.write_reconciliation(desk, encounter, encounter.at + timedelta(minutes=dice.between(60, 110)))
    for fraction in [r for r in encounter.results if r.analyte == "ef"]:
        reason = str(words(desk.life.person.lang)["echo_reason"])
        imaging.write_image(desk, encounter, "echo", fraction.at, reason, fraction)
    fresh = [f for f in encounter.findings if f.present][:1]
    if dice.chance(0.33):
        at = _office_hour(desk, encounter.at + timedelta(days=dice.between(4, 20)))
        contact.write_phone(desk, encounter, at, [], [])
    if dice.chance(0.33):
        at = _office_hour(desk, encounter.at + timedelta(days=dice.between(3, 16)))
        contact.write_portal(desk, encounter, at, [])
    if fresh and dice.chance(0.35):
        system = load("symptoms.toml")[fresh[0].symptom]["system"]
        study = dice.pick(_STUDIES.get(system, ("chest_clear",)))
        at = _office_hour(desk, encounter.at + timedelta(days=dice.between(1, 9)))
        imaging.write_image(desk, encounter, study, at, name("symptom", fresh[0].symptom, desk.life.person.lang), None)


def _office_hour(desk: Desk, day: datetime) -> datetime:
    day += timedelta(days=max(0, 7 - day.weekday()) if day.weekday() >= 5 else 0)
    return datetime.combine(day.date(), time(desk.dice.between(8, 17), desk.dice.between(0, 59)))


def _planned(desk: Desk, encounter: Encounter) -> None:
    held = [e for e in encounter.events if e.action == "hold"]
    if held:
        contact.write_phone(desk, encounter, held[0].at, [], held)
    for done in encounter.procedures:
        operation.write_operation(desk, encounter, done, str(words(desk.life.person.lang)["indications"][done.key]))


def _stay(desk: Desk, stay: Encounter) -> None:
    """Everything written between admission and the call after discharge."""
    lang = desk.life.person.lang
    write_labs(desk, stay)
    ward.write_admission(desk, stay)
    told = {e.fact_id for e in stay.events if e.at <= stay.at + timedelta(hours=4)}
    reason = name("symptom", causes()[stay.cause]["complaints"][0], lang)
    for number, study in enumerate(causes()[stay.cause]["images"]):
        at = stay.at + timedelta(hours=3 + 20 * number)
        if at < stay.until:
            fraction = next((r for r in stay.results if r.analyte == "ef"), None) if study == "echo" else None
            imaging.write_image(desk, stay, study, at, reason, fraction)
    contact.write_reconciliation(desk, stay, stay.at + timedelta(hours=4, minutes=desk.dice.between(0, 50)))
    if stay.nights >= 3:
        at = datetime.combine(
            stay.at.date() + timedelta(days=1), time(desk.dice.between(12, 17), desk.dice.between(0, 59))
        )
        ward.write_specialist(desk, stay, at)
    for number in range(1, stay.nights):
        at = datetime.combine(
            stay.at.date() + timedelta(days=number), time(desk.dice.between(8, 11), desk.dice.between(0, 59))
        )
        ward.write_round(desk, stay, number + 1, at, told)
    for at in ward.shifts(stay, desk):
        ward.write_shift(desk, stay, at)
    for done in stay.procedures:
        indication = name("cause", stay.cause, lang)
        if not causes()[stay.cause].get("certain"):
            indication = str(words(lang)["indications"].get(done.key, indication))
        operation.write_operation(desk, stay, done, indication)
    ward.write_discharge(desk, stay)
    if desk.dice.chance(0.7):
        at = _office_hour(desk, stay.until + timedelta(days=desk.dice.between(2, 4)))
        contact.write_phone(desk, stay, at, [], [])
