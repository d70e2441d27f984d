"""Questions on what stays and what happened once: background, procedures, stays, family, denied findings, conflicts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chartcite.lab.longchart.facts.model import Background, Conflict, Procedure
from chartcite.lab.longchart.lexicon import load, name
from chartcite.lab.longchart.notes.paper import Aspect
from chartcite.lab.longchart.notes.scribe import stay_id
from chartcite.lab.longchart.notes.voice import words
from chartcite.lab.longchart.questions.model import Case, Question, every_part
from chartcite.lab.longchart.questions.wording import day_words


def make(case: Case) -> Iterator[Question | None]:
    """All kinds."""
    yield from _backgrounds(case)
    yield from _procedures(case)
    yield from _stays(case)
    yield from _family(case)
    yield from _denied(case)
    for conflict in case.life.conflicts:
        yield _conflict(case, conflict)


def any_condition(case: Case, key: str) -> str:
    """The usual name of a condition of either list."""
    kind = "condition" if key in load("conditions.toml") else "pool_condition"
    return name(kind, key, case.life.person.lang)


def _text(text: str, *more: str, **extra: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, "accept": list(dict.fromkeys([text, *more])), **extra}


def _backgrounds(case: Case) -> Iterator[Question | None]:
    facts = [
        b for b in case.life.backgrounds if b.topic in ("allergy", "past_procedure", "past_drug", "past_condition")
    ]
    for fact in case.dice.some(facts, 9):
        yield _background(case, fact)
    person = case.life.person
    yield case.question(
        "single_fact",
        "q_job",
        {},
        _text(person.job),
        case.ledger.spans(f"{person.patient_id}:social", "social"),
        about="social",
    )
    smoking = next(b for b in case.life.backgrounds if b.topic == "smoking")
    if smoking.key == "former" and not any(c.topic == "pack_years" for c in case.life.conflicts):
        yield case.question(
            "single_fact",
            "q_quit",
            {},
            _text(smoking.other, year=smoking.other),
            case.ledger.spans(smoking.fact_id, "background"),
            about="social",
        )


def _background(case: Case, fact: Background) -> Question | None:
    lang, gold = case.life.person.lang, case.ledger.spans(fact.fact_id, "background")
    same = [b for b in case.life.backgrounds if b.topic == fact.topic and b.fact_id != fact.fact_id]
    forbidden = [s for b in same for s in case.ledger.spans(b.fact_id, "background", why="another entry")[:3]]
    if fact.topic == "allergy":
        known = words(lang)["reaction"][fact.detail]
        slots = {"allergen": name("allergen", fact.key, lang)}
        return case.question(
            "single_fact", "q_reaction", slots, _text(*known), gold, forbidden, facts=[fact.fact_id], about="allergy"
        )
    if fact.topic == "past_drug":
        row = load("harms.toml")[fact.detail]
        slots = {"drug": name("pool_drug", fact.key, lang)}
        answer = {"type": "reason", "reason": "harm", "text": row[lang], "accept": row["keys"]}
        return case.question(
            "reason", "q_why_past_drug", slots, answer, gold, forbidden, facts=[fact.fact_id], about="past"
        )
    kind = "pool_procedure" if fact.topic == "past_procedure" else "pool_condition"
    key = "q_year_procedure" if fact.topic == "past_procedure" else "q_year_condition"
    slots = {"thing": name(kind, fact.key, lang)}
    return case.question(
        "single_fact",
        key,
        slots,
        _text(fact.detail, year=fact.detail),
        gold,
        forbidden,
        facts=[fact.fact_id],
        about="past",
    )


def _procedures(case: Case) -> Iterator[Question | None]:
    life, lang = case.life, case.life.person.lang
    for procedure in case.dice.some(life.procedures, 6):
        yield from _procedure(case, procedure)
    keys = sorted({p.key for p in life.procedures})
    for key in keys:
        mine = [p for p in life.procedures if p.key == key]
        gold = [s for i, p in enumerate(mine) for s in case.ledger.spans(p.fact_id, "done", part=i)]
        if len(mine) >= 2 and every_part(gold, len(mine)):
            answer = {
                "type": "count",
                "count": len(mine),
                "dates": [p.at.date().isoformat() for p in mine],
                "text": str(len(mine)),
            }
            yield case.question("count", "q_count_procedure", {"procedure": name("procedure", key, lang)}, answer, gold,
                                facts=[p.fact_id for p in mine], about="procedure")  # fmt: skip


def _procedure(case: Case, procedure: Procedure) -> Iterator[Question | None]:
    lang = case.life.person.lang
    same = [p for p in case.life.procedures if p.key == procedure.key]
    slots = {"procedure": name("procedure", procedure.key, lang), "day": day_words(case, procedure.at.date())}
    dated = "_dated" if len(same) > 1 else ""
    day = procedure.at.date().isoformat()
    others = [p for p in case.life.procedures if p.fact_id != procedure.fact_id]

    def ask(key: str, aspect: Aspect, answer: dict[str, Any]) -> Question | None:
        gold = case.ledger.spans(procedure.fact_id, aspect)
        forbidden = [s for p in others for s in case.ledger.spans(p.fact_id, aspect, why="another procedure")[:3]]
        return case.question(
            "single_fact", key, slots, answer, gold, forbidden, facts=[procedure.fact_id], about="procedure"
        )

    if not dated:
        yield ask("q_when_procedure", "done", {"type": "date", "date": day, "text": day})
    if procedure.side:
        side = procedure.side if lang == "en" else words("pt")["side"][procedure.side]
        yield ask(f"q_side{dated}", "side", _text(side))
    masked = any("___" in s.quote or "[**" in s.quote for s in case.ledger.spans(procedure.fact_id, "operator"))
    if not masked:
        yield ask(f"q_operator{dated}", "operator", _text(procedure.operator))
    loss = case.ledger.spans(procedure.fact_id, "loss")
    if loss and not dated:
        value = {
            "type": "value",
            "value": str(procedure.loss),
            "number": procedure.loss,
            "unit": "mL",
            "date": day,
            "text": f"{procedure.loss} mL",
        }
        yield ask("q_loss", "loss", value)
    if not dated:
        time = {
            "type": "value",
            "value": str(procedure.minutes),
            "number": procedure.minutes,
            "unit": "min",
            "date": day,
            "text": f"{procedure.minutes} min",
        }
        yield ask("q_minutes", "minutes", time)


def _stays(case: Case) -> Iterator[Question | None]:
    life, lang = case.life, case.life.person.lang
    stays = life.stays
    for stay in case.dice.some(stays, 5):
        fact = stay_id(life, stay)
        gold = case.ledger.spans(fact, "dates")
        cause = name("cause", stay.cause, lang)
        same = [s for s in stays if s.cause == stay.cause]
        slots = {"cause": cause, "day": day_words(case, stay.at.date())}
        days = {
            "type": "duration",
            "days": stay.nights,
            "from": stay.at.date().isoformat(),
            "to": stay.until.date().isoformat(),
            "text": f"{stay.nights} d",
        }
        others = [
            s
            for o in stays
            if o is not stay
            for s in case.ledger.spans(stay_id(life, o), "dates", why="another stay")[:3]
        ]
        yield case.question("duration", "q_stay_length", slots, days, gold, others, facts=[fact], about="stay")
        yield case.question(
            "single_fact",
            "q_stay_cause",
            slots,
            _text(cause),
            case.ledger.spans(fact, "cause"),
            others,
            facts=[fact],
            about="stay",
        )
        if len(same) == 1:
            left = {"type": "date", "date": stay.until.date().isoformat(), "text": stay.until.date().isoformat()}
            whole = {
                (m.doc_id, m.start)
                for m in case.ledger.mentions(fact, ["dates"])
                if m.family.startswith(("stay_past", "discharged"))
            }
            full = [s for s in gold if (s.doc_id, s.start) in whole]
            yield case.question("single_fact", "q_stay_left", slots, left, full, others, facts=[fact], about="stay")
    gold = [s for i, stay in enumerate(stays) for s in case.ledger.spans(stay_id(life, stay), "dates", part=i)]
    if stays and every_part(gold, len(stays)):
        answer = {
            "type": "count",
            "count": len(stays),
            "dates": [s.at.date().isoformat() for s in stays],
            "text": str(len(stays)),
        }
        yield case.question(
            "count", "q_count_stays", {}, answer, gold, facts=[stay_id(life, s) for s in stays], about="stay"
        )


def _family(case: Case) -> Iterator[Question | None]:
    own = {p.key for p in case.life.problems if p.status == "active"} | {
        b.key for b in case.life.backgrounds if b.topic == "past_condition"
    }
    for fact in case.life.backgrounds:
        if fact.topic != "family" or fact.key in own:
            continue
        gold = case.ledger.spans(fact.fact_id, "background")
        others = [b for b in case.life.backgrounds if b.topic == "family" and b.fact_id != fact.fact_id]
        forbidden = [s for b in others for s in case.ledger.spans(b.fact_id, "background", why="another relative")[:3]]
        slots = {"condition": any_condition(case, fact.key), "relative": fact.detail}
        no = {"type": "status", "status": "family_only", "relative": fact.detail, "text": fact.detail}
        yield case.question(
            "family_vs_patient", "q_own_or_family", slots, no, gold, forbidden, facts=[fact.fact_id], about="family"
        )
        yield case.question(
            "family_vs_patient",
            "q_who_family",
            slots,
            _text(fact.detail, fact.detail.removeprefix("a ").removeprefix("o ")),
            gold,
            forbidden,
            facts=[fact.fact_id],
            about="family",
        )
        age = _text(fact.other, number=int(fact.other))
        yield case.question(
            "single_fact", "q_family_age", slots, age, gold, forbidden, facts=[fact.fact_id], about="family"
        )
    # The other way round: the patient's own illness, asked in the same words.
    relatives = {b.key for b in case.life.backgrounds if b.topic == "family"}
    mine = [p for p in case.life.problems if p.status == "active" and p.key not in relatives]
    for problem in case.dice.some(mine, 2):
        gold = case.ledger.spans(problem.fact_id, "problem")
        yes = {"type": "status", "status": "patient", "text": "patient"}
        yield case.question(
            "family_vs_patient",
            "q_own_or_family",
            {"condition": any_condition(case, problem.key)},
            yes,
            gold,
            facts=[problem.fact_id],
            about="family",
        )


def _denied(case: Case) -> Iterator[Question | None]:
    lang = case.life.person.lang
    clear = {k for k, row in load("symptoms.toml").items() if row.get("clear")}
    findings = [f for e in case.life.encounters if e.kind != "stay" for f in e.findings if f.symptom in clear]
    for wanted, kind, count in ((False, "denied", 8), (True, "present", 4)):
        able = [f for f in findings if f.present == wanted and case.ledger.mentions(f.fact_id, ["finding"])]
        for finding in case.dice.some(able, count):
            gold = case.ledger.spans(finding.fact_id, "finding")
            opposite = [f for f in findings if f.symptom == finding.symptom and f.present != wanted]
            forbidden = [s for f in opposite for s in case.ledger.spans(f.fact_id, "finding", why="another date")]
            slots = {"symptom": name("symptom", finding.symptom, lang), "day": day_words(case, finding.at.date())}
            answer = {"type": "status", "status": kind, "date": finding.at.date().isoformat(), "text": kind}
            yield case.question(
                "denied" if kind == "denied" else "present",
                "q_symptom_on",
                slots,
                answer,
                gold,
                forbidden,
                facts=[finding.fact_id],
                about="symptom",
            )
    for problem in [p for p in case.life.problems if p.status == "ruled_out"]:
        if problem.key in {p.key for p in case.life.problems if p.status == "active"}:
            continue
        gold = case.ledger.spans(problem.fact_id, "ruled_out")
        slots = {"condition": name("excluded", problem.key, lang), "day": day_words(case, problem.on)}
        answer = {"type": "status", "status": "ruled_out", "date": problem.on.isoformat(), "text": "ruled out"}
        yield case.question("denied", "q_ruled_out", slots, answer, gold, facts=[problem.fact_id], about="diagnosis")


def _conflict(case: Case, conflict: Conflict) -> Question | None:
    lang = case.life.person.lang
    gold = case.ledger.spans(conflict.fact_id, "version0", part=0) + case.ledger.spans(
        conflict.fact_id, "version1", part=1
    )
    if not every_part(gold, 2):
        return None
    told = list(conflict.told)
    slots: dict[str, str] = {}
    match conflict.topic:
        case "allergy_reaction":
            slots, told = (
                {"allergen": name("allergen", conflict.key, lang)},
                [words(lang)["reaction"][t][0] for t in told],
            )
        case "procedure_year":
            slots = {"thing": name("pool_procedure", conflict.key, lang)}
        case "relative":
            slots = {"condition": any_condition(case, conflict.key)}
        case "past_side":
            slots = {"procedure": name("procedure", conflict.key, lang)}
            told = told if lang == "en" else [words("pt")["side"][t] for t in told]
    key = {
        "allergy_reaction": "q_reaction",
        "procedure_year": "q_year_procedure",
        "relative": "q_who_family",
        "past_side": "q_side",
        "pack_years": "q_pack_years",
    }[conflict.topic]
    answer = {"type": "conflict", "versions": told, "text": " / ".join(told)}
    return case.question("conflicting", key, slots, answer, gold, facts=[conflict.fact_id], about="conflict")
