"""Things that happened once and can be named without a date: a procedure, a stay, the start or end of a drug."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from chartcite.lab.longchart.lexicon import causes, drug_name, name
from chartcite.lab.longchart.notes.scribe import stay_id
from chartcite.lab.longchart.questions.model import Case, Span


@dataclass(frozen=True, slots=True)
class Landmark:
    """`noun` stands after "before" or "after"; `spans` tell its date; `until` is its end."""

    kind: str
    fact_id: str
    noun: str
    at: datetime
    until: datetime
    spans: tuple[Span, ...]
    key: str


def landmarks(case: Case) -> list[Landmark]:
    """All of a patient, in order of time."""
    life, ledger, lang = case.life, case.ledger, case.life.person.lang
    found: list[Landmark] = []
    done = Counter(p.key for p in life.procedures)
    for procedure in life.procedures:
        spans = ledger.spans(procedure.fact_id, "done")
        if done[procedure.key] == 1 and spans:
            noun = case.noun("noun_procedure", procedure=name("procedure", procedure.key, lang))
            found.append(
                Landmark("procedure", procedure.fact_id, noun, procedure.at, procedure.at, tuple(spans), procedure.key)
            )
    stays = Counter(s.cause for s in life.stays)
    for stay in life.stays:
        spans = ledger.spans(stay_id(life, stay), "dates")
        if stays[stay.cause] == 1 and spans and not causes()[stay.cause].get("side"):
            noun = case.noun("noun_stay", cause=name("cause", stay.cause, lang))
            found.append(Landmark("stay", stay_id(life, stay), noun, stay.at, stay.until, tuple(spans), stay.cause))
    starts = Counter(e.drug for e in life.events if e.action == "start")
    for event in life.events:
        spans = ledger.spans(event.fact_id, "event")
        dosed = event.after or event.before
        if not spans or (dosed and dosed.inpatient) or event.action not in ("start", "stop"):
            continue
        if event.action == "start" and starts[event.drug] != 1:
            continue
        noun = case.noun(f"noun_{event.action}", drug=drug_name(event.drug, lang))
        found.append(Landmark(event.action, event.fact_id, noun, event.at, event.at, tuple(spans), event.drug))
    return sorted(found, key=lambda m: (m.at, m.fact_id))
