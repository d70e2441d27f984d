"""Whether what a run says of values follows from the values that are cited: first each value, then what is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from chartcite.facts.dates import covers
from chartcite.verification.computed.amounts import (
    common_unit,
    is_difference,
    is_multiple,
    is_rounded,
    is_share,
    is_stated,
)
from chartcite.verification.computed.atoms import Atom
from chartcite.verification.computed.days import bounds, days_between, is_before, is_so_long
from chartcite.verification.computed.findings import OPEN, Finding, wrong
from chartcite.verification.computed.runs import Comparison, Point, Run, Scope
from chartcite.verification.computed.stated import StatedValue
from chartcite.verification.verdicts import VetoKind

Pair = tuple[StatedValue, StatedValue]


class _Open(Exception):
    """Something cannot be computed from what is cited."""


class _Wrong(Exception):
    """Something is otherwise than the claim says; `finding` tells what."""

    def __init__(self, finding: Finding) -> None:
        super().__init__()
        self.finding = finding


def check_run(run: Run, atoms: Sequence[Atom], stated: Sequence[StatedValue]) -> Finding:
    """Say whether a run holds.

    Args:
        run: what is said of an analyte.
        atoms: of the sentence.
        stated: the results of that analyte in all that is cited.
    """
    try:
        return _Check(run, atoms, stated).finding()
    except _Open:
        return OPEN
    except _Wrong as refused:
        return refused.finding


class _Check:
    def __init__(self, run: Run, atoms: Sequence[Atom], stated: Sequence[StatedValue]) -> None:
        self._run, self._atoms, self._stated = run, atoms, stated
        self._found: dict[int, list[StatedValue]] = {}

    def finding(self) -> Finding:
        run = self._run
        for point in run.points:
            if point.rank != "mean":
                self._found[point.at] = self._borne_out(point)
        pairs = [self._compared(c) for c in run.comparisons]
        pairs = pairs or self._implied_pairs()
        self._changes(pairs)
        self._lengths(pairs)
        self._ranks()
        self._limits()
        self._counts()
        sources = {v.source_id for found in self._found.values() for v in found}
        return Finding(True, sources=frozenset(sources | {v.source_id for pair in pairs for v in pair}))

    def _borne_out(self, point: Point) -> list[StatedValue]:
        """The cited values that a value of the claim may be; what another day has is none."""
        equal = [v for v in self._stated if is_stated(point.quantity, v.amount, v.analyte)]
        alias = self._run.aliases.get(point.at)
        if alias is not None and not all(is_stated(self._atoms[alias].quantity, v.amount, v.analyte) for v in equal):
            raise _Wrong(wrong("unit", "it is converted otherwise", self._span(alias), equal[0]))
        fitting = [v for v in equal if not point.day or _is_of(point.day, v.day)]
        fitting = [v for v in fitting if all(_lies_in(v.day, scope) is not False for scope in self._run.scopes)]
        if fitting:
            return fitting
        if point.quantity.comparator:
            raise _Open  # `nearly 2`, `above 40` may be said of another number
        if point.day and equal and all(v.day for v in equal):
            raise _Wrong(wrong("date", "the source has this value on another day", self._span(point.at), equal[0]))
        if point.day:
            same_day = [v for v in self._stated if _is_of(point.day, v.day)]
            if same_day and not any(v.amount.low == point.quantity.low for v in same_day):
                raise _Wrong(
                    wrong("number", "the source has another value on this day", self._span(point.at), same_day[0])
                )
        raise _Open

    def _span(self, at: int) -> tuple[int, int]:
        return self._atoms[at].start, self._atoms[at].end

    def _compared(self, comparison: Comparison) -> Pair:
        """The two cited values of a comparison; they must lie as it says."""
        why = ""
        kind: VetoKind = "direction"
        for first, second in self._pairs(comparison.first, comparison.second):
            order = is_before(first.day, second.day)
            if comparison.is_timed and order is None:
                why = why or "open"
            elif comparison.is_timed and not order:
                why, kind = "the source has them in the other order", "order"
            else:
                way = self._goes(first, second)
                if way is None:
                    why = why or "open"
                elif way == comparison.way or (comparison.way == "moved" and way != "same"):
                    return first, second
                else:
                    why = "the cited values lie the other way"
        if why in ("", "open"):
            raise _Open
        at = comparison.at if comparison.at >= 0 else comparison.second.at
        raise _Wrong(wrong(kind, why, self._span(at), self._found[comparison.second.at][0]))

    def _pairs(self, first: Point, second: Point) -> Iterator[Pair]:
        for one in self._found.get(first.at, ()):
            for other in self._found.get(second.at, ()):
                yield one, other

    def _goes(self, first: StatedValue, second: StatedValue) -> str | None:
        ends = common_unit((first.amount, second.amount), first.analyte)
        if ends is None or first.amount.comparator or second.amount.comparator:
            return None
        (low, high), (new_low, new_high) = ends
        if first.amount.is_pair != second.amount.is_pair:
            return None
        if (low, high) == (new_low, new_high):
            return "same"
        ups = [new_low - low, new_high - high]
        if all(by >= 0 for by in ups):
            return "up"
        return "down" if all(by <= 0 for by in ups) else None

    def _implied_pairs(self) -> list[Pair]:
        """Two values of which only a difference or a time is told, in the order of their days; or those of two days."""
        run = self._run
        if len(run.points) == 2 and all(p.at in self._found for p in run.points):
            pairs = [pair for pair in self._pairs(*run.points) if pair[0] != pair[1]]
            days = [is_before(one.day, other.day) for one, other in pairs]
            return [
                pair if order else pair[::-1] for pair, order in zip(pairs, days, strict=True) if order is not None
            ][:1]
        is_told = run.moved or run.differences or run.shares or run.factors
        if not run.points and is_told and len(run.scopes) == 1 and run.scopes[0].last:
            scope = run.scopes[0]
            ends = [[v for v in self._stated if _is_of(day, v.day)] for day in (scope.first, scope.last)]
            if any(len({(v.amount, v.day) for v in end}) != 1 for end in ends) or not is_before(
                ends[0][0].day, ends[1][0].day
            ):
                raise _Open
            pair = ends[0][0], ends[1][0]
            way = self._goes(*pair)
            if way is None:
                raise _Open
            if run.moved and way != run.moved and not (run.moved == "moved" and way != "same"):
                raise _Wrong(
                    wrong("direction", "the cited values lie the other way", self._span(run.atoms[0]), pair[1])
                )
            return [pair]
        return []

    def _changes(self, pairs: Sequence[Pair]) -> None:
        """Differences, percentages and multiples: each of the pair that stands nearest before it."""
        run = self._run
        told = [*run.differences, *run.shares, *run.factors]
        if told and not pairs:
            raise _Open
        for at in told:
            first, second = pairs[self._nearest(at, len(pairs))]
            atom = self._atoms[at]
            unit = atom.quantity.unit.name if at in run.differences else ""
            ends = common_unit((first.amount, second.amount), first.analyte, unit)
            if ends is None or first.amount.comparator or second.amount.comparator:
                raise _Open
            old, new = ends[0][0], ends[1][0]
            if at in run.differences and unit and {first.amount.unit, second.amount.unit} - {unit, ""}:
                holds = is_rounded(atom.quantity, abs(new - old))
            elif at in run.differences:
                holds = is_difference(atom.quantity, new - old)
            elif at in run.shares:
                holds = is_share(atom.quantity, new - old, old)
            else:
                holds = is_multiple(atom.factor, atom.name, old, new, atom.quantity.step if not atom.text else None)
            if not holds:
                raise _Wrong(wrong("number", "the cited values do not differ by so much", self._span(at), second))

    def _nearest(self, at: int, count: int) -> int:
        before = [n for n, c in enumerate(self._run.comparisons) if c.second.at < at]
        return before[-1] if before and len(self._run.comparisons) == count else 0

    def _lengths(self, pairs: Sequence[Pair]) -> None:
        for at in self._run.spans:
            if not pairs:
                raise _Open
            first, second = pairs[self._nearest(at, len(pairs))]
            days = days_between(first.day, second.day)
            holds = None if days is None else is_so_long(self._atoms[at].quantity, days)
            if holds is None:
                raise _Open
            if not holds:
                raise _Wrong(wrong("number", "the cited days lie otherwise apart", self._span(at), second))

    def _cited(self) -> list[StatedValue]:
        """All values that the run may be about."""
        return [v for v in self._stated if all(_lies_in(v.day, scope) for scope in self._run.scopes)]

    def _ranks(self) -> None:
        for point in self._run.points:
            if point.rank == "mean":
                self._mean(point)
            elif point.rank in ("low", "high"):
                self._extreme(point)
            elif point.rank:
                self._end(point)

    def _mean(self, point: Point) -> None:
        others = [p for p in self._run.points if p is not point]
        values = [self._found[p.at][0] for p in others] or self._cited()
        amounts = list(dict.fromkeys((v.day, v.amount) for v in values))
        ends = common_unit((a for _, a in amounts), self._run.analyte, point.quantity.unit.name)
        if ends is None or len(amounts) < 2 or any(a.comparator or a.is_pair or a.low != a.high for _, a in amounts):
            raise _Open
        if not is_rounded(point.quantity, sum((low for low, _ in ends), Fraction(0)) / len(ends)):
            raise _Wrong(wrong("number", "the cited values have another mean", self._span(point.at), values[0]))

    def _extreme(self, point: Point) -> None:
        own, others = self._found[point.at][0], self._cited()
        if len({(v.day, v.amount) for v in others}) < 2:
            raise _Open
        for other in others:
            way = self._goes(own, other)
            if way is None:
                raise _Open
            if way == ("down" if point.rank == "low" else "up"):
                raise _Wrong(wrong("comparator", "a cited value lies beyond it", self._span(point.at), other))

    def _end(self, point: Point) -> None:
        """The latest or first of what is cited: that the record has no other is not for a citation to say."""
        for other in self._stated:
            days = [is_before(own.day, other.day) for own in self._found[point.at]]
            beyond = all(day is True for day in days) if point.rank == "latest" else all(
                is_before(other.day, own.day) is True for own in self._found[point.at]
            )  # fmt: skip
            if beyond and all(_lies_in(other.day, scope) for scope in self._run.scopes):
                if not other.is_sure:
                    raise _Open
                raise _Wrong(wrong("order", "a cited value lies beyond it in time", self._span(point.at), other))

    def _limits(self) -> None:
        for at in self._run.limits:
            for point in self._run.points:
                within = [self._is_within(at, v) for v in self._found.get(point.at, ())]
                if None in within:
                    raise _Open
                if not any(within):
                    found = self._found[point.at][0]
                    raise _Wrong(wrong("comparator", "a cited value lies on the other side", self._span(at), found))
            if not self._run.points and not self._run.counts:
                raise _Open

    def _is_within(self, at: int, value: StatedValue) -> bool | None:
        limit = self._atoms[at].quantity
        ends = common_unit((value.amount,), value.analyte, limit.unit.name)
        if ends is None or value.amount.is_pair or value.amount.comparator:
            return None
        low, high = ends[0]
        return {
            ">": low > limit.low, ">=": low >= limit.low, "<": high < limit.low, "<=": high <= limit.low,
        }[self._run.limits[at]]  # fmt: skip

    def _counts(self) -> None:
        run = self._run
        for at in run.counts:
            atom = self._atoms[at]
            if atom.quantity.comparator or atom.quantity.low != atom.quantity.high:
                raise _Open
            listed = [p for p in run.points if not p.rank]
            if listed:
                values = [self._found[p.at][0] for p in listed]
            else:
                values = [v for v in self._cited() if all(self._is_within(limit, v) for limit in run.limits)]
            if any(not v.day or not v.is_sure for v in values):
                raise _Open
            is_of_days = atom.kind == "span" or any(
                self._atoms[k].text in ("days", "dias") for k in (at + 1, at + 2) if k in run.atoms
            )
            count = len({v.day if is_of_days else (v.day, v.amount.low, v.amount.high) for v in values})
            if count != atom.quantity.low:
                raise _Wrong(wrong("number", "so many are not cited", self._span(at), values[0] if values else None))


def _is_of(claimed: str, stated: str) -> bool:
    return bool(stated) and covers(claimed, stated)


def _lies_in(day: str, scope: Scope) -> bool | None:
    """Whether a day lies in a scope; None where nobody says the day."""
    own, first = bounds(day), bounds(scope.first)
    if own is None or first is None:
        return None
    if scope.since:
        return own[0] >= first[0]
    last = bounds(scope.last) if scope.last else first
    return None if last is None else first[0] <= own[0] and own[1] <= last[1]
