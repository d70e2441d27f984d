"""Sections that several note styles share: drug lists, background, findings, examination, values, decisions."""

from __future__ import annotations

from datetime import timedelta

from chartcite.lab.longchart.facts.model import Background, Dose, DoseEvent, Encounter, Finding, Result
from chartcite.lab.longchart.lexicon import load
from chartcite.lab.longchart.notes.desk import Pen
from chartcite.lab.longchart.notes.paper import Mark, Sent
from chartcite.lab.longchart.notes.voice import words

GOALS = {
    "hba1c": "7.0%",
    "ldl": "70 mg/dL",
    "tsh": "1-3 mIU/L",
    "inr": "2.0-3.0",
    "uric_acid": "6.0 mg/dL",
    "bp": "130/80 mmHg",
    "phq9": "5",
    "potassium": "4.0-5.0 mEq/L",
    "hemoglobin": "11 g/dL",
    "vitamin_d": "30 ng/mL",
}

ALARMS = {
    "inr": "4.0",
    "potassium": "5.6 mEq/L",
    "glucose": "300 mg/dL",
    "bp": "180/110 mmHg",
    "creatinine": "2.5 mg/dL",
}


def taken_now(pen: Pen, inpatient: bool = False) -> list[Dose]:
    """What is taken at the time of the note, decisions of the day included."""
    day = pen.at.date()
    return [d for d in pen.desk.life.doses if d.on(day) and (inpatient or not d.inpatient)]


def drug_list(pen: Pen, keep: str, key: str = "med_row") -> None:
    """The list of drugs, written new or copied forward (and then perhaps out of date)."""
    voice = pen.say.voice
    pen.head("medications" if key == "med_row" else "leaving")
    stale = key == "med_row" and pen.dice.chance(0.3) and pen.paste(keep)
    if stale:
        return
    bullets = ("", "- ", "1. ", "* ", "1) ")
    rows = [pen.say.on_drug(d, key) for d in taken_now(pen)]
    if rows:
        pen.lines(rows, bullets[(voice.house + voice.dates) % 4], keep=keep)
    else:
        pen.raw(words(pen.say.lang)["none"])


def allergies(pen: Pen) -> None:
    """Allergies with reactions; what is tolerated now and then."""
    life = pen.desk.life
    pen.head("allergies")
    sents = [pen.say.background(b) for b in life.backgrounds if b.topic == "allergy"]
    sents += [
        conflict_line(pen, c.fact_id) for c in life.conflicts if c.topic == "allergy_reaction" and _due(pen, c.fact_id)
    ]
    if pen.dice.chance(0.35):
        sents += [pen.say.background(b) for b in life.backgrounds if b.topic == "tolerated"]
    pen.flow(sents) if pen.dice.chance(0.5) else pen.lines(sents)


def _due(pen: Pen, fact_id: str) -> bool:
    """Whether a conflicting statement is to be made here: few times in all, each version by its own kind of author."""
    told = sum(pen.desk.told.get(f"{fact_id}/{v}", 0) for v in (0, 1))
    return told < 4 or pen.dice.chance(0.12)


def conflict_line(pen: Pen, fact_id: str) -> Sent:
    """The version that this kind of note tells: clinics tell the first, hospital and consultants the second."""
    conflict = next(c for c in pen.desk.life.conflicts if c.fact_id == fact_id)
    hospital = pen.encounter.kind in ("stay", "consult", "procedure")
    told = [pen.desk.told.get(f"{fact_id}/{v}", 0) for v in (0, 1)]
    version = 1 if hospital else 0
    if told[version] >= 2 and told[1 - version] == 0:
        version = 1 - version
    pen.desk.told[f"{fact_id}/{version}"] = told[version] + 1
    return pen.say.conflict(conflict, version)


def past_history(pen: Pen, keep: str) -> None:
    """Diagnoses and past illnesses; often copied forward."""
    life = pen.desk.life
    pen.head("past")
    if pen.dice.chance(0.3) and pen.paste(keep):
        return
    day = pen.at.date()
    known = [p for p in life.problems if p.status == "active" and p.on < day]
    sents = [pen.say.problem(p) for p in known]
    sents += [pen.say.background(b) for b in least_told(pen, "past_condition", 2)]
    if pen.dice.chance(0.5):
        sents += [pen.say.background(b) for b in least_told(pen, "past_drug", 1)]
    pen.lines(sents, pen.dice.pick(["- ", "1. ", ""]), keep=keep)


