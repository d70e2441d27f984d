"""Claims that are computed from several sentences, true ones and the same with one planted edit each.

An edit makes the claim wrong by what is cited: another digit, unit, day, direction, difference, length, count, order,
drug or deed, or a citation that states something else. `kind` names the form and, of a wrong claim, the edit.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from chartcite.verification.verdicts import Source
from verification.computed_quotes import DRUGS, NOT_DONE, THINGS, Pen, Thing
from verification.items import Item


@dataclass(frozen=True, slots=True)
class Result:
    """One value of one day, with the sentence that states it."""

    value: float
    day: date
    source: Source


def computed_items(seed: int, lang: str) -> list[Item]:
    """All claims of one invented patient: of each form the true ones, then their edits; the same for the same seed."""
    pen = Pen(lang, random.Random(f"{lang} {seed}"))
    rows = [row for make in (_values, _courses) for row in make(pen)]
    return [
        Item(f"{lang}-{seed}-{n}", kind, supported, claim, tuple(sources), language=lang, cluster=f"{lang}-{seed}")
        for n, (kind, supported, claim, sources) in enumerate(rows)
    ]


Row = tuple[str, bool, str, Sequence[Source]]


def _values(pen: Pen) -> Iterator[Row]:
    thing, other = pen.chance.sample(THINGS[pen.lang], 2)
    results = _results(pen, thing)
    forms = _Forms(pen, thing)
    first, last = results[0], results[-1]
    sources = [r.source for r in results]
    yield "value", True, forms.value(first.value, first.day), [first.source]
    yield "latest", True, forms.latest(last.value, last.day), sources
    yield "latest: another", False, forms.latest(first.value, first.day), sources
    yield "first", True, forms.first(first.value, first.day), sources
    yield "first: another", False, forms.first(last.value, last.day), sources
    yield from _changes(pen, thing, other, forms, first, last)
    yield from _series(pen, forms, results)
    for sort in ("relative", "goal", "elsewhen", "condition", "difference"):
        stated = pen.not_his(thing, last.value, last.day, sort)
        yield f"value: {sort}", False, forms.value(last.value, last.day), [stated]
        yield f"change: {sort}", False, forms.change(first, last), [first.source, stated]


def _results(pen: Pen, thing: Thing) -> list[Result]:
    """Three to five values, all different, each some days after the last."""
    count, digits = pen.chance.randint(3, 5), thing.decimals
    values: list[float] = []
    while len(values) < count:
        value = round(pen.chance.uniform(thing.low, thing.high), digits)
        if value not in values:
            values.append(value)
    out: list[Result] = []
    day = date(2012, 1, 1) + timedelta(days=pen.chance.randint(0, 2500))
    for value in values:
        older = (out[-1].value, out[-1].day) if out else None
        out.append(Result(value, day, pen.value(thing, value, day, older)))
        day += timedelta(days=pen.chance.choice((1, 3, 12, 40, 200)) + pen.chance.randint(0, 20))
    return out


class _Forms:
    """The sentences of a claim about one thing."""

    def __init__(self, pen: Pen, thing: Thing) -> None:
        self._pen, self._thing, self._english = pen, thing, pen.lang == "en"

    def shown(self, value: float, unit: str = "") -> str:
        return f"{self._pen.number(value, self._thing.decimals)} {unit or self._thing.unit}"

    def point(self, value: float, day: date, unit: str = "") -> str:
        return f"{self.shown(value, unit)} ({self._pen.day(day)})"

    def value(self, value: float, day: date) -> str:
        name = self._thing.name
        if not self._english:
            return f"{name[0].upper() + name[1:]} foi {self.point(value, day)}."
        return self._pen.chance.choice((
            f"{name[0].upper() + name[1:]} was {self.point(value, day)}.",
            f"On {self._pen.day(day)} the {name} was {self.shown(value)}.",
            f"The {name} was {self.shown(value)} on {self._pen.day(day)}.",
        ))  # fmt: skip

    def latest(self, value: float, day: date) -> str:
        name, point = self._thing.name, self.point(value, day)
        return f"The latest {name} was {point}." if self._english else f"O valor mais recente: {name} {point}."

    def first(self, value: float, day: date) -> str:
        name, point = self._thing.name, self.point(value, day)
        return f"The first {name} was {point}." if self._english else f"O primeiro valor: {name} {point}."

    def change(
        self, first: Result, last: Result, *, way: int = 0, by: float | None = None, name: str = "", unit: str = "",
        form: int = -1, percent: float | None = None, days: int | None = None,
    ) -> str:  # fmt: skip
        """A change in one of several wordings; what is not given is as it truly is."""
        moved = last.value - first.value
        way = way or (1 if moved > 0 else -1)
        by, name = abs(moved) if by is None else by, name or self._thing.name
        share = round(abs(moved) / first.value * 100) if percent is None else percent
        between = (last.day - first.day).days if days is None else days
        a, b = self.point(first.value, first.day, unit), self.point(last.value, last.day, unit)
        difference = self.shown(by, unit)
        forms = self._english_changes(way, a, b, difference, share, between) if self._english else (
            self._portuguese_changes(way, a, b, difference, between)
        )  # fmt: skip
        text = forms[form % len(forms)] if form >= 0 else forms[0]
        return f"{name[0].upper() + name[1:]} {text}"

    def _english_changes(self, way: int, a: str, b: str, by: str, share: float, days: int) -> tuple[str, ...]:
        verb, noun, up = ("rose", "a rise", "up") if way > 0 else ("fell", "a fall", "down")
        increased = "increased" if way > 0 else "decreased"
        return (
            f"{verb} from {a} to {b}, by {by}.",
            f"{increased} by {by}, from {a} to {b}.",
            f"was {b}, {up} from {a}, {noun} of {by}.",
            f"{increased} by {share:.0f} % from {a} to {b}.",
            f"{verb} from {a} to {b}, {days} days later, by {by}.",
            f"went from {a} to {b}, {noun} of {by} over {days} days.",
        )

    def _portuguese_changes(self, way: int, a: str, b: str, by: str, days: int) -> tuple[str, ...]:
        verb, noun = ("subiu", "um aumento") if way > 0 else ("caiu", "uma queda")
        return (
            f"{verb} de {a} para {b}, em {by}.",
            f"passou de {a} para {b}, {noun} de {by}.",
            f"{verb} de {a} para {b}, {days} dias depois, em {by}.",
        )

    def trend(self, count: int, results: Sequence[Result], low: Result, high: Result) -> str:
        ends = self._pen.day(results[0].day), self._pen.day(results[-1].day)
        change = self.change(results[0], results[-1])
        bottom, top = self.point(low.value, low.day), self.point(high.value, high.day)
        if self._english:
            return (
                f"{change} Of {count} values from {ends[0]} to {ends[1]} the lowest was {bottom} and the highest {top}."
            )
        return f"{change} De {count} valores de {ends[0]} a {ends[1]} o menor foi {bottom} e o maior {top}."

    def count(self, days: int, limit: float, listed: Sequence[Result]) -> str:
        name, points = self._thing.name, ", ".join(self.point(r.value, r.day) for r in listed)
        name = name[0].upper() + name[1:]
        if self._english:
            return f"{name} was above {self.shown(limit)} on {days} days: {points}."
        return f"{name} esteve acima de {self.shown(limit)} em {days} dias: {points}."


def _changes(pen: Pen, thing: Thing, other: Thing, forms: _Forms, first: Result, last: Result) -> Iterator[Row]:
    both = [first.source, last.source]
    way = 1 if last.value > first.value else -1
    step = 10.0**-thing.decimals
    for form in range(6):
        yield "change", True, forms.change(first, last, form=form), both
    form = pen.chance.randint(0, 5)
    by = abs(last.value - first.value)
    days = (last.day - first.day).days

    def wrong(edit: str, text: str, sources: Sequence[Source] = both) -> Row:
        return f"change: {edit}", False, text, sources

    moved = Result(last.value + step * pen.chance.choice((1, 3, 10)), last.day, last.source)
    yield wrong("value", forms.change(first, moved, form=form))
    yield wrong("value, difference kept", forms.change(first, moved, form=form, by=by))
    yield wrong("decimal", forms.change(first, Result(last.value * 10, last.day, last.source), form=form))
    yield wrong("unit", forms.change(first, last, unit=thing.wrong_unit, form=form))
    yield wrong("direction", forms.change(first, last, way=-way, form=form))
    yield wrong("difference", forms.change(first, last, by=by + step * pen.chance.choice((1, 2, 10)), form=0))
    yield wrong(
        "dates swapped",
        forms.change(
            Result(first.value, last.day, first.source),
            Result(last.value, first.day, last.source),
            form=form,
            days=days,
        ),
    )
    yield wrong(
        "values swapped",
        forms.change(
            Result(last.value, first.day, first.source), Result(first.value, last.day, last.source), form=form, way=way
        ),
    )
    yield wrong("told backwards", forms.change(last, first, form=form, days=days))
    yield wrong("day", forms.change(first, Result(last.value, last.day + timedelta(days=1), last.source), form=form))
    yield wrong("other thing", forms.change(first, last, name=other.name, form=form))
    yield wrong("citation missing", forms.change(first, last, form=form), [last.source if form % 2 else first.source])
    elsewhere = pen.value(other, last.value, last.day)
    yield wrong("citation of other thing", forms.change(first, last, form=form), [first.source, elsewhere])
    if pen.lang == "en":
        share = round(by / first.value * 100)
        yield wrong("percentage", forms.change(first, last, percent=share + pen.chance.choice((2, 9, -2)), form=3))
    yield wrong(
        "days",
        forms.change(first, last, days=days + pen.chance.choice((1, -1, 7, 30)), form=4 if pen.lang == "en" else 2),
    )


def _series(pen: Pen, forms: _Forms, results: Sequence[Result]) -> Iterator[Row]:
    sources = [r.source for r in results]
    low, high = min(results, key=lambda r: r.value), max(results, key=lambda r: r.value)
    count = len(results)
    yield "trend", True, forms.trend(count, results, low, high), sources
    yield "trend: count", False, forms.trend(count + pen.chance.choice((1, -1)), results, low, high), sources
    middle = next(r for r in results if r not in (low, high))
    yield "trend: lowest", False, forms.trend(count, results, middle, high), sources
    yield "trend: highest", False, forms.trend(count, results, low, middle), sources
    yield "trend: swapped", False, forms.trend(count, results, high, low), sources
    listed = [r for r in results if r.value > low.value]
    yield "count", True, forms.count(len(listed), low.value, listed), sources
    yield "count: number", False, forms.count(len(listed) + 1, low.value, listed), sources
    yield "count: limit", False, forms.count(len(listed), high.value, listed), sources
    yield "count: one below", False, forms.count(count, low.value, results), sources


_VERBS = {
    "en": {"start": "begun", "stop": "ended", "hold": "held", "resume": "resumed"},
    "pt": {"start": "iniciada", "stop": "suspensa", "hold": "pausada", "resume": "retomada"},
}


def _courses(pen: Pen) -> Iterator[Row]:
    drug, other = pen.chance.sample(DRUGS[pen.lang], 2)
    first = date(2012, 1, 1) + timedelta(days=pen.chance.randint(0, 2500))
    days = pen.chance.choice((2, 9, 30, 68, 300))
    last = first + timedelta(days=days)
    amount = pen.chance.choice(("25 mg", "50 mg", "5 mg", "40 mg"))
    for one, two in (("start", "stop"), ("hold", "resume")):
        sources = [pen.done(drug, one, first, amount), pen.done(drug, two, last, amount)]
        say = _course(pen, one, two)
        yield "course", True, say(drug, first, last, days), sources
        yield "course: length", False, say(drug, first, last, days + pen.chance.choice((1, -1, 10))), sources
        yield "course: dates swapped", False, say(drug, last, first, days), sources
        yield "course: day", False, say(drug, first, last + timedelta(days=1), days + 1), sources
        yield "course: other drug", False, say(other, first, last, days), sources
        swapped = _course(pen, "hold" if one == "start" else "start", two)
        yield "course: other deed", False, swapped(drug, first, last, days), sources
        ended = _course(pen, one, "hold" if two == "stop" else "stop")
        yield "course: other end", False, ended(drug, first, last, days), sources
        yield "course: citation missing", False, say(drug, first, last, days), sources[:1]
        form = pen.chance.choice(NOT_DONE[pen.lang])
        yield (
            "course: not done",
            False,
            say(drug, first, last, days),
            [pen.about(form, drug, first, amount), sources[1]],
        )
        yield (
            "course: other's citation",
            False,
            say(drug, first, last, days),
            [pen.done(other, one, first, amount), sources[1]],
        )
    started = [pen.done(drug, "start", first, amount), pen.done(other, "stop", last, amount)]
    yield "order", True, _order(pen, drug, first, other, last, before=True), started
    yield "order: reversed", False, _order(pen, drug, first, other, last, before=False), started
    yield "order: days swapped", False, _order(pen, drug, last, other, first, before=True), started
    yield "order: drugs swapped", False, _order(pen, other, first, drug, last, before=True), started
    if pen.lang == "en":
        yield from _doses(pen, drug, other, first, amount)


def _course(pen: Pen, one: str, two: str) -> Callable[[str, date, date, int], str]:
    verbs = _VERBS[pen.lang]

    def say(drug: str, first: date, last: date, days: int) -> str:
        name, a, b = drug.capitalize(), pen.day(first), pen.day(last)
        if pen.lang == "en":
            return f"{name} was {verbs[one]} on {a} and {verbs[two]} on {b}, {days} days later."
        return f"{name} foi {verbs[one]} em {a} e {verbs[two]} em {b}, {days} dias depois."

    return say


def _order(pen: Pen, drug: str, first: date, other: str, last: date, *, before: bool) -> str:
    a, b = pen.day(first), pen.day(last)
    if pen.lang == "en":
        return f"The start of {drug} ({a}) came {'before' if before else 'after'} the end of {other} ({b})."
    return f"O início de {drug} ({a}) veio {'antes' if before else 'depois'} da suspensão de {other} ({b})."


def _doses(pen: Pen, drug: str, other: str, day: date, amount: str) -> Iterator[Row]:
    shown = pen.day(day)
    listed = [
        pen.about(pen.chance.choice(("{D} {a} BID", "{D} {a} PO twice daily", "- {d} {a} bid")), drug, day, amount)
    ]
    name, number = drug.capitalize(), amount.partition(" ")[0]
    yield "dose", True, f"{name} {amount} bid ({shown}).", listed
    yield "dose: amount", False, f"{name} {int(number) * 2} mg bid ({shown}).", listed
    yield "dose: unit", False, f"{name} {number} mcg bid ({shown}).", listed
    yield "dose: frequency", False, f"{name} {amount} tid ({shown}).", listed
    yield "dose: day", False, f"{name} {amount} bid ({pen.day(day + timedelta(days=1))}).", listed
    yield "dose: other drug", False, f"{other.capitalize()} {amount} bid ({shown}).", listed
