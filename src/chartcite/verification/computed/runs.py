"""What a sentence of a claim says of one measured thing: its values with their days, and what is computed of them.

A run goes from one name to the next. It only says what is written; whether that is so is for `values` to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from chartcite.facts.quantities import Quantity
from chartcite.verification.computed import words as w
from chartcite.verification.computed.atoms import Atom

_TAGS = ("low", "high", "latest", "first", "mean")
_WAYS = ("up", "down", "same", "moved")


@dataclass(slots=True)
class Point:
    """A value that the claim states.

    Attributes:
        at: its atom.
        day: the date that stands with it, as a form (`facts.dates`); empty without one.
        tag: `from`, `to` or `than` by the word before it.
        rank: `low`, `high`, `latest`, `first` or `mean` of what is cited.
    """

    at: int
    quantity: Quantity
    day: str = ""
    tag: str = ""
    rank: str = ""


class Comparison(NamedTuple):
    """Two values: which way the second lies from the first. `is_timed`: the first is said to be the earlier one."""

    first: Point
    second: Point
    way: str
    is_timed: bool
    at: int


class Scope(NamedTuple):
    """Days, as forms, between which all lies; without `last` the one period `first`, or with `since` all behind it."""

    first: str
    last: str
    since: bool = False


@dataclass(slots=True)
class Run:
    """All that is said of one analyte. Numbers in lists are of atoms; `used` are those that the run has understood.

    `limits` have how they compare, `aliases` are the same values in another unit (`1.25 mmol/L = 5.01 mg/dL`).
    `moved` is the way between the two days of a scope where no values are written.
    """

    analyte: str
    units: tuple[str, ...]
    atoms: range
    points: list[Point] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    differences: list[int] = field(default_factory=list)
    shares: list[int] = field(default_factory=list)
    factors: list[int] = field(default_factory=list)
    spans: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    limits: dict[int, str] = field(default_factory=dict)
    aliases: dict[int, int] = field(default_factory=dict)
    scopes: list[Scope] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    moved: str = ""
    is_clear: bool = True
    """False where something could not be read, so that nothing may be concluded from the rest."""

    @property
    def computes(self) -> bool:
        """Whether it says more than numbers that a sentence states as they are."""
        return self.is_clear and bool(
            self.comparisons or self.differences or self.shares or self.factors or self.counts or self.moved
            or any(p.day or p.rank for p in self.points)
        )  # fmt: skip


def read_runs(atoms: Sequence[Atom], before: tuple[str, tuple[str, ...]] | None = None) -> list[Run]:
    """The runs of a sentence.

    Args:
        atoms: of the sentence.
        before: what the sentence before speaks of, for one that names nothing itself.
    """
    starts = list(_starts(atoms))
    if not starts and before is not None:
        starts = [(0, *before)]
    out = []
    for n, (start, analyte, units) in enumerate(starts):
        end = starts[n + 1][0] if n + 1 < len(starts) else len(atoms)
        out.append(_read(atoms, Run(analyte, units, range(start, end))))
    return out


def _starts(atoms: Sequence[Atom]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Where each run begins: with its name, or with the clause that leads up to it."""
    current, floor = "", 0
    for i, atom in enumerate(atoms):
        if atom.kind != "analyte" or atom.name == current:
            continue
        start = 0 if not current else _clause_start(atoms, i, floor)
        current, floor = atom.name, i + 1
        yield start, atom.name, atom.units


def _clause_start(atoms: Sequence[Atom], at: int, floor: int) -> int:
    for i in range(at - 1, floor, -1):
        if atoms[i].kind in ("value", "span", "count"):
            break
        if atoms[i].text in (",", ";", ".", ":") or atoms[i].text in w.CONJUNCTIONS:
            return i
    return at


def _read(atoms: Sequence[Atom], run: Run) -> Run:
    run.used |= {i for i in run.atoms if atoms[i].kind == "analyte"}
    others = {atoms[i].name for i in run.atoms if atoms[i].kind == "analyte"} - {run.analyte}
    if others or any(atoms[i].kind == "drug" for i in run.atoms):
        run.is_clear = False
        return run
    for i in run.atoms:
        _take_number(atoms, run, i)
    _bind_days(atoms, run)
    _tag(atoms, run)
    _compare(atoms, run)
    return run


