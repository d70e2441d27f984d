"""What a patient took, drug by drug: doses with the day from which each held, pauses, the end; every entry cited.

Read from sentences that state a dose or say what was done with a drug. A goal, a proposal, a refused prescription and
another person's drug are none. A dose goes on until another is stated; it ends when the record says so, or when a later
list of all medicines no longer has it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from chartcite.facts.changes import Change
from chartcite.facts.doses import Dose
from chartcite.facts.line import overlap
from chartcite.facts.read import SentenceFacts
from chartcite.records.days import Day, days
from chartcite.records.entries import Amount, Source, shown
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader
from chartcite.records.refused import is_not_taken, is_of_another

Action = Literal["dose", "start", "stop", "hold", "resume"]
"""`dose`: taken at that dose on that day."""
End = Literal["stopped", "held", "left_out"]
"""`left_out`: later lists of all medicines do not have it, and no sentence says why."""
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
_ONCE = re.compile(
    r"\b(?:x\s?1\b|stat\b|bolus|challenge|drip|lavage|loading|given:|dose\s+given|was\s+given|took\s+one|premedicat)",
    re.IGNORECASE,
)
_SUGGESTED = re.compile(r"\bsuggest(?:s|ion|ed)?\b|\bsugest", re.IGNORECASE)
_LATER = re.compile(r"\bthen\s+(?:to\s+)?stop|\be\s+depois\s+(?:parar|suspender)", re.IGNORECASE)
_STOP_HEADER = re.compile(r"\b(?:stop(?:ped)?|discontinue[ds]?|no longer|suspens|suspend|interromp)", re.IGNORECASE)
_NO_COURSE = re.compile(r"\b(?:allerg|intoleran|adverse|alergia|past medic|previous medic)", re.IGNORECASE)
LIST_LENGTH = 3
"""A note that states the doses of so many drugs under one header has a list of all medicines."""
_LISTS = re.compile(r"\b(?:medic|meds?\b|home medicine|medicines? to take|prescri|rem[ée]dios)", re.IGNORECASE)
_GIVEN = re.compile(r"\b(?:given|administration|mar\b|infusion|prn only|administra)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DoseStated:
    """What one sentence says of one drug. `is_listed`: as an entry of a list of all medicines."""

    drug: str
    day: str
    action: Action
    source: Source
    amount: Amount | None = None
    per_day: Fraction | None = None
    route: str = ""
    text: str = ""
    as_needed: bool = False
    is_own: bool = True
    is_listed: bool = False


@dataclass(frozen=True, slots=True)
class DosePeriod:
    """A dose and the day from which it is stated; `until` is the first day on which something else is."""

    since: str
    until: str | None
    amount: Amount | None
    per_day: Fraction | None
    route: str
    text: str
    as_needed: bool
    sources: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """The schema's form; `per_day` in times a day."""
        return {
            "since": self.since, "until": self.until, **({} if self.amount is None else self.amount.to_dict()),
            "per_day": shown(self.per_day) if self.per_day else None, "route": self.route or None, "text": self.text,
            "as_needed": self.as_needed, "sources": [source.to_dict() for source in self.sources],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Episode:
    """One course of a drug, from the first statement to its end.

    `start_is_stated`: the record says that it was begun then; else it is the first mention. `end` is None while the
    drug is taken as far as the record knows.
    """

    drug: str
    start: str
    start_is_stated: bool
    end: str | None
    ended: End | None
    last_mention: str
    periods: tuple[DosePeriod, ...]
    end_sources: tuple[Source, ...] = ()

    def dose_on(self, day: str) -> DosePeriod | None:
        """The dose on a day; None before the course, and from its end on."""
        if day < self.start or (self.end is not None and day >= self.end):
            return None
        return next((p for p in reversed(self.periods) if p.since <= day), None)

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "start": self.start, "start_is_stated": self.start_is_stated, "end": self.end, "ended": self.ended,
            "last_mention": self.last_mention, "doses": [period.to_dict() for period in self.periods],
            "end_sources": [source.to_dict() for source in self.end_sources],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Course:
    """All episodes of one drug, oldest first."""

    drug: str
    episodes: tuple[Episode, ...]

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {"drug": self.drug, "episodes": [episode.to_dict() for episode in self.episodes]}


def doses_stated(line: Line, drugs: frozenset[str], facts_of: FactsReader) -> Iterator[DoseStated]:
    """What a sentence says of the patient's drugs; of all when none is named."""
    if not line.day or any(_NO_COURSE.search(h) for h in line.section):
        return
    if is_not_taken(line.text) or is_of_another(line.text) or _SUGGESTED.search(line.text):
        return
    facts = facts_of(line.text)
    dates = list(days(line.text, line.source.written, line.order))
    actions = _actions(line, facts)
    seen: set[str] = set()
    for dose in facts.doses:
        name = dose.drug.name
        if (drugs and name not in drugs) or not _is_taken(dose) or _is_refused(line.text, dose.drug.span, facts):
            continue
        if name in seen or (_ONCE.search(line.text) and dose.frequency is None):
            continue  # `(was 4.5 mg)`, `down by 2.5 mg`; `0.5 mg i.m. x 1` is no course
        seen.add(name)
        day = _day(line, dates)
        if dose.earlier is not None and day < line.day:
            yield _one(line, dose, day, "dose", is_own=False)
            continue
        is_stop = any(_STOP_HEADER.search(h) for h in line.section)
        action = "stop" if is_stop else actions.pop(name, "dose")
        action = "dose" if action == "stop" and _LATER.search(line.text) else action
        yield _one(line, dose, day, action, is_own=day == line.day)
    for name, action in actions.items():
        if (not drugs or name in drugs) and action != "dose" and not (action == "stop" and _LATER.search(line.text)):
            yield DoseStated(name, _day(line, dates), action, line.source, is_own=not dates)


def is_listed(line: Line, *, needs_number: bool = True) -> bool:
    """Whether a sentence is an entry of a list of all medicines, by the headers above it; with an amount, or any."""
    in_list = any(_LISTS.search(h) and not _GIVEN.search(h) for h in line.section)
    is_entry = not needs_number or any(char.isdigit() for char in line.text)
    return in_list and is_entry and not any(map(_STOP_HEADER.search, line.section))


def courses(found: Iterable[DoseStated], listing: Mapping[str, tuple[str, int]]) -> list[Course]:
    """By drug, its episodes.

    Args:
        found: what the sentences state.
        listing: by doc_id, when it was written and how many entries its list of medicines has.
    """
    by_drug: dict[str, list[DoseStated]] = defaultdict(list)
    for one in found:
        by_drug[one.drug].append(one)
    lists = sorted((day, doc_id) for doc_id, (day, entries) in listing.items() if entries >= LIST_LENGTH)
    made = [Course(drug, tuple(_episodes(by_drug[drug], _omitting(by_drug[drug], lists)))) for drug in sorted(by_drug)]
    return [course for course in made if course.episodes]


def _is_taken(dose: Dose) -> bool:
    """Whether it is an amount of a drug: no weight of a body, no concentration."""
    return dose.strength is not None and dose.strength.unit.name not in ("kg", "%")


def _actions(line: Line, facts: SentenceFacts) -> dict[str, Action]:
    found: dict[str, Action] = {}
    for change in facts.changes:
        if not _is_refused(line.text, change.drug.span, facts):
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


def _one(line: Line, dose: Dose, day: str, action: Action, *, is_own: bool) -> DoseStated:
    strength = dose.strength
    assert strength is not None  # noqa: S101 - looked at by the caller
    # A number of tablets is left alone: it may be what was dispensed.
    amount = Amount(strength.low, strength.high, strength.unit.name, strength.comparator)
    return DoseStated(
        dose.drug.name, day, action, line.source, amount, dose.frequency.low if dose.frequency else None,
        dose.route.name if dose.route else "", line.text[slice(*dose.span)], dose.prn is not None, is_own,
        is_listed(line),
    )  # fmt: skip


@dataclass(slots=True)
class _Open:
    """An episode while it is being read."""

    first: DoseStated
    periods: list[list[DoseStated]] = field(default_factory=list)
    last: str = ""


def _episodes(found: Sequence[DoseStated], lists: Sequence[tuple[str, bool]]) -> Iterator[Episode]:
    current: _Open | None = None
    for one in sorted(found, key=lambda s: (s.day, not s.is_own, s.source.written, s.source.doc_id, s.source.start)):
        if current is not None:
            gone = _left_out(current.last, one.day, lists)
            if gone and one.action in ("dose", "start"):
                yield _closed(current, gone, "left_out", ())
                current = None
        if one.action in ("stop", "hold"):
            if current is not None:
                yield _closed(current, one.day, "stopped" if one.action == "stop" else "held", (one.source,))
                current = None
            continue
        if current is None:
            if one.amount is None and one.action == "dose":
                continue
            current = _Open(one)
        current.last = max(current.last, one.source.written if one.is_own else one.day)
        _add(current, one)
    if current is not None:
        gone = _left_out(current.last, "9999", lists)
        yield _closed(current, gone, "left_out" if gone else None, ())


def _add(current: _Open, one: DoseStated) -> None:
    if one.amount is None:
        return
    last = current.periods[-1][0] if current.periods else None
    if last is None or not _same_dose(last, one):
        current.periods.append([one])
    else:
        current.periods[-1].append(one)


def _same_dose(one: DoseStated, other: DoseStated) -> bool:
    a, b = one.amount, other.amount
    is_same = a is not None and b is not None and (a.low, a.unit) == (b.low, b.unit)
    return is_same and (one.per_day is None or other.per_day is None or one.per_day == other.per_day)


def _closed(current: _Open, end: str | None, ended: End | None, sources: tuple[Source, ...]) -> Episode:
    starts = [group[0].day for group in current.periods]
    periods = tuple(_period(group, until) for group, until in zip(current.periods, [*starts, end][1:], strict=False))
    first = current.first
    return Episode(first.drug, first.day, first.action == "start", end, ended, current.last, periods, sources)


def _period(group: Sequence[DoseStated], until: str | None) -> DosePeriod:
    first = group[0]
    per_day = next((one.per_day for one in group if one.per_day is not None), None)
    sources = tuple(dict.fromkeys(one.source for one in group))
    route = next((one.route for one in group if one.route), "")
    return DosePeriod(first.day, until, first.amount, per_day, route, first.text, first.as_needed, sources)


def _omitting(found: Sequence[DoseStated], lists: Sequence[tuple[str, str]]) -> list[tuple[str, bool]]:
    """(day, whether it has the drug) of each list, oldest first."""
    having = {one.source.doc_id for one in found if one.is_listed and one.action == "dose"}
    return [(day, doc_id in having) for day, doc_id in lists]


def _left_out(last: str, before: str, lists: Sequence[tuple[str, bool]]) -> str | None:
    """The day of the first of two or more lists after the last mention, none of which has the drug."""
    later = [(day, has) for day, has in lists if last < day < before]
    return later[0][0] if len(later) > 1 and not any(has for _, has in later) else None
