"""What a sentence of a claim says was done with drugs on which days, and whether the cited sentences say so.

`Cefazolin was begun on D and ended on D, 2 days later`, `apixaban was held on D`, `gabapentin 600 mg tid (D)`. That a
drug was listed on a day does not say that it was begun then, and held is not stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chartcite.facts.dates import covers
from chartcite.facts.lexicon import word_set
from chartcite.facts.quantities import Quantity
from chartcite.verification.computed import words as w
from chartcite.verification.computed.amounts import is_stated
from chartcite.verification.computed.atoms import Atom
from chartcite.verification.computed.days import days_between, is_before, is_so_long
from chartcite.verification.computed.findings import OPEN, Finding, wrong
from chartcite.verification.computed.stated import StatedAction

_ACTIONS = ("start", "stop", "hold", "resume", "suspend")
_MEANS = {"suspend": ("stop", "hold")}
"""In Portuguese one word says both."""


@dataclass(slots=True)
class Deed:
    """One thing done: `at` is its word (for `dose` its amount); `day` a form, empty without one."""

    drug: str
    action: str
    at: int
    day: str = ""
    amount: Quantity | None = None
    per_day: Quantity | None = None


@dataclass(slots=True)
class Course:
    """All deeds of a sentence in their order, the spans of time between them, and the atoms that are understood."""

    deeds: list[Deed] = field(default_factory=list)
    spans: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    is_clear: bool = True

    @property
    def computes(self) -> bool:
        """Whether it dates something."""
        return self.is_clear and any(deed.day for deed in self.deeds)


def read_course(atoms: Sequence[Atom], before: str = "") -> Course:
    """The deeds of a sentence; `before` is the drug of the sentence before, for one that names none."""
    course = Course()
    drugs = [i for i, atom in enumerate(atoms) if atom.kind == "drug"]
    course.used |= set(drugs)
    if any(atom.kind == "analyte" for atom in atoms) or not (drugs or before):
        course.is_clear = False
        return course
    for i, atom in enumerate(atoms):
        if atom.kind == "word" and atom.name in _ACTIONS:
            course.deeds.append(Deed(_drug(atoms, drugs, i, before), atom.name, i))
            course.used.add(i)
        elif atom.kind == "span":
            course.spans.append(i)
            course.used |= {i, *(k for k in (i - 1, i + 1) if _is_of_span(atoms, k))}
        elif atom.kind == "count":
            course.counts.append(i)
            course.used.add(i)
    for i, atom in enumerate(atoms):
        if atom.kind == "value" and atom.quantity.unit.dimension:
            _take_dose(atoms, course, drugs, i)
    course.deeds.sort(key=lambda deed: deed.at)
    _bind_days(atoms, course)
    return course


def _is_of_span(atoms: Sequence[Atom], at: int) -> bool:
    words = ("for", "after", "during", "por", "durante", "apos", "within")
    return 0 <= at < len(atoms) and (atoms[at].text in words or atoms[at].name in ("before", "after"))


def _drug(atoms: Sequence[Atom], drugs: Sequence[int], at: int, before: str) -> str:
    """The drug named before a deed, else the first behind it."""
    behind = [i for i in drugs if i < at]
    if behind and not _is_active(atoms, at):
        return atoms[behind[-1]].name
    ahead = [i for i in drugs if i > at]
    return atoms[ahead[0]].name if ahead else atoms[behind[-1]].name if behind else before


def _is_active(atoms: Sequence[Atom], at: int) -> bool:
    """`The start of metoprolol`, `was started on metoprolol`."""
    return (
        at + 1 < len(atoms)
        and (atoms[at + 1].text in ("of", "de", "da", "do", "on") or atoms[at + 1].kind == "drug")
        and any(atom.kind == "drug" for atom in atoms[at + 1 : at + 4])
    )


_FORMS = word_set(
    "er xr sr cr xl la dr ec succinate tartrate hcl hydrochloride besylate sodium potassium calcium maleate"
)


def _take_dose(atoms: Sequence[Atom], course: Course, drugs: Sequence[int], i: int) -> None:
    """An amount right behind a drug: of the deed that the sentence tells of it, else that it is taken."""
    at = i - 1
    while at > 0 and atoms[at].text in _FORMS:  # `diltiazem ER 120 mg`; the sources must have that word too
        at -= 1
    if at not in drugs:
        return
    frequency = atoms[i + 1].quantity if i + 1 < len(atoms) and atoms[i + 1].kind == "frequency" else None
    course.used |= {i, *([i + 1] if frequency else [])}
    own = [deed for deed in course.deeds if deed.drug == atoms[at].name and deed.amount is None]
    if own:
        own[0].amount, own[0].per_day = atoms[i].quantity, frequency
    else:
        course.deeds.append(Deed(atoms[at].name, "dose", i, "", atoms[i].quantity, frequency))


def _bind_days(atoms: Sequence[Atom], course: Course) -> None:
    """Each date goes to the last deed before it that has none, one at the head to the first."""
    for i, atom in enumerate(atoms):
        if atom.kind != "date":
            continue
        behind = [deed for deed in course.deeds if deed.at < i]
        deed = behind[-1] if behind else course.deeds[0] if course.deeds else None
        if deed is not None and deed.day and course.counts and i > 1 and atoms[i - 2].kind == "date":
            deed = Deed(deed.drug, deed.action, deed.at)  # `held 2 times: D, D`
            course.deeds.append(deed)
        if deed is None or deed.day:
            course.is_clear = False
            return
        deed.day = atom.quantity.when
        course.used |= {i, *([i - 1] if i and atoms[i - 1].text in w.PREPOSITIONS else [])}


def check_course(course: Course, atoms: Sequence[Atom], stated: Sequence[StatedAction]) -> Finding:
    """Say whether the deeds are stated so, each on its day, and lie so far apart.

    Args:
        course: what the claim says.
        atoms: of its sentence.
        stated: what the cited sentences say of these drugs.
    """
    found: list[list[StatedAction]] = []
    for deed in course.deeds:
        fitting, refused = _borne_out(deed, atoms, stated)
        if not fitting:
            return refused or OPEN
        found.append(fitting)
    for at in course.counts:
        if atoms[at].quantity.low != len(course.deeds) or len({deed.action for deed in course.deeds}) != 1:
            return wrong("number", "so many are not listed", _span(atoms, at), found[0][0])
    refused = _out_of_order(course, atoms, found)
    if refused is not None:
        return refused
    lengths = [_length(course, atoms, found, at) for at in course.spans]
    failed = [one for one in lengths if not one.holds]
    return failed[0] if failed else Finding(True, sources=frozenset(a.source_id for one in found for a in one))


def _out_of_order(course: Course, atoms: Sequence[Atom], found: Sequence[Sequence[StatedAction]]) -> Finding | None:
    """A deed that the sentence tells behind another of the same drug, though it came before."""
    for n, (first, second) in enumerate(pairwise(course.deeds)):
        one, other = found[n][0].day, found[n + 1][0].day
        if first.drug == second.drug and one != other and is_before(one, other) is False:
            return wrong("order", "the source has them in the other order", _span(atoms, second.at), found[n + 1][0])
    return None


def _length(course: Course, atoms: Sequence[Atom], found: Sequence[Sequence[StatedAction]], at: int) -> Finding:
    """Whether a span of time lies between the deed before it and the one before that, or the first two."""
    if len(found) < 2:
        return OPEN
    last = max(1, sum(deed.at < at for deed in course.deeds) - 1)
    between = days_between(found[last - 1][0].day, found[last][0].day)
    holds = None if between is None else is_so_long(atoms[at].quantity, between)
    if holds is None:
        return OPEN
    return (
        Finding(True)
        if holds
        else wrong("number", "the cited days lie otherwise apart", _span(atoms, at), found[last][0])
    )


def _borne_out(
    deed: Deed, atoms: Sequence[Atom], stated: Sequence[StatedAction]
) -> tuple[list[StatedAction], Finding | None]:
    own = [s for s in stated if s.drug == deed.drug]
    alike = [s for s in own if _is_same_deed(deed, s)]
    fitting = [s for s in alike if s.day and (not deed.day or covers(deed.day, s.day))]
    if fitting or not own or not deed.day:
        return fitting, None
    same_day = [s for s in own if s.day and covers(deed.day, s.day)]
    others = [s for s in same_day if not _is_same_deed(deed, s) and "dose" not in (s.action, deed.action)]
    if others and len(others) == len(same_day):
        return [], wrong("direction", "the source says that something else was done", _span(atoms, deed.at), others[0])
    if alike and all(s.day for s in alike):
        return [], wrong("date", "the source has this on another day", _span(atoms, deed.at), alike[0])
    doses = [s for s in same_day if s.amount is not None]
    if deed.amount is not None and doses and not any(_is_same_dose(deed, s) for s in doses):
        return [], wrong("number", "the source has another dose on this day", _span(atoms, deed.at), doses[0])
    return [], None


def _is_same_deed(deed: Deed, stated: StatedAction) -> bool:
    if deed.action == "dose":
        return stated.action in ("dose", "start", "resume") and _is_same_dose(deed, stated)
    return stated.action in _MEANS.get(deed.action, (deed.action,)) and (
        deed.amount is None or _is_same_dose(deed, stated)
    )


def _is_same_dose(deed: Deed, stated: StatedAction) -> bool:
    if deed.amount is None or stated.amount is None or not is_stated(deed.amount, stated.amount, deed.drug):
        return False
    if deed.amount.unit.name != stated.amount.unit and not stated.amount.unit:
        return False
    return deed.per_day is None or deed.per_day.low == stated.per_day


def _span(atoms: Sequence[Atom], at: int) -> tuple[int, int]:
    return atoms[at].start, atoms[at].end
