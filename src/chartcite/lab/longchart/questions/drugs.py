"""Questions on drugs: doses over time, why they changed, how long, how often, in which order, all on a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from chartcite.lab.longchart.facts.model import Dose, DoseEvent
from chartcite.lab.longchart.lexicon import drug_name
from chartcite.lab.longchart.questions.landmarks import landmarks
from chartcite.lab.longchart.questions.model import Case, Question, Span, every_part
from chartcite.lab.longchart.questions.reasons import reason_answer
from chartcite.lab.longchart.questions.wording import day_words, localised


def make(case: Case) -> Iterator[Question | None]:
    """All kinds."""
    life = case.life
    home = [d for d in life.doses if not d.inpatient]
    drugs = sorted({d.drug for d in home})
    for drug in case.dice.some(drugs, 7):
        yield _latest(case, drug)
        yield _first(case, drug)
        yield _count(case, drug)
    for _ in range(6):
        yield _on_day(case, case.dice.pick(drugs)) if drugs else None
    for _ in range(7):
        yield _list_on(case)
    events = [e for e in life.events if case.ledger.mentions(e.fact_id, ["event"])]
    for event in case.dice.some([e for e in events if e.action in ("stop", "hold", "change")], 9):
        yield _reason(case, event)
    for event in case.dice.some(
        [e for e in events if e.action == "start" and e.reason.kind in ("replaces", "high", "low", "diagnosis")], 2
    ):
        yield _reason(case, event)
    for event in case.dice.some([e for e in events if e.action == "change"], 5):
        yield _change(case, event)
    yield from _durations(case, events)
    yield from _orders(case)
    yield from _across(case)


def dose_answer(dose: Dose, lang: str, day: date | None = None) -> dict[str, Any]:
    """The typed answer."""
    answer: dict[str, Any] = {
        "type": "dose",
        "drug": drug_name(dose.drug, "pt" if lang == "pt" else "en"),
        "amount": dose.amount,
        "unit": dose.unit,
        "frequency": dose.freq,
        "since": dose.start.isoformat(),
        "text": localised(
            f"{drug_name(dose.drug, 'pt' if lang == 'pt' else 'en')} {dose.amount} {dose.unit} {dose.freq}", lang
        ),
    }
    return answer | ({"date": day.isoformat()} if day else {})


def dose_spans(case: Case, dose: Dose, part: int = 0, until: date | None = None) -> list[Span]:
    """Sentences that state a dose; not the lists that were copied forward after it had ended."""
    found = case.ledger.spans(dose.fact_id, "dose", part=part, until=until)
    ended = dose.end or date.max
    return [s for s in found if not (s.copied and case.ledger.notes[s.doc_id].at.date() > ended)]


def other_doses(case: Case, drug: str, right: set[str]) -> list[Span]:
    """Other doses of the drug, doses that are nobody's or somebody else's, and the twin's."""
    spans = case.ledger.spans(f"drug:{drug}", "decoy", why="not the patient's dose")[:8]
    if case.other:
        life, ledger = case.other
        mine = {(d.amount, d.freq) for d in case.life.doses if d.fact_id in right}
        for dose in [d for d in life.doses if d.drug == drug and (d.amount, d.freq) not in mine][-2:]:
            spans += ledger.spans(dose.fact_id, "dose", why="twin")[:3]
    for dose in [d for d in case.life.doses if d.drug == f"{drug}_iv"]:
        spans += case.ledger.spans(dose.fact_id, "dose", why="another route")[:4]
    same = {(d.amount, d.freq) for d in case.life.doses if d.fact_id in right}
    for dose in case.life.doses:
        if dose.drug == drug and dose.fact_id not in right and (dose.amount, dose.freq) not in same:
            spans += case.ledger.spans(dose.fact_id, "dose", "old_dose", why="another time")
    return [s for s in spans if not _states(case, s, right)]


def _states(case: Case, span: Span, right: set[str]) -> bool:
    note = case.ledger.notes.get(span.doc_id)
    return note is not None and any(m.start == span.start and m.fact_id in right for m in note.mentions)


def _of(case: Case, drug: str) -> list[Dose]:
    return [d for d in case.life.doses if d.drug == drug and not d.inpatient]


def _latest(case: Case, drug: str) -> Question | None:
    dose = _of(case, drug)[-1]
    gold = dose_spans(case, dose)
    slots = {"drug": drug_name(drug, case.life.person.lang)}
    return case.question("latest", "q_latest_dose", slots, dose_answer(dose, case.life.person.lang), gold,
                         other_doses(case, drug, {dose.fact_id}), facts=[dose.fact_id], about="dose")  # fmt: skip


