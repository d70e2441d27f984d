"""The clinic note in SOAP order, and the consultant's note."""

from __future__ import annotations

from datetime import timedelta

from chartcite.lab.longchart.facts.model import Encounter
from chartcite.lab.longchart.lexicon import load, name
from chartcite.lab.longchart.notes import sections as part
from chartcite.lab.longchart.notes.desk import Desk, Pen
from chartcite.lab.longchart.notes.paper import Sent


def write_visit(desk: Desk, visit: Encounter) -> None:
    """A primary care visit."""
    pen = desk.open("progress-note", visit.at + timedelta(minutes=desk.dice.between(15, 55)), visit.doctor, visit)
    pen.title("visit", visit.clinic)
    lastday = desk.last_visit.get(visit.clinic, visit.at - timedelta(days=190))
    some = desk.dice.shuffled(visit.findings)
    early, late = some[: len(some) // 2], some[len(some) // 2 :]
    symptom = name("symptom", visit.findings[0].symptom, desk.life.person.lang)
    # A chief complaint may only name what is there.
    present = [f for f in visit.findings if f.present]
    if present:
        symptom = name("symptom", present[0].symptom, desk.life.person.lang)
    pen.head("subjective")
    chief = [pen.say.say("chief", clinic=visit.clinic, symptom=symptom)] if present and desk.dice.chance(0.5) else []
    opening = pen.say.say("open_visit", clinic=visit.clinic, lastday=pen.say.day(lastday))
    pen.flow([*chief, opening, *part.stays_since(pen, 75), *part.findings_said(pen, early)])
    taken = [d for d in part.taken_now(pen) if d.start < visit.at.date()]
    remarks: list[Sent] = [pen.say.on_drug(d) for d in desk.dice.some(taken, 2)]
    remarks += part.decoys(pen, 0.35) + part.retold(pen, 1)
    pen.flow(desk.dice.shuffled(remarks))
    pen.head("interval")
    pen.flow(pen.say.several("life", desk.dice.between(2, 4)))
    if late:
        pen.head("ros")
        pen.flow(part.findings_said(pen, late)) if desk.dice.chance(0.6) else pen.lines(
            part.findings_said(pen, late), "- "
        )
    _lists(pen, visit)
    pen.head("objective")
    pen.flow(part.examination(pen, visit.results))
    said = part.data_said(pen, visit.results, 5)
    if said:
        pen.head("data")
        pen.flow(said) if desk.dice.chance(0.6) else pen.lines(said)
    if desk.dice.chance(0.9):
        pen.head("prevention")
        pen.flow([pen.say.say("prevention_row", clinic=visit.clinic) for _ in range(desk.dice.between(1, 2))])
    _plan(pen, visit)
    pen.sign()
    pen.close()
    desk.last_visit[visit.clinic] = visit.at


def _lists(pen: Pen, visit: Encounter) -> None:
    part.drug_list(pen, f"{visit.clinic}/drugs")
    dice = pen.dice
    if dice.chance(0.5):
        part.allergies(pen)
    if dice.chance(0.5):
        part.past_history(pen, f"{visit.clinic}/past")
    if dice.chance(0.4):
        part.surgical_history(pen)
    if dice.chance(0.3):
        part.family_history(pen)
    if dice.chance(0.4):
        part.social_history(pen)


def _plan(pen: Pen, visit: Encounter) -> None:
    pen.head("plan")
    dice = pen.dice
    lines = [pen.say.problem(p) for p in visit.problems]
    lines += part.decisions(pen, visit.events)
    lines += part.problem_lines(pen, dice.between(2, 4))
    lines += part.decoys(pen, 0.3)
    if dice.chance(0.4) and (taken := part.taken_now(pen)):
        lines.append(pen.say.on_drug(dice.pick(taken)))
    lines += pen.say.several("plan_general", dice.between(1, 2))
    if dice.chance(0.25):
        lines += part.retold(pen, 1)
    pen.lines(lines, ("", "- ", "1. ", "# ", "* ")[pen.say.voice.house]) if dice.chance(0.7) else pen.flow(lines)
    pen.head("follow")
    pen.flow([pen.say.say("follow_up")])


def write_consult(desk: Desk, visit: Encounter) -> None:
    """A specialist's note on an outpatient."""
    pen = desk.open("consult-note", visit.at + timedelta(minutes=desk.dice.between(20, 80)), visit.doctor, visit)
    pen.title("consult", visit.clinic)
    ill = [p for p in desk.life.problems if p.status == "active" and p.kind == "condition" and p.on <= visit.at.date()]
    own = [p for p in ill if load("conditions.toml")[p.key]["clinic"] == visit.clinic] or ill
    topic = name("condition", desk.dice.pick(own).key, desk.life.person.lang) if own else visit.clinic
    lastday = desk.last_visit.get(visit.clinic, visit.at - timedelta(days=120))
    pen.head("reason")
    pen.flow([pen.say.say("open_consult", clinic=visit.clinic, topic=topic, lastday=pen.say.day(lastday))])
    pen.head("subjective")
    story = part.stays_since(pen, 200) + part.findings_said(pen, visit.findings) + part.retold(pen, 2)
    pen.flow(story + part.decoys(pen, 0.3))
    pen.head("interval")
    pen.flow(pen.say.several("life", 2))
    part.past_history(pen, f"{visit.clinic}/past")
    part.surgical_history(pen)
    part.drug_list(pen, f"{visit.clinic}/drugs")
    part.allergies(pen)
    part.family_history(pen)
    part.social_history(pen)
    pen.head("objective")
    pen.flow(part.examination(pen, visit.results))
    said = part.data_said(pen, visit.results, 6)
    if said:
        pen.head("data")
        pen.flow(said)
    pen.head("impression")
    pen.flow([pen.say.problem(p) for p in visit.problems] + part.problem_lines(pen, 2))
    pen.head("recommend")
    lines = part.decisions(pen, visit.events) + part.decoys(pen, 0.55) + pen.say.several("plan_general", 2)
    pen.lines([*lines, pen.say.say("follow_up")], "1. ")
    pen.sign()
    pen.close()
    desk.last_visit[visit.clinic] = visit.at
