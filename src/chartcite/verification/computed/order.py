"""Which of two dated events came first: `the start of metoprolol (D1) came before the knee arthroplasty (D2)`.

Each event must be borne out on its day, by one cited sentence; the order is then that of the days. An event is what was
done with a drug, a value, or anything else that a sentence tells as having happened: not planned, not long past.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.documents import Span
from chartcite.verification.analysis import Analysed
from chartcite.verification.computed.atoms import Atom
from chartcite.verification.computed.courses import check_course, read_course
from chartcite.verification.computed.days import days_between, is_before, is_so_long
from chartcite.verification.computed.findings import OPEN, Finding, wrong
from chartcite.verification.computed.runs import read_runs
from chartcite.verification.computed.stated import Cited
from chartcite.verification.computed.told import told_on
from chartcite.verification.computed.values import check_run

_PIVOTS = {
    "before": True, "preceded": True, "precedes": True, "antes": True, "precedeu": True,
    "after": False, "followed": False, "follows": False, "depois": False, "apos": False, "seguiu": False,
}  # fmt: skip


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
    start, end = (claim.span.start + at for at in (own[0].start, own[-1].end))
    sources = list(told_on(Span(start, end), atoms[event.day].quantity.when, claim, cited))
    return Finding(True, sources=frozenset(sources)) if sources else OPEN


def spans_of(order: Order, atoms: Sequence[Atom]) -> tuple[tuple[int, int], ...]:
    """All of both events and of what orders them, as spans of the sentence."""
    used = [*order.first.atoms, *order.second.atoms, order.pivot, *([order.span] if order.span >= 0 else [])]
    return tuple((atoms[i].start, atoms[i].end) for i in sorted(used))