def surgical_history(pen: Pen) -> None:
    """Operations, in and before the record."""
    life = pen.desk.life
    pen.head("surgical")
    done = [p for p in life.procedures if p.at + timedelta(days=3) < pen.at]
    sents = [pen.say.procedure_past(p) for p in done[-4:]]
    sents += [pen.say.background(b) for b in least_told(pen, "past_procedure", 2)]
    for conflict in life.conflicts:
        if conflict.topic in ("procedure_year", "past_side") and _due(pen, conflict.fact_id):
            sents.append(conflict_line(pen, conflict.fact_id))
    pen.lines(pen.dice.shuffled(sents)) if pen.dice.chance(0.5) else pen.flow(sents)


def family_history(pen: Pen) -> None:
    """Relatives and what they had."""
    life = pen.desk.life
    pen.head("family")
    facts = [b for b in life.backgrounds if b.topic in ("family", "family_none")]
    sents = [pen.say.background(b) for b in pen.dice.some(facts, 4)]
    for conflict in life.conflicts:
        if conflict.topic == "relative" and _due(pen, conflict.fact_id):
            sents.append(conflict_line(pen, conflict.fact_id))
    pen.flow(sents)


def social_history(pen: Pen) -> None:
    """Work, home, tobacco, alcohol."""
    life, person = pen.desk.life, pen.desk.life.person
    pen.head("social")
    sents = [pen.say.say("social", [Mark(f"{person.patient_id}:social", "social")], job=person.job, home=person.home)]
    contested = {c.topic: c for c in life.conflicts}.get("pack_years")
    for fact in life.backgrounds:
        if fact.topic == "alcohol" or (fact.topic == "smoking" and contested is None):
            sents.append(pen.say.background(fact))
    if contested is not None:
        sents.append(conflict_line(pen, contested.fact_id))
    pen.flow(sents)


def least_told(pen: Pen, topic: str, count: int) -> list[Background]:
    """The facts of a topic that were written down least often; after four times they rest."""
    facts = [b for b in pen.desk.life.backgrounds if b.topic == topic and pen.desk.told.get(b.fact_id, 0) < 4]
    return sorted(pen.dice.shuffled(facts), key=lambda b: pen.desk.told.get(b.fact_id, 0))[:count]


def findings_said(pen: Pen, findings: list[Finding], yes: str = "symptom_yes") -> list[Sent]:
    """Symptoms in the order asked; two denied ones may share a sentence."""
    sents: list[Sent] = [pen.say.finding(f, yes) for f in findings if f.present]
    denied = [f for f in findings if not f.present]
    while denied:
        if len(denied) >= 2 and pen.dice.chance(0.4):
            sents.append(pen.say.denied_two(denied.pop(), denied.pop()))
        else:
            sents.append(pen.say.finding(denied.pop()))
    return sents


def examination(pen: Pen, results: list[Result], full: bool = True) -> list[Sent]:
    """Bedside values and the examination by system."""
    bedside = [r for r in results if r.analyte in ("bp", "weight", "phq9")]
    sents = [_bedside(pen, r) for r in bedside]
    ill = {p.key for p in pen.desk.life.problems if p.status == "active" and p.on <= pen.at.date()}
    heart = "exam_heart_af" if "atrial_fibrillation" in ill else "exam_heart"
    keys = [
        "exam_general",
        "exam_heent",
        heart,
        "exam_lungs",
        "exam_abdomen",
        "exam_limbs",
        "exam_neuro",
        "exam_skin",
        "exam_psych",
    ]
    wanted = keys if full else pen.dice.some(keys, 4)
    sents += [pen.say.say(k) for k in keys if k in wanted and pen.dice.chance(0.72)]
    return sents


def _bedside(pen: Pen, result: Result) -> Sent:
    earlier = [r for r in pen.desk.life.of(result.analyte) if r.at < result.at - timedelta(days=3)]
    if earlier and earlier[-1].shown != result.shown and result.analyte == "weight" and pen.dice.chance(0.35):
        return pen.say.results_pair(earlier[-1], result)
    return pen.say.result(result)


def sayable(pen: Pen, results: list[Result]) -> list[Result]:
    """Results that may be quoted now: known, and not standing wrong in the record at this moment."""
    return [r for r in results if r.at <= pen.at and (r.corrected is None or r.corrected < pen.at)]


