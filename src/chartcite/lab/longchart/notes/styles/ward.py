"""A stay on paper: admission note, ward rounds, nursing shifts, specialists, discharge."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from chartcite.lab.longchart.facts.model import Encounter
from chartcite.lab.longchart.lexicon import causes, load, name
from chartcite.lab.longchart.notes import sections as part
from chartcite.lab.longchart.notes.desk import Desk, Pen
from chartcite.lab.longchart.notes.paper import Mark, Sent
from chartcite.lab.longchart.notes.scribe import stay_id
from chartcite.lab.longchart.notes.voice import words


def write_admission(desk: Desk, stay: Encounter) -> None:
    """The history and physical."""
    pen = desk.open("consult-note", stay.at + timedelta(minutes=desk.dice.between(70, 200)), stay.doctor, stay)
    pen.title("admission")
    pen.head("subjective")
    complaints = [name("symptom", s, pen.say.lang) for s in causes()[stay.cause]["complaints"]]
    shown = (
        " {} ".format(words(pen.say.lang)["and"]).join([", ".join(complaints[:-1]), complaints[-1]])
        if len(complaints) > 1
        else complaints[0]
    )
    fact = stay_id(desk.life, stay)
    opening = pen.say.say("admit_open", [Mark(fact, "dates")], day=pen.say.day(stay.at), complaints=shown)
    pen.flow([opening, *pen.say.several("admit_story", 3)])
    pen.flow(part.findings_said(pen, stay.findings, "symptom_acute") + part.decoys(pen, 0.25))
    part.past_history(pen, "ward/past")
    part.surgical_history(pen)
    before = part.taken_now(pen)
    pen.head("medications")
    pen.lines([pen.say.on_drug(d, "med_row") for d in before], desk.dice.pick(["", "- ", "1. "]))
    part.allergies(pen)
    part.family_history(pen)
    part.social_history(pen)
    pen.head("vitals")
    pen.lines([pen.say.say("vitals_row", t1=f"{stay.at + timedelta(minutes=m):%H%M}") for m in (5, 50)])
    pen.head("objective")
    pen.flow(part.examination(pen, [r for r in stay.results if r.at <= pen.at]))
    first = list(part.first_of([r for r in stay.results if r.at <= pen.at]).values())
    pen.head("data")
    pen.flow(part.data_said(pen, first, 7))
    pen.head("plan")
    lines = [pen.say.say("cause_is", [Mark(fact, "cause")], cause=pen.say.cause(stay))]
    lines += [pen.say.event(e) for e in stay.events if e.at <= pen.at + timedelta(hours=2)]
    lines += pen.say.several("admit_plan", 3) + part.problem_lines(pen, 2)
    pen.lines(lines, ("", "- ", "1. ", "# ", "* ")[pen.say.voice.house])
    pen.sign()
    pen.close()


def write_round(desk: Desk, stay: Encounter, number: int, at: datetime, told: set[str]) -> None:
    """A daily note."""
    pen = desk.open("progress-note", at, stay.doctor, stay)
    pen.title("ward")
    pen.head("subjective")
    opening = pen.say.say("day_open", n=str(number), cause=pen.say.cause(stay))
    pen.flow([opening, *pen.say.several("day_subjective", desk.dice.between(2, 4))])
    pen.head("vitals")
    pen.flow([pen.say.say("vitals_row", t1=f"{at - timedelta(minutes=desk.dice.between(40, 190)):%H%M}")])
    pen.head("balance")
    pen.flow([pen.say.say("balance_row")])
    if desk.dice.chance(0.85):
        pen.head("events")
        pen.flow([pen.say.say("n_event")])
    pen.head("objective")
    today = [r for r in stay.results if r.at.date() == at.date()]
    pen.flow([*(pen.say.result(r) for r in today if r.analyte == "weight"), *pen.say.several("day_exam", 2)])
    said = part.data_said(pen, today, 5)
    if said:
        pen.head("data")
        pen.flow(said)
    given = part.taken_now(pen, inpatient=True)
    if given and desk.dice.chance(0.8):
        pen.head("medications")
        pen.lines([pen.say.on_drug(d, "med_row") for d in given], desk.dice.pick(["", "- "]))
    pen.head("plan")
    events = [
        e for e in stay.events if e.at <= at + timedelta(hours=8) and e.fact_id not in told and e.at.date() == at.date()
    ]
    told |= {e.fact_id for e in events}
    lines = [
        pen.say.problem(p)
        for p in stay.problems
        if p.status == "ruled_out" and number in (2, 3) and desk.dice.chance(0.6)
    ]
    lines += [pen.say.event(e) for e in events] + pen.say.several("day_plan", desk.dice.between(2, 3))
    lines += part.problem_lines(pen, desk.dice.between(0, 2)) + part.decoys(pen, 0.25)
    pen.lines(lines, ("", "- ", "1. ", "# ", "* ")[pen.say.voice.house])
    pen.head("disposition")
    pen.flow(pen.say.several("disposition_row", 2))
    pen.sign()
    pen.close()


_SYSTEMS = (
    ("neuro", "n_neuro"), ("resp", "n_resp"), ("cv", "n_cv"), ("gi", "n_gi"), ("gu", "n_gu"), ("skin", "n_skin"),
    ("pain", "n_pain"), ("mobility", "n_mobility"), ("family_talk", "n_family"), ("teach", "n_teach"),
)  # fmt: skip


def write_specialist(desk: Desk, stay: Encounter, at: datetime) -> None:
    """The service that is asked for its opinion on the ward."""
    pen = desk.open(
        "consult-note", at, desk.dice.pick(load("people.toml")[desk.life.person.lang]["doctors"][-9:]), stay
    )
    pen.title("consult", stay.clinic)
    pen.head("reason")
    cause = pen.say.cause(stay)
    pen.flow([pen.say.say("open_consult", clinic=stay.clinic, topic=cause, lastday=pen.say.day(stay.at))])
    pen.head("subjective")
    pen.flow(part.findings_said(pen, stay.findings, "symptom_acute") + part.retold(pen, 2))
    part.past_history(pen, "ward/past")
    part.surgical_history(pen)
    part.social_history(pen)
    pen.head("objective")
    pen.flow(part.examination(pen, [], full=False) + pen.say.several("day_exam", 1))
    said = part.data_said(pen, [r for r in stay.results if r.at.date() == at.date()], 6)
    if said:
        pen.head("data")
        pen.flow(said)
    pen.head("impression")
    pen.flow([pen.say.problem(p) for p in stay.problems if p.status == "ruled_out"] + part.problem_lines(pen, 2))
    pen.head("recommend")
    pen.lines(part.decoys(pen, 0.6) + pen.say.several("day_plan", 3), "1. ")
    pen.sign()
    pen.close()


def write_shift(desk: Desk, stay: Encounter, at: datetime) -> None:
    """A nursing note."""
    pen = desk.open("nursing-note", at, desk.nurse(), stay)
    pen.title("nursing")
    pen.flow(pen.say.several("n_open", 1))
    compact = desk.dice.chance(0.12)
    pen.head("vitals")
    rows = [pen.say.say("vitals_row", t1=f"{at - timedelta(minutes=back):%H%M}") for back in (415, 245, 55)]
    pen.lines(rows[: 2 + desk.dice.between(0, 1)])
    chosen = [s for s in _SYSTEMS if desk.dice.chance(0.98)]
    irregular = any(p.key == "atrial_fibrillation" and p.on <= at.date() for p in desk.life.problems)
    skin = _skin_key(stay, at)
    for header, system in chosen:
        key = {"n_cv": "n_cv_af" if irregular else system, "n_skin": skin}.get(system, system)
        if not compact:
            pen.head(header)
        # Two remarks on the pulse, the breathing or the pain of one shift could contradict each other.
        count = 2 if system in ("n_gi", "n_teach", "n_family") and desk.dice.chance(0.3) else 1
        pen.flow(pen.say.several(key, count))
    given = part.taken_now(pen, inpatient=True)
    sents = [pen.say.on_drug(d, "n_given_iv" if d.route == "iv" else "n_given") for d in desk.dice.some(given, 3)]
    held = [e for e in stay.events if e.action == "hold" and e.at < at]
    resumed = {e.drug for e in stay.events if e.action == "resume" and e.at < at}
    sents += [
        pen.say.say("n_not_given", drug=pen.say.drug(e.drug, 0.0))
        for e in held
        if e.drug not in resumed and desk.dice.chance(0.4)
    ]
    if sents:
        pen.head("given")
        pen.lines(sents)
    if desk.dice.chance(0.85):
        pen.head("events")
        pen.flow(pen.say.several("n_event", desk.dice.between(1, 2)))
    pen.flow(pen.say.several("n_sign", 1))
    pen.sign()
    pen.close()


def _skin_key(stay: Encounter, at: datetime) -> str:
    """What a nurse looks at: the wound, the red leg, or the skin in general."""
    if any(load("procedures.toml")[p.key]["place"] == "or" and p.at < at for p in stay.procedures):
        return "n_skin_wound"
    return "n_skin_leg" if stay.cause == "cellulitis" else "n_skin"


def write_discharge(desk: Desk, stay: Encounter) -> None:
    """The summary of the stay."""
    pen = desk.open("discharge-summary", stay.until - timedelta(minutes=desk.dice.between(5, 70)), stay.doctor, stay)
    pen.title("discharge")
    fact = stay_id(desk.life, stay)
    days = {"day": pen.say.day(stay.at), "until": pen.say.day(stay.until), "nights": str(stay.nights)}
    pen.flow([pen.say.say("discharged", [Mark(fact, "dates")], **days)])
    pen.head("diagnoses")
    lines = [pen.say.say("discharge_for", [Mark(fact, "cause")], cause=pen.say.cause(stay))]
    lines += [pen.say.problem(p) for p in stay.problems if p.status == "active"]
    lines += [
        pen.say.problem(p)
        for p in desk.dice.some([p for p in desk.life.problems if p.status == "active" and p.on < stay.at.date()], 4)
    ]
    pen.lines(lines, "1. ")
    part.past_history(pen, "ward/summary")
    pen.head("course")
    story = pen.say.several("course_general", 2) + _turns(pen, stay)
    pen.flow(story)
    told = [pen.say.event(e, past=True) for e in stay.events if e.at.date() < stay.until.date()]
    told += [pen.say.event(e) for e in stay.events if e.at.date() >= stay.until.date()]
    if told:
        pen.flow(told)
    excluded = [pen.say.problem(p) for p in stay.problems if p.status == "ruled_out"]
    if excluded:
        pen.head("excluded")
        pen.flow(excluded)
    if stay.procedures:
        pen.head("surgical")
        pen.lines([pen.say.procedure_past(p) for p in stay.procedures])
    last = list({r.analyte: r for r in stay.results if r.at <= pen.at}.values())
    pen.head("data")
    pen.lines([pen.say.result(r, "value_dated") for r in desk.dice.some(part.sayable(pen, last), 4)])
    part.drug_list(pen, "ward/leaving", "med_row_continue")
    if desk.dice.chance(0.6):
        part.allergies(pen)
    pen.head("condition")
    pen.flow(pen.say.several("condition_leaving", 1))
    pen.head("instructions")
    pen.flow([pen.say.say("leave_instructions", doctor=pen.say.doctor(desk.life.encounters[0].doctor))])
    pen.sign()
    pen.close()


def _turns(pen: Pen, stay: Encounter) -> list[Sent]:
    """The laboratory course: worst and last values, procedures."""
    sents: list[Sent] = []
    surge = causes()[stay.cause]["surge"]
    for analyte in pen.dice.some([a for a in surge if a not in ("bp", "weight", "ef")], 3):
        up = float(surge[analyte]) > 0
        found = part.worst_and_last(stay, analyte, up)
        if found is not None:
            worst, last = found
            sents.append(pen.say.result(worst, "value_peak" if up else "value_low_point"))
            sents.append(
                pen.say.result(last, "value_leaving" if last.at.date() == stay.until.date() else "value_dated")
            )
    return sents


def shifts(stay: Encounter, desk: Desk) -> list[datetime]:
    """When nursing notes are written: up to three a day."""
    found = []
    for day in range(stay.nights + 1):
        for hour in (5, 13, 21):
            at = datetime.combine(stay.at.date() + timedelta(days=day), time(hour, desk.dice.between(5, 58)))
            if stay.at + timedelta(hours=3) < at < stay.until - timedelta(hours=1) and desk.dice.chance(0.99):
                found.append(at)
    return found
