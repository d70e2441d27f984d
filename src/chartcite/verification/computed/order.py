"""Which of two dated events came first: `the start of metoprolol (D1) came before the knee arthroplasty (D2)`.

Each event must be borne out on its day, by one cited sentence; the order is then that of the days. An event is what was
done with a drug, a value, or anything else that a sentence tells as having happened: not planned, not long past.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chartcite.facts.dates import covers
from chartcite.records.days import days
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.computed.atoms import Atom
from chartcite.verification.computed.courses import check_course, read_course
from chartcite.verification.computed.days import days_between, is_before, is_so_long
from chartcite.verification.computed.findings import OPEN, Finding, wrong
from chartcite.verification.computed.runs import read_runs
from chartcite.verification.computed.stated import Cited
from chartcite.verification.computed.values import check_run
from chartcite.verification.evidence import alone
from chartcite.verification.matching import look_up, match_words
from chartcite.verification.verdicts import Source

_PIVOTS = {
    "before": True, "preceded": True, "precedes": True, "antes": True, "precedeu": True,
    "after": False, "followed": False, "follows": False, "depois": False, "apos": False, "seguiu": False,
}  # fmt: skip
_ELSEWHEN = re.compile(
    r"\b(?:s/p|status\s+post|history|hx|h/o|previous\w*|prior|remote|ago|since|post-?\s?op\w*|pod|will|plan\w*|schedul\w*|"
    r"pending|consider\w*|recommend\w*|refer\w*|await\w*|tomorrow|next|yesterday|last|if|before|after|until|hist[óo]ria|"
    r"pr[ée]vi[ao]\w*|pregress[ao]|programad[ao]|agendad[ao]|aguard\w*|planej\w*|p[óo]s-?\s?op\w*|ontem|amanh[ãa]|ap[óo]s|antes)\b",
    re.IGNORECASE,
)
"""What puts an event on another day than that of the note that tells it."""


@dataclass(frozen=True, slots=True)
class Event:
    """One side of an order: its atoms, and the atom of its day."""

    atoms: range
    day: int


@dataclass(frozen=True, slots=True)
class Order:
    """Two events, the one that is said to come first at first; `span` is the atom of the time between, -1 without."""

    first: Event
    second: Event
    pivot: int
    span: int = -1


def read_order(atoms: Sequence[Atom]) -> Order | None:
    """The order that a sentence tells of two dated events, if it tells just that."""
    pivots = [i for i, atom in enumerate(atoms) if atom.kind == "word" and atom.text in _PIVOTS]
    dates = [i for i, atom in enumerate(atoms) if atom.kind == "date"]
    if len(pivots) != 1 or len(dates) != 2 or not dates[0] < pivots[0] < dates[1]:
        return None
    pivot = pivots[0]
    is_before_it = _PIVOTS[atoms[pivot].text]
    if atoms[pivot].text == "followed" and pivot + 1 < len(atoms) and atoms[pivot + 1].text in ("by", "por"):
        is_before_it = True
    spans = [i for i, atom in enumerate(atoms) if atom.kind == "span"]
    if len(spans) > 1 or (spans and spans[0] != pivot - 1):
        return None
    left = Event(range(pivot - len(spans)), dates[0])
    right = Event(range(pivot + 1, len(atoms)), dates[1])
    first, second = (left, right) if is_before_it else (right, left)
    return Order(first, second, pivot, spans[0] if spans else -1)


def check_order(order: Order, atoms: Sequence[Atom], claim: Analysed, cited: Cited) -> Finding:
    """Say whether both events are told of their days, in this order and so far apart."""
    found = [_finding(event, atoms, claim, cited) for event in (order.first, order.second)]
    refused = next((one for one in found if one.holds is False), None)
    if refused is not None:
        return refused
    if any(one.holds is None for one in found):
        return OPEN
    forms = [atoms[event.day].quantity.when for event in (order.first, order.second)]
    is_first = is_before(*forms)
    if is_first is None:
        return OPEN
    at = (atoms[order.pivot].start, atoms[order.pivot].end)
    if not is_first:
        return wrong("order", "the cited days have the other order", at, None)
    if order.span >= 0:
        between = days_between(*forms)
        holds = None if between is None else is_so_long(atoms[order.span].quantity, between)
        if not holds:
            at = (atoms[order.span].start, atoms[order.span].end)
            return OPEN if holds is None else wrong("number", "the cited days lie otherwise apart", at, None)
    return Finding(True, sources=frozenset().union(*(one.sources for one in found)))


def _finding(event: Event, atoms: Sequence[Atom], claim: Analysed, cited: Cited) -> Finding:
    own = [atoms[i] for i in event.atoms]
    runs = read_runs(own)
    if runs:
        return check_run(runs[0], own, cited.of(runs[0].analyte)) if len(runs) == 1 and runs[0].computes else OPEN
    course = read_course(own)
    if course.deeds:
        return check_course(course, own, cited.actions) if course.computes else OPEN
    if any(atom.kind in ("value", "span", "count", "frequency", "factor", "other") for atom in own):
        return OPEN
    sources = list(_told(event, atoms, claim, cited))
    return Finding(True, sources=frozenset(sources)) if sources else OPEN


def _told(event: Event, atoms: Sequence[Atom], claim: Analysed, cited: Cited) -> Iterator[str]:
    """The sources with a sentence that tells an event in words, on its day."""
    start, end = (claim.span.start + at for at in (atoms[event.atoms[0]].start, atoms[event.atoms[-1]].end))
    words = [word for word in claim.content if start <= word.span.start and word.span.end <= end]
    sides = {side.name for side in claim.sides if side.at in {w.at for w in claim.words if start <= w.span.start < end}}
    by_id = {source.id: source for source in cited.sources}
    form = atoms[event.day].quantity.when
    for source_id, sentence in cited.sentences if words else ():
        if sides != ({side.name for side in sentence.sides} if sides else set()):
            continue
        matched = match_words(claim, look_up(alone(source_id, sentence)))
        own = [m for m in matched if start <= m.word.span.start and m.word.span.end <= end]
        is_told = bool(own) and all(any(_happened(hit) for hit in m.hits) and not m.is_complement for m in own)
        if is_told and _is_on(form, sentence, by_id[source_id]):
            yield source_id


def _happened(word: Word) -> bool:
    status = word.status
    return status.polarity == "affirmed" and not (
        status.is_possible or status.is_historical or status.is_family or status.is_hypothetical
    )


def _is_on(form: str, sentence: Analysed, source: Source) -> bool:
    """Whether a sentence tells something of a day: the only one that it names, else that of its note."""
    named = [m.quantity.when for m in sentence.measures if m.quantity.kind == "date" and ":" not in m.quantity.when]
    if not named:
        text = sentence.text[slice(*sentence.span)]
        return bool(source.day) and covers(form, source.day) and not _ELSEWHEN.search(text)
    iso = {day.iso for day in days(sentence.text[slice(*sentence.span)], source.day)} | set(named)
    return len(named) == 1 and any(covers(form, one) for one in iso)


def spans_of(order: Order, atoms: Sequence[Atom]) -> tuple[tuple[int, int], ...]:
    """All of both events and of what orders them, as spans of the sentence."""
    used = [*order.first.atoms, *order.second.atoms, order.pivot, *([order.span] if order.span >= 0 else [])]
    return tuple((atoms[i].start, atoms[i].end) for i in sorted(used))