def _word(atoms: Sequence[Atom], run: Run, at: int) -> str:
    return atoms[at].text if at in run.atoms and atoms[at].kind in ("word", "mark") else ""


def _before(atoms: Sequence[Atom], run: Run, at: int) -> int:
    """The atom before one, articles left out."""
    at -= 1
    while _word(atoms, run, at) in w.ARTICLES and at > run.atoms.start:
        at -= 1
    return at


def _take_number(atoms: Sequence[Atom], run: Run, i: int) -> None:
    atom = atoms[i]
    if atom.kind == "value":
        _take_value(atoms, run, i)
    elif atom.kind == "factor":
        run.factors.append(i)
        run.used |= {i, *([i - 1] if atom.name else [])}
    elif atom.kind == "count":
        run.counts.append(i)
        run.used.add(i)
    elif atom.kind == "span":
        before = _word(atoms, run, i - 1)
        is_count = atom.quantity.unit.name == "d" and (before == "on" or (before == "em" and bool(run.limits)))
        (run.counts if is_count else run.spans).append(i)
        run.used |= {i, *([i - 1] if before in w.PREPOSITIONS or before in _SPAN_WORDS else [])}
        if _class(atoms, run, i + 1) in ("before", "after"):
            run.used.add(i + 1)


_SPAN_WORDS = frozenset(("over", "for", "within", "after", "during", "by", "apos", "por", "durante", "ao"))


def _class(atoms: Sequence[Atom], run: Run, at: int) -> str:
    return atoms[at].name if at in run.atoms and atoms[at].kind == "word" else ""


def _take_value(atoms: Sequence[Atom], run: Run, i: int) -> None:
    quantity, before = atoms[i].quantity, _before(atoms, run, i)
    word, name = _word(atoms, run, before), _class(atoms, run, before)
    behind = _word(atoms, run, i + 1)
    if _is_count(atoms, run, i):
        run.counts.append(i)
        run.used |= set(range(i, _counted(atoms, run, i) + 1))
        return
    is_by = word in w.BY or (name in ("up", "down") and word not in w.MORE)
    is_of = word in w.OF and _word(atoms, run, before - 1) in w.NOUNS_OF_CHANGE
    is_more = behind in w.MORE or behind in w.NOUNS_OF_CHANGE
    if is_by or is_of or is_more:
        is_share = quantity.unit.name == "%" and "%" not in run.units
        (run.shares if is_share else run.differences).append(i)
        run.used |= set(range(before, i + 1)) if is_by or is_of else {i}
        if behind in w.NOUNS_OF_CHANGE:
            run.used |= set(range(before if word in w.BY else i, i + 2))
        return
    if quantity.unit.name == "%" and run.units and "%" not in run.units:
        run.is_clear = False
        return
    if word == "=" and atoms[i - 2].kind == "value":
        run.aliases[i - 2] = i
        run.used |= {i - 1, i}
        return
    if _take_limit(atoms, run, i, before):
        return
    tagged = before if word != "(" else _before_day(atoms, run, before)
    name = _class(atoms, run, tagged)
    tag = name if name in ("from", "to", "than") else ""
    run.points.append(Point(i, quantity, tag=tag))
    run.used |= {i, *([tagged] if tag else [])}


def _take_limit(atoms: Sequence[Atom], run: Run, i: int, before: int) -> bool:
    """`Above 40 U/L`, `at or above 40 U/L`, `em 40 U/L ou acima`, `exceeded 40 U/L`."""
    quantity, word = atoms[i].quantity, _word(atoms, run, before)
    if _dated_behind(atoms, run, i):
        return False
    side = w.SIDES.get(_word(atoms, run, i + 2)) if _word(atoms, run, i + 1) in ("or", "ou") else None
    if side:
        run.limits[i] = f"{side}="
        run.used |= {i, i + 1, i + 2}
    elif quantity.comparator in ("<", "<=", ">", ">="):
        is_both = word in ("or", "ou") and len(quantity.comparator) == 1
        run.limits[i] = quantity.comparator + ("=" if is_both else "")
        run.used |= {i, *([before, before - 1] if is_both else [])}
    elif word in w.LIMITS:
        run.limits[i] = ">"
        run.used |= {i, before}
    return i in run.limits


