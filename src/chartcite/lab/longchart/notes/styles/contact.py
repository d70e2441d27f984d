"""Between visits: the telephone, the portal, the reconciliation of drug lists."""

from __future__ import annotations

from datetime import datetime, timedelta

from chartcite.lab.longchart.facts.model import DoseEvent, Encounter, Finding
from chartcite.lab.longchart.lexicon import load
from chartcite.lab.longchart.notes import sections as part
from chartcite.lab.longchart.notes.desk import Desk, Pen
from chartcite.lab.longchart.notes.paper import Mark, Sent
from chartcite.lab.longchart.notes.scribe import reason_mark
from chartcite.lab.longchart.notes.voice import Voice, words


def write_phone(
    desk: Desk, encounter: Encounter, at: datetime, findings: list[Finding], events: list[DoseEvent]
) -> None:
    """A call: a complaint or none, a drug, perhaps a decision."""
    pen = desk.open("telephone-note", at, desk.nurse(), encounter)
    pen.title("phone")
    taken = part.taken_now(pen)
    parted = desk.dice.chance(0.9)
    if parted:
        pen.head("subjective")
    sents = [pen.say.say("call_open"), *part.findings_said(pen, findings)]
    if taken and desk.dice.chance(0.6):
        sents.append(pen.say.on_drug(desk.dice.pick(taken)))
    sents += part.decoys(pen, 0.3) + pen.say.several("call_body", desk.dice.between(1, 2))
    if parted:
        pen.flow(sents)
        pen.head("plan")
        sents = []
    sents += [pen.say.event(e) for e in events]
    known = [r for r in part.sayable(pen, encounter.results) if r.flag]
    if known and desk.dice.chance(0.5):
        sents.append(pen.say.result(desk.dice.pick(known), "value_dated"))
    sents.append(pen.say.say("call_close", doctor=pen.say.doctor(encounter.doctor)))
    pen.flow(sents)
    pen.sign()
    pen.close()


def write_portal(desk: Desk, encounter: Encounter, at: datetime, findings: list[Finding]) -> None:
    """A message from the patient with the clinic's reply under it."""
    person = desk.life.person
    pen = desk.open("portal-message", at, person.name, encounter)
    pen.say.voice = Voice(person.lang, pen.say.voice.dates, 0, pen.say.voice.house, 0.012, 0.0, desk.mask)
    pen.title("portal")
    doctor = pen.say.voice.masked("doctor", encounter.doctor)
    pen.raw(pen.say.say("portal_open", docname=doctor).text)
    taken = part.taken_now(pen)
    body = [pen.say.say("portal_body")]
    body += [pen.say.finding(f, "portal_symptom_yes" if f.present else "portal_symptom_no") for f in findings]
    if taken:
        body.append(pen.say.on_drug(desk.dice.pick(taken), "portal_drug"))
    body += part.decoys(pen, 0.25, "portal_other")
    body.append(pen.say.say("portal_asks"))
    pen.flow(body)
    close = pen.say.say("portal_close").text
    pen.raw(close if not desk.mask else close.split(",")[0] + ", " + pen.say.voice.masked("patient", person.name))
    pen.head("reply")
    reply = [pen.say.say("reply_open"), pen.say.say("reply_body")]
    known = [r for r in part.sayable(pen, encounter.results) if r.analyte not in ("bp", "weight", "phq9")]
    if known:
        reply.append(pen.say.result(desk.dice.pick(known), "value_dated"))
    if taken and desk.dice.chance(0.4):
        reply.append(pen.say.on_drug(desk.dice.pick(taken)))
    pen.flow(reply)
    signed = pen.say.doctor(encounter.doctor) if desk.mask else desk.nurse()
    pen.raw(f"{desk.dice.pick(['-', '--', ''])} {signed}".strip())
    pen.close()


def write_reconciliation(desk: Desk, encounter: Encounter, at: datetime) -> None:
    """Every drug with its fate."""
    pen = desk.open("medication-reconciliation", at, desk.nurse(), encounter)
    pen.title("reconciliation")
    pen.flow([pen.say.say("med_intro", day=pen.say.day(at))])
    pen.head("medications")
    rows = [pen.say.on_drug(d, "med_row_continue") for d in part.taken_now(pen)]
    rows += _ended(pen, at)
    if rows:
        pen.lines(rows, desk.dice.pick(["", "- ", "[ ] ", "1. "]))
    else:
        pen.raw(words(pen.say.lang)["none"])
    old = [
        d
        for d in desk.life.doses
        if not d.inpatient
        and d.end
        and at - timedelta(days=500) < _moment(d.end) <= at
        and d.drug in load("drugs.toml")
    ]
    current = {(d.drug, d.amount, d.freq) for d in part.taken_now(pen)}
    old = [d for d in old if (d.drug, d.amount, d.freq) not in current]
    if old and desk.dice.chance(0.45):
        dose = desk.dice.pick(old)
        sent = pen.say.on_drug(dose, "med_discrepancy")
        pen.flow([Sent(sent.text, (Mark(dose.fact_id, "old_dose"),), sent.family)])
    if desk.dice.chance(0.75):
        part.allergies(pen)
    known = [p for p in desk.life.problems if p.status == "active" and p.on < at.date()]
    if known and desk.dice.chance(0.7):
        pen.head("problems")
        pen.lines([pen.say.problem(p) for p in desk.dice.some(known, 4)])
    pen.sign()
    pen.close()


def _moment(day: object) -> datetime:
    return datetime.fromisoformat(str(day))


def _ended(pen: Pen, at: datetime) -> list[Sent]:
    """Rows for what was stopped or is on hold."""
    last: dict[str, DoseEvent] = {}
    for event in pen.desk.life.events:
        if (
            event.at <= at
            and not (event.before and event.before.inpatient)
            and not (event.after and event.after.inpatient)
        ):
            last[event.drug] = event
    rows = []
    for event in last.values():
        if event.action not in ("stop", "hold") or at - event.at > timedelta(days=420):
            continue
        key = "med_row_off" if event.action == "stop" else "med_row_held"
        marks = [Mark(event.fact_id, "event")]
        if event.reason.result and event.reason.kind in ("high", "low"):
            marks.append(reason_mark(event, event.reason.result))
        rows.append(
            pen.say.say(
                key,
                marks,
                drug=pen.say.drug(event.drug),
                day=pen.say.day(event.at),
                reason=pen.say.reason(event.reason),
            )
        )
    return rows