def _first(case: Case, drug: str) -> Question | None:
    event = next((e for e in case.life.events if e.drug == drug and e.action == "start"), None)
    if event is None or event.after is None or event.after.inpatient or _of(case, drug)[0] is not event.after:
        return None
    answer = dose_answer(event.after, case.life.person.lang, event.at.date())
    gold = case.ledger.spans(event.fact_id, "event")
    slots = {"drug": drug_name(drug, case.life.person.lang)}
    return case.question("first", "q_first_dose", slots, answer, gold, other_doses(case, drug, {event.after.fact_id}),
                         facts=[event.fact_id], about="dose")  # fmt: skip


def _count(case: Case, drug: str) -> Question | None:
    changes = [e for e in case.life.events if e.drug == drug and e.action == "change"]
    gold = [s for i, e in enumerate(changes) for s in case.ledger.spans(e.fact_id, "event", part=i)]
    if not 1 <= len(changes) <= 7 or not every_part(gold, len(changes)):
        return None
    answer = {
        "type": "count",
        "count": len(changes),
        "dates": [e.at.date().isoformat() for e in changes],
        "text": str(len(changes)),
    }
    return case.question("count", "q_count_changes", {"drug": drug_name(drug, case.life.person.lang)}, answer, gold,
                         case.ledger.spans(f"drug:{drug}", "decoy", why="not the patient's dose"),
                         facts=[e.fact_id for e in changes], about="dose")  # fmt: skip


def _on_day(case: Case, drug: str) -> Question | None:
    dose = case.dice.pick(_of(case, drug))
    begins, ends = max(dose.start, case.life.begins), dose.end or case.life.ends
    if (ends - begins).days < 12:
        return None
    day = begins + timedelta(days=case.dice.between(3, (ends - begins).days - 3))
    gold = dose_spans(case, dose)
    slots = {"drug": drug_name(drug, case.life.person.lang), "day": day_words(case, day)}
    return case.question("value_at", "q_dose_at", slots, dose_answer(dose, case.life.person.lang, day), gold,
                         other_doses(case, drug, {dose.fact_id}), facts=[dose.fact_id], about="dose")  # fmt: skip


def _list_on(case: Case) -> Question | None:
    """Everything taken on a day; nothing written later may be used."""
    life = case.life
    visit = case.dice.pick([e for e in life.encounters if e.kind in ("visit", "consult", "stay")])
    day = visit.until.date() + timedelta(days=case.dice.between(2, 15))
    if any(e.at.date() <= day <= e.until.date() for e in life.stays) or any(e.at.date() == day for e in life.events):
        return None
    taken = life.taken(day)
    if not 2 <= len(taken) <= 12:
        return None
    gold = [s for i, d in enumerate(taken) for s in dose_spans(case, d, i, day)]
    if not every_part(gold, len(taken)):
        return None
    right = {d.fact_id for d in taken}
    forbidden: list[Span] = []
    for drug in sorted({d.drug for d in life.doses if not d.inpatient}):
        forbidden += other_doses(case, drug, right)[:6]
    items = [dose_answer(d, life.person.lang) for d in taken]
    answer = {"type": "list", "items": items, "text": "; ".join(str(i["text"]) for i in items)}
    return case.question(
        "current_medications_as_of",
        "q_drugs_as_of",
        {"day": day_words(case, day)},
        answer,
        gold,
        forbidden,
        as_of=day,
        facts=sorted(right),
        about="dose",
    )


def _reason(case: Case, event: DoseEvent) -> Question | None:
    lang = case.life.person.lang
    gold = case.ledger.spans(event.fact_id, "event")
    if event.reason.kind in ("course", "recovered", "route"):
        return None
    others = [e for e in case.life.events if e.drug == event.drug and e.fact_id != event.fact_id]
    forbidden = [s for e in others for s in case.ledger.spans(e.fact_id, "event", why="another decision")]
    action: str = event.action
    if action == "change" and event.before and event.after:
        action = "up" if event.after.step > event.before.step else "down"
    same = [e for e in others if e.action == event.action]
    slots = {"drug": drug_name(event.drug, lang), "day": day_words(case, event.at.date())}
    key = f"q_why_{action}_dated" if same else f"q_why_{action}"
    return case.question(
        "reason", key, slots, reason_answer(case, event.reason), gold, forbidden, facts=[event.fact_id], about="dose"
    )


