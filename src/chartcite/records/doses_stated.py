"""What a sentence says of the patient's drugs: a dose with its day, a start, a stop.

A goal, a proposal, a refused prescription and another person's drug are none. A dose that is not one amount is kept in
its own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chartcite.core.documents import Span
from chartcite.facts.changes import Change
from chartcite.facts.doses import Dose
from chartcite.facts.line import overlap
from chartcite.facts.read import SentenceFacts
from chartcite.records.days import Day, days, names_no_day
from chartcite.records.doses import Action, DoseStated
from chartcite.records.ended import is_undone, no_longer_taken
from chartcite.records.entries import Amount
from chartcite.records.labels import label_of
from chartcite.records.lines import Line
from chartcite.records.plans import is_date, is_plan
from chartcite.records.reading import FactsReader
from chartcite.records.refused import is_not_taken, is_of_another
from chartcite.records.schedules import schedule

_ACTIONS: Mapping[str, Action] = {
    "start": "start", "stop": "stop", "hold": "hold", "resume": "resume", "increase": "dose", "decrease": "dose",
    "change": "dose", "continue": "dose", "switch": "stop",
}  # fmt: skip
_OTHERS = frozenset(("family", "absent"))
_PROPOSED = re.compile(
    r"\b(?:if|consider|may|might|could|would|unless|until|should|discuss(?:ed)?|talked about|option|se|considerar"
    r"|poderia)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"\b(?:will|to|ok to|okay to|please|go back on|plan(?: is)? to)\b", re.IGNORECASE)
_NO_AMOUNT = frozenset(
    ("kg", "%", "ng/mL", "pg/mL", "ug/dL", "ug/L", "mg/dL", "g/dL", "mmol/L", "nmol/L", "meq/L", "U/L", "mU/L")
)
_ONCE = re.compile(
    r"\b(?:x\s?1\b|stat\b|bolus|challenge|drip|lavage|loading|given:|dose\s+given|was\s+given|took\s+one|premedicat)",
    re.IGNORECASE,
)
_BLOOD = re.compile(r"\btransfusion\b")  # a unit of blood is no medicine that is taken
_SUGGESTED = re.compile(r"\bsuggest(?:s|ion|ed)?\b|\bsugest", re.IGNORECASE)
_LATER = re.compile(r"\bthen\s+(?:to\s+)?stop|\be\s+depois\s+(?:parar|suspender)", re.IGNORECASE)
_NO_COURSE = re.compile(r"\b(?:allerg|intoleran|adverse|alergia|past medic|previous medic)", re.IGNORECASE)
_LISTS = re.compile(r"\b(?:medic|meds?\b|home medicine|medicines? to take|prescri|rem[ée]dios)", re.IGNORECASE)
_GIVEN = re.compile(r"\b(?:given|administration|mar\b|infusion|prn only|administra)", re.IGNORECASE)


def doses_stated(line: Line, facts_of: FactsReader) -> Iterator[DoseStated]:
    """What a sentence says of the patient's drugs."""
    if not line.day or any(_NO_COURSE.search(h) for h in line.section):
        return
    if is_of_another(line.text) or _SUGGESTED.search(line.text) or names_no_day(line.text):
        return
    facts = facts_of(line.text)
    dates = list(days(line.text, line.source.written, line.order))
    ended = no_longer_taken(line.text, facts.drugs)
    if is_not_taken(line.text) and not ended:  # `not taking warfarin: switched to apixaban 5 mg` has a drug that is
        return
    planned = [c for c in facts.changes if is_plan(line.text, c, facts.changes, dates, line.source.written)]
    actions, label = {**_actions(line, facts, planned), **ended}, label_of(line.label, line.section)
    unknown = {c.drug.span for c in planned if c.cue.end <= c.drug.span.start}
    is_later = bool(_LATER.search(line.text))
    seen: set[str] = set()
    for dose in facts.doses:
        name = dose.drug.name
        if not _is_taken(dose) or is_date(line.text, dose) or _is_refused(line.text, dose.drug.span, facts):
            continue
        if name in seen or (_ONCE.search(line.text) and dose.frequency is None):
            continue  # `(was 4.5 mg)`, `down by 2.5 mg`; `0.5 mg i.m. x 1` is no course
        if dose.drug.span in unknown or _BLOOD.search(name):
            continue  # `increase lisinopril to 40 mg if ...`
        seen.add(name)
        day, whole = _day(line, dates), schedule(line.text, dose, facts)
        if dose.earlier is not None and day < line.day:
            yield _one(line, dose, day, "dose", whole, is_own=False)
            continue
        action = "stop" if label == "stop" else actions.pop(name, "dose")
        action = "dose" if action == "stop" and label != "stop" and (is_later or whole) else action
        action = "start" if action == "dose" and label == "start" else action
        yield _one(line, dose, day, action, whole, is_own=day == line.day)
    for name, action in actions.items():
        if action != "dose" and not (action == "stop" and is_later):
            yield DoseStated(name, _day(line, dates), action, line.source, is_own=not dates)


def is_listed(line: Line, *, needs_number: bool = True) -> bool:
    """Whether a sentence is an entry of a list of all medicines, by the headers above it; with an amount, or any."""
    in_list = any(_LISTS.search(h) and not _GIVEN.search(h) for h in line.section)
    is_entry = not needs_number or any(char.isdigit() for char in line.text)
    return in_list and is_entry and label_of(line.label, line.section) != "stop"


def _is_taken(dose: Dose) -> bool:
    """Whether it is an amount of a drug: no weight of a body, no concentration, no result (`vitamin D 30 ng/mL`)."""
    return dose.strength is not None and dose.strength.unit.name not in _NO_AMOUNT


def _actions(line: Line, facts: SentenceFacts, planned: Sequence[Change]) -> dict[str, Action]:
    found: dict[str, Action] = {}
    for change in facts.changes:
        if (
            change not in planned
            and not is_undone(line.text, change)
            and not _is_refused(line.text, change.drug.span, facts)
        ):
            found[change.drug.name] = _action(change)
    return found


def _action(change: Change) -> Action:
    return _ACTIONS[change.kind]


def _is_refused(text: str, span: Any, facts: SentenceFacts) -> bool:
    """`Will start` and `OK to go back on` are orders; `would`, `consider` and `if` are none."""
    names = {name for s in facts.standings if overlap(span, s.span) for name in s.names}
    if names & _OTHERS:
        return True
    if "hypothetical" in names:
        return not _ORDER.search(text) or bool(_PROPOSED.search(text))
    return False


def _day(line: Line, dates: Sequence[Day]) -> str:
    """The day of the sentence, or the only earlier one that it names."""
    return min(line.day, dates[0].iso) if len(dates) == 1 else line.day


def _one(line: Line, dose: Dose, day: str, action: Action, whole: Span | None, *, is_own: bool) -> DoseStated:
    strength = dose.strength
    assert strength is not None  # noqa: S101 - looked at by the caller
    # A number of tablets is left alone: it may be what was dispensed.
    amount = Amount(strength.low, strength.high, strength.unit.name, strength.comparator)
    often = dose.frequency.low if dose.frequency else None
    return DoseStated(
        dose.drug.name, day, action, line.source, None if whole else amount, None if whole else often,
        dose.route.name if dose.route else "", line.text[slice(*(whole or dose.span))], dose.prn is not None, is_own,
        is_listed(line), varies=whole is not None,
    )  # fmt: skip