def _before_day(atoms: Sequence[Atom], run: Run, at: int) -> int:
    """What stands before the day of `from 2018-03-02 (1.1 mg/dL)`."""
    at -= 1
    if at not in run.atoms or atoms[at].kind != "date":
        return at
    at -= 1
    is_preposition = _word(atoms, run, at) in w.PREPOSITIONS and _class(atoms, run, at) not in ("from", "to", "than")
    return at - is_preposition


def _is_count(atoms: Sequence[Atom], run: Run, i: int) -> bool:
    quantity = atoms[i].quantity
    if quantity.kind != "value" or quantity.unit.name or quantity.comparator or quantity.low != quantity.high:
        return False
    return quantity.low.denominator == 1 and _class(atoms, run, _counted(atoms, run, i)) == "counted"


def _counted(atoms: Sequence[Atom], run: Run, i: int) -> int:
    """Where the noun of a count stands: `two values`, `two different days`, `two creatinine values`."""
    is_between = _word(atoms, run, i + 1) in w.COUNT_ADJECTIVES or (
        i + 1 in run.atoms and atoms[i + 1].kind == "analyte"
    )
    return i + 1 + is_between


def _dated_behind(atoms: Sequence[Atom], run: Run, i: int) -> int | None:
    """The date that stands right behind a number: `1.1 (2018-03-02)`, `1.1 on 2018-03-02`, `1.1, on 2018-03-02,`."""
    at, is_aside = i + 1, False
    if _word(atoms, run, at) == ",":
        at, is_aside = at + 1, True
    if _word(atoms, run, at) == "(":
        at, is_aside = at + 1, False
    while _word(atoms, run, at) in w.PREPOSITIONS or (at > i + 1 and _word(atoms, run, at) == "the"):
        at += 1
    if at not in run.atoms or atoms[at].kind != "date":
        return None
    is_end = at + 1 not in run.atoms or atoms[at + 1].kind == "mark"
    return None if is_aside and not is_end else at


def _bind_days(atoms: Sequence[Atom], run: Run) -> None:
    free = [i for i in run.atoms if atoms[i].kind == "date"]
    for point in run.points:
        at = _dated_behind(atoms, run, run.aliases.get(point.at, point.at))
        if at is not None:
            point.day = atoms[at].quantity.when
            free.remove(at)
            run.used |= set(range(point.at, at + 1))
    free = _take_ranges(atoms, run, free)
    for at in free:
        ahead = next((p for p in run.points if p.at > at and not p.day), None)
        word = _word(atoms, run, at - 1)
        is_own = ahead is not None and not any(at < other < ahead.at for other in free)
        is_clause = ahead is not None and ";" not in [atoms[i].text for i in range(at, ahead.at)]
        run.used |= {at, *([at - 1] if word in w.PREPOSITIONS or word in w.SINCE or word in w.WITHIN else [])}
        if word in w.SINCE:
            run.scopes.append(Scope(atoms[at].quantity.when, "", since=True))
        elif ahead is not None and is_own and is_clause and (len(atoms[at].quantity.when) > 7 or len(run.points) == 1):
            ahead.day = atoms[at].quantity.when
        elif word in w.WITHIN:
            run.scopes.append(Scope(atoms[at].quantity.when, ""))
        else:
            run.is_clear = False


def _take_ranges(atoms: Sequence[Atom], run: Run, free: Sequence[int]) -> list[int]:
    """`Between D and D`: the days of two values that have none, else what all lies in."""
    left = list(free)
    for at in free:
        if at + 2 in left and at in left and _word(atoms, run, at + 1) in w.JOINS:
            left = [i for i in left if i not in (at, at + 2)]
            days = [atoms[i].quantity.when for i in (at, at + 2)]
            run.used |= set(range(at - (_word(atoms, run, at - 1) in w.BETWEEN), at + 3))
            pair = [p for p in run.points if not p.day]
            if len(pair) == len(run.points) == 2:
                pair[0].day, pair[1].day = days if pair[0].tag in ("", "from") else days[::-1]
            else:
                run.scopes.append(Scope(days[0], days[1]))
    return left