def _change(case: Case, event: DoseEvent) -> Question | None:
    if event.before is None or event.after is None:
        return None
    lang = case.life.person.lang
    old, new = dose_answer(event.before, lang), dose_answer(event.after, lang, event.at.date())
    answer = {
        "type": "dose_change",
        "from": old,
        "to": new,
        "date": event.at.date().isoformat(),
        "text": f"{old['text']} -> {new['text']}",
    }
    right = {event.before.fact_id, event.after.fact_id}
    slots = {"drug": drug_name(event.drug, lang), "day": day_words(case, event.at.date())}
    return case.question("change", "q_change_dose", slots, answer, case.ledger.spans(event.fact_id, "event"),
                         other_doses(case, event.drug, right), facts=[event.fact_id], about="dose")  # fmt: skip


def _durations(case: Case, events: list[DoseEvent]) -> Iterator[Question | None]:
    """From a hold to its end, from a first start to the final stop, and courses in hospital."""
    pairs: list[tuple[str, DoseEvent, DoseEvent]] = []
    for number, event in enumerate(events):
        later = [e for e in events[number + 1 :] if e.drug == event.drug]
        if event.action == "hold" and later and later[0].action == "resume":
            pairs.append(("hold", event, later[0]))
        inpatient = bool(event.after and event.after.inpatient)
        if event.action == "start" and not inpatient:
            stop = next((e for e in later if e.action == "stop"), None)
            between = [e for e in later if stop and e.at < stop.at and e.action in ("hold", "start")]
            if stop and not between:
                pairs.append(("use", event, stop))
        if event.action == "start" and inpatient and later and later[0].action == "finish":
            pairs.append(("course", event, later[0]))
    for kind, one, two in case.dice.some(pairs, 7):
        days = (two.at.date() - one.at.date()).days
        gold = case.ledger.spans(one.fact_id, "event", part=0) + case.ledger.spans(two.fact_id, "event", part=1)
        if not every_part(gold, 2) or days < 1:
            continue
        answer = {"type": "duration", "days": days, "from": one.at.date().isoformat(), "to": two.at.date().isoformat(),
                  "text": f"{days} d ({one.at.date()} - {two.at.date()})"}  # fmt: skip
        slots = {"drug": drug_name(one.drug, case.life.person.lang), "day": day_words(case, one.at.date())}
        yield case.question(
            "duration", f"q_duration_{kind}", slots, answer, gold, facts=[one.fact_id, two.fact_id], about="dose"
        )


def _orders(case: Case) -> Iterator[Question | None]:
    """Which of two things came first."""
    marks = landmarks(case)
    for _ in range(7):
        if len(marks) < 2:
            return
        one, two = case.dice.some(marks, 2)
        if abs((one.at - two.at).days) < 2 or one.noun == two.noun:
            continue
        first, second = sorted((one, two), key=lambda m: m.at)
        gold = [Span(s.doc_id, s.start, s.end, s.quote, 0, s.copied) for s in first.spans]
        gold += [Span(s.doc_id, s.start, s.end, s.quote, 1, s.copied) for s in second.spans]
        answer = {
            "type": "order",
            "first": first.noun,
            "second": second.noun,
            "first_date": first.at.date().isoformat(),
            "second_date": second.at.date().isoformat(),
            "text": f"{first.noun} ({first.at.date()})",
        }
        yield case.question("order", "q_order", {"one": one.noun, "two": two.noun}, answer, gold,
                            facts=[first.fact_id, second.fact_id], about="events")  # fmt: skip


def _across(case: Case) -> Iterator[Question | None]:
    """The dose at the time of something told in another note."""
    lang = case.life.person.lang
    for mark in case.dice.some([m for m in landmarks(case) if m.kind in ("procedure", "stay")], 8):
        taken = [
            d
            for d in case.life.doses
            if not d.inpatient and d.start < mark.at.date() and d.on(mark.at.date() - timedelta(days=1))
        ]
        able = [d for d in taken if len(_of(case, d.drug)) > 1] or taken
        if not able:
            continue
        dose = case.dice.pick(able)
        gold = dose_spans(case, dose)
        gold += [Span(s.doc_id, s.start, s.end, s.quote, 1, s.copied) for s in mark.spans]
        if not every_part(gold, 2):
            continue
        slots = {"drug": drug_name(dose.drug, lang), "event": mark.noun}
        answer = dose_answer(dose, lang, mark.at.date())
        yield case.question(
            "cross_note",
            "q_dose_when",
            slots,
            answer,
            gold,
            other_doses(case, dose.drug, {dose.fact_id}),
            facts=[dose.fact_id, mark.fact_id],
            about="dose",
        )