def data_said(pen: Pen, results: list[Result], most: int = 5) -> list[Sent]:
    """Some laboratory values of the day in prose, with an earlier one beside them now and then."""
    able = [r for r in sayable(pen, results) if r.analyte not in ("bp", "weight", "phq9", "ef")]
    flagged = [r for r in able if r.flag]
    chosen = pen.dice.some(flagged, most - 1) + pen.dice.some([r for r in able if not r.flag], 2)
    sents = []
    for result in chosen[:most]:
        past = [r for r in pen.desk.life.of(result.analyte) if r.at < result.at - timedelta(days=10)]
        past = [r for r in sayable(pen, past) if r.unit == result.unit]
        if result.at.date() != pen.at.date():
            # Drawn some days before: "today" would give it another date.
            sents.append(pen.say.result(result, "value_dated"))
            continue
        past = [r for r in past if r.shown != result.shown]
        if past and pen.dice.chance(0.4):
            sents.append(pen.say.results_pair(past[-1] if pen.dice.chance(0.7) else pen.dice.pick(past), result))
        else:
            sents.append(pen.say.result(result))
    return sents


def decisions(pen: Pen, events: list[DoseEvent]) -> list[Sent]:
    """What was decided about drugs, on the day."""
    return [pen.say.event(e) for e in events if e.at.date() == pen.at.date()]


def retold(pen: Pen, most: int = 1, days: int = 500) -> list[Sent]:
    """Earlier decisions told again, with their dates."""
    since = pen.at - timedelta(days=days)
    able = [
        e
        for e in pen.desk.life.events
        if since < e.at < pen.at - timedelta(days=2) and not (e.after and e.after.inpatient)
    ]
    return [pen.say.event(e, past=True) for e in pen.dice.some(able, most)]


def decoys(pen: Pen, share: float, own_words: str = "") -> list[Sent]:
    """Doses that are not the patient's, goals that are not results. `own_words`: the key a patient writes with."""
    sents: list[Sent] = []
    taken = [d for d in taken_now(pen) if d.drug in load("drugs.toml")]
    if taken and pen.dice.chance(share):
        dose = pen.dice.pick(taken)
        ladder = len(load("drugs.toml")[dose.drug]["steps"])
        if ladder > 1:
            step = pen.dice.pick([s for s in range(ladder) if s != dose.step])
            key = "hypothetical" if step > dose.step and pen.dice.chance(0.65) else "other_person"
            sents.append(pen.say.decoy(own_words or key, dose.drug, step))
    if own_words:
        return sents
    watched = {
        a
        for p in pen.desk.life.problems
        if p.kind == "condition" and p.status == "active" and p.on <= pen.at.date()
        for a in load("conditions.toml")[p.key]["watch"]
    }
    able = [a for a in GOALS if a in watched]
    if able and pen.dice.chance(share * 1.1):
        analyte = pen.dice.pick(able)
        alarms = [a for a in ALARMS if a in watched]
        if alarms and pen.dice.chance(0.25):
            sents.append(pen.say.goal(alarms[0], ALARMS[alarms[0]], "call_if"))
        else:
            sents.append(pen.say.goal(analyte, GOALS[analyte]))
    return sents


def problem_lines(pen: Pen, most: int) -> list[Sent]:
    """One or two remarks on each of some diagnoses."""
    ill = [p for p in pen.desk.life.problems if p.status == "active" and p.on <= pen.at.date()]
    sents = []
    for problem in pen.dice.some(ill, most):
        if pen.desk.book.has(f"c_{problem.key}"):
            remark = pen.say.say(f"c_{problem.key}")
            sents.append(Sent(f"{_capital(pen.say.condition(problem))}: {remark.text}", (), remark.family))
    return sents


def _capital(word: str) -> str:
    return word[0].upper() + word[1:]


def stays_since(pen: Pen, since_days: int) -> list[Sent]:
    """Stays that ended lately."""
    return [
        pen.say.stay_past(s)
        for s in pen.desk.life.stays
        if timedelta(0) < pen.at - s.until < timedelta(days=since_days)
    ]


def first_of(results: list[Result]) -> dict[str, Result]:
    """The earliest result by analyte."""
    found: dict[str, Result] = {}
    for result in results:
        found.setdefault(result.analyte, result)
    return found


def worst_and_last(encounter: Encounter, analyte: str, up: bool) -> tuple[Result, Result] | None:
    """The worst (highest or lowest) and the last result of a stay, if it clearly came back."""
    mine = [r for r in encounter.results if r.analyte == analyte and r.corrected is None]
    if len(mine) < 2:
        return None
    worst = max(mine, key=lambda r: r.home if up else -r.home)
    last = mine[-1]
    return (worst, last) if abs(worst.home - last.home) > 0.03 * abs(worst.home) and worst.shown != last.shown else None