def _tag(atoms: Sequence[Atom], run: Run) -> None:
    """Which value is said to be the lowest, highest, latest, first, or the mean."""
    for i in run.atoms:
        name = _class(atoms, run, i)
        if _word(atoms, run, i - 1) == "mais" and _word(atoms, run, i) in w.SUPERLATIVES:
            name = w.SUPERLATIVES[_word(atoms, run, i)]
        if name not in _TAGS:
            continue
        ahead = next((p for p in run.points if p.at > i), None)
        behind = next((p for p in reversed(run.points) if p.at < i and not p.rank), None)
        point = ahead if ahead is not None and not ahead.rank else behind
        if point is None:
            run.is_clear = run.is_clear and name == "first"  # `at first`
            continue
        point.rank = name
        run.used |= {i, *([i - 1] if _word(atoms, run, i - 1) in ("most", "mais") else [])}
        if _class(atoms, run, i + 1) == "counted":
            run.used.add(i + 1)


def _compare(atoms: Sequence[Atom], run: Run) -> None:
    """The comparisons that words of change make between values, in the order in which they are written."""
    if any(_word(atoms, run, i) in w.RANGED for i in run.atoms) and len(run.points) == 2:
        run.points[0].rank, run.points[1].rank = "low", "high"
        run.used |= {i for i in run.atoms if _word(atoms, run, i) in w.RANGED}
        return
    by_atom = {p.at: n for n, p in enumerate(run.points)}
    way, at, last = "", -1, None
    paired: set[int] = set()
    for i in run.atoms:
        found = _way(atoms, run, i)
        if found and not (found == "moved" and way):
            way, at = found, i
            run.used.add(i)
        if i not in by_atom or run.points[by_atom[i]].rank == "mean":
            continue
        point = run.points[by_atom[i]]
        ahead = run.points[by_atom[i] + 1] if by_atom[i] + 1 < len(run.points) else None
        leads_on = ahead is not None and ahead.tag == "to"
        if not way or last is None:
            pass
        elif point.tag == "than":
            run.comparisons.append(Comparison(point, last, way, False, at))
            way = ""
        elif point.tag == "from" and not leads_on and (last.at < at or last.tag == "to") and last.at not in paired:
            run.comparisons.append(Comparison(point, last, way, True, at))
            paired.add(last.at)
            way = ""
            continue  # what follows is compared with the later one
        elif point.tag != "from":
            run.comparisons.append(Comparison(last, point, way, True, at))
            paired.add(point.at)
            way = "" if point.tag == "to" else way
        last = point
    _close(atoms, run, way, at)


def _close(atoms: Sequence[Atom], run: Run, way: str, at: int) -> None:
    """A word of change behind two values speaks of both; one with fewer cannot be computed from them."""
    if not way or any(c.at == at for c in run.comparisons):
        return
    if len(run.points) == 2 and not run.comparisons and run.points[1].at < at:
        run.comparisons.append(Comparison(run.points[0], run.points[1], way, True, at))
    elif run.comparisons and _word(atoms, run, at) in w.NOUNS_OF_CHANGE:
        # "Went from 82 kg to 78 kg, a loss of 4 kg."
        run.comparisons.append(run.comparisons[-1]._replace(way=way, at=at))
    elif run.points or len(run.scopes) != 1 or not run.scopes[0].last:
        run.is_clear = False
    else:
        run.moved = way


def _way(atoms: Sequence[Atom], run: Run, i: int) -> str:
    word, name = _word(atoms, run, i), _class(atoms, run, i)
    if word in w.CHANGED and any(_word(atoms, run, k) in _DENIES for k in (i - 1, i - 2)):
        k = i
        while _word(atoms, run, k - 1) in w.NOT:
            k -= 1
        run.used |= set(range(k, i))
        return "same"
    return name if name in _WAYS else ""


_DENIES = frozenset(("not", "no", "nao", "without", "sem", "didn't"))
