"""Inventing facts: one function for each type of slot, given what was drawn before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.planted_edits import values
from chartcite.lab.planted_edits.lexicon import Row, choices, codes, form, rows_of
from chartcite.lab.planted_edits.model import Fact, Form, Lang, Split, Value
from chartcite.lab.planted_edits.shapes import Shape

_FIRST_DAY, _DAYS = date(2014, 1, 13), 3700


@dataclass(frozen=True, slots=True)
class Bench:
    """What a drawer works with: whose words, which chance, and the slots so far."""

    lang: Lang
    split: Split
    dice: Dice
    variant: str = ""
    slots: dict[str, Value] = field(default_factory=dict)

    def row(self, name: str, *, unlike: tuple[str, ...] = ()) -> Row:
        """A row of a word list, none of those named."""
        return self.dice.pick([r for r in rows_of(self.lang, name, self.split) if r.get("name") not in unlike])


def invent(shape: Shape, variant: str, bench: Bench) -> Fact:
    """A fact of the shape."""
    slots: dict[str, Value] = {}
    inner = Bench(bench.lang, bench.split, bench.dice, variant, slots)
    for name, kind in shape.slots:
        slots[name] = DRAWERS[kind](inner)
    return Fact(shape.name, variant, slots)


def redraw(shape: Shape, fact: Fact, slot: str, bench: Bench) -> Value:
    """Another value for one slot of a fact; may happen to be the same."""
    return DRAWERS[dict(shape.slots)[slot]](Bench(bench.lang, bench.split, bench.dice, fact.variant, dict(fact.slots)))


def _listed(name: str) -> Callable[[Bench], Value]:
    return lambda bench: values.word(name, bench.row(name + "s"))


def _closed(kind: str) -> Callable[[Bench], Value]:
    return lambda bench: values.code(bench.dice.pick(codes(bench.lang, kind)))


def _second(kind: str, other: str) -> Callable[[Bench], Value]:
    return lambda bench: values.word(kind, bench.row(kind + "s", unlike=(bench.slots[other].row["name"],)))


def _of_drug(kind: str) -> Callable[[Bench], Value]:
    def draw(bench: Bench) -> Value:
        key = bench.dice.pick(choices(bench.slots["drug"].row[f"{kind}s"]))
        return values.code(next(row for row in codes(bench.lang, kind) if row["key"] == key))

    return draw


def _home_drug(bench: Bench) -> Value:
    """One that people take at home."""
    rows = [r for r in rows_of(bench.lang, "drugs", bench.split) if set(choices(r["routes"])) - {"iv", "im"}]
    return values.word("drug", bench.dice.pick(rows))


def _home_route(bench: Bench) -> Value:
    keys = [key for key in choices(bench.slots["drug"].row["routes"]) if key not in ("iv", "im")]
    key = bench.dice.pick(keys)
    return values.code(next(row for row in codes(bench.lang, "route") if row["key"] == key))


def _dose(bench: Bench) -> Value:
    row = bench.slots["drug"].row
    return values.quantity("dose", Decimal(bench.dice.pick(choices(row["doses"]))), row["unit"], bench.lang)


def _dose_pair(bench: Bench) -> tuple[Value, Value]:
    row = bench.slots["drug"].row
    low, high = sorted(bench.dice.some([Decimal(d) for d in choices(row["doses"])], 2))
    pair = (low, high) if bench.variant == "up" else (high, low)
    first, second = (values.quantity("dose", number, row["unit"], bench.lang) for number in pair)
    return first, second


def _dose_before(bench: Bench) -> Value:
    first, bench.slots["second"] = _dose_pair(bench)
    return first


def measured(bench: Bench, row: Row, kind: str) -> Value:
    """A value of an analyte or a vital sign."""
    scale = Decimal(1).scaleb(-int(row["digits"]))
    low, high = (int(Decimal(row[key]) / scale) for key in ("low", "high"))
    number = Decimal(bench.dice.between(low, high)) * scale
    return values.quantity(kind, number, row["unit"], bench.lang, row)


def _result(bench: Bench) -> Value:
    return measured(bench, bench.slots["analyte"].row, "result")


def _bound(bench: Bench) -> Value:
    return replace(_result(bench), type="bound")


def _reading(bench: Bench) -> Value:
    row = bench.slots["vital"].row
    if row.get("key") == "bp":
        upper = bench.dice.between(int(row["low"]), int(row["high"]))
        return values.pressure("reading", upper, int(upper * bench.dice.uniform(0.52, 0.68)))
    return measured(bench, row, "reading")


def _result_before(bench: Bench) -> Value:
    while True:
        low, high = sorted((_result(bench), _result(bench)), key=lambda v: v.number or Decimal(0))
        if low.number and high.number and high.number >= low.number * Decimal("1.15"):
            break
    first, bench.slots["second"] = (low, high) if bench.variant == "up" else (high, low)
    return first


def _drawn(name: str) -> Callable[[Bench], Value]:
    """A slot that was drawn together with an earlier one."""
    return lambda bench: bench.slots[name]


def _date(bench: Bench) -> Value:
    return values.day("date", _FIRST_DAY + timedelta(bench.dice.between(0, _DAYS)), bench.lang)


def _later(bench: Bench) -> Value:
    first = date.fromisoformat(bench.slots["start"].key)
    return values.day("date", first + timedelta(bench.dice.between(3, 160)), bench.lang)


def _symptoms(bench: Bench) -> Value:
    rows = bench.dice.some(rows_of(bench.lang, "symptoms", bench.split), bench.dice.between(3, 4))
    order = list(range(len(rows)))
    while order == list(range(len(rows))):
        order = bench.dice.shuffled(order)
    return values.some("symptoms", rows, order, bench.lang)


def _span(bench: Bench) -> Value:
    unit = bench.dice.pick(codes(bench.lang, "time"))
    low, high = {"hour": (2, 20), "day": (2, 14), "week": (2, 9), "month": (2, 18), "year": (2, 9)}[unit["key"]]
    return values.span("span", bench.dice.between(low, high), unit, bench.lang)


def _row_word(slot: str, column: str) -> Callable[[Bench], Value]:
    def draw(bench: Bench) -> Value:
        chosen = form(bench.dice.pick(choices(bench.slots[slot].row[column])))
        return Value(column, chosen.text, {"usual": chosen})

    return draw


def _size(bench: Bench) -> Value:
    if bench.dice.chance(0.5):
        return values.quantity("size", Decimal(bench.dice.between(4, 28)), "mm", bench.lang)
    return values.quantity("size", Decimal(bench.dice.between(11, 39)) / 10, "cm", bench.lang)


def _named(bench: Bench, unlike: tuple[str, ...]) -> Value:
    row = bench.row("names", unlike=unlike)
    title = "Dr." if bench.lang == "en" else bench.dice.pick(("Dr.", "Dra."))
    gender = "f" if title == "Dra." else "m"
    return Value("person", row["name"], {"usual": Form(f"{title} {row['name']}", gender)}, row=row)


def _person(bench: Bench) -> Value:
    return _named(bench, ())


def _person2(bench: Bench) -> Value:
    return _named(bench, (bench.slots["operator"].row["name"],))


def _tally(bench: Bench) -> Value:
    row = bench.row("countables")
    return values.tally("tally", bench.dice.between(2, int(row["most"])), row, bench.lang)


def _effect(bench: Bench) -> Value:
    row = bench.row("causes")
    return _half("effect", row)


def _half(column: str, row: Row) -> Value:
    usual = form(row[column])
    forms = {"usual": usual}
    if row.get(f"{column}_synonym"):
        forms["synonym"] = form(row[f"{column}_synonym"], usual.gender)
    return Value(column, usual.text, forms, row=row)


def _cause(bench: Bench) -> Value:
    return _half("cause", bench.slots["effect"].row)


def _limit(bench: Bench) -> Value:
    row = bench.row("limits")
    return values.word("limit", row, past=form(row["past"]))


def _measure(bench: Bench) -> Value:
    row = bench.slots["limit"].row
    usual = form(row["measure"])
    return Value("measure", usual.text, {"usual": usual, "abbr": form(row["measure_abbr"], usual.gender)}, row=row)


def _limit_bound(bench: Bench) -> Value:
    row = bench.slots["limit"].row
    return values.quantity("bound", Decimal(bench.dice.pick(choices(row["values"]))), row["unit"], bench.lang)


def _limit_comp(bench: Bench) -> Value:
    key = bench.slots["limit"].row["comp"]
    return values.code(next(row for row in codes(bench.lang, "comp") if row["key"] == key))


def _disease(bench: Bench) -> Value:
    """In the past and resolved is only what can resolve."""
    rows = [r for r in rows_of(bench.lang, "diseases", bench.split) if bench.variant != "past" or not r["lasting"]]
    return values.word("disease", bench.dice.pick(rows))


def _rhythm(bench: Bench) -> Value:
    key = bench.dice.pick(choices(bench.slots["care"].row["rhythms"]))
    return values.code(next(row for row in codes(bench.lang, "rhythm") if row["key"] == key))


def _nodes(bench: Bench) -> Value:
    total = bench.dice.between(6, 21)
    return node_count(bench.dice.between(2, 5), total, bench.lang)


def node_count(hit: int, total: int, lang: Lang) -> Value:
    """Involved nodes of those examined."""
    forms = {"usual": Form(f"{hit} {'of' if lang == 'en' else 'de'} {total}"), "slash": Form(f"{hit}/{total}")}
    words = values.worded(hit, "m", lang), values.worded(total, "m", lang)
    if all(words):
        forms["words"] = Form(f"{words[0]} {'of' if lang == 'en' else 'de'} {words[1]}")
    return Value("nodes", f"{hit}/{total}", forms, Decimal(hit), str(total))


def _proc(bench: Bench) -> Value:
    return values.word("proc", bench.row("procedures"))


DRAWERS: Mapping[str, Callable[[Bench], Value]] = {
    "drug": _listed("drug"), "home_drug": _home_drug, "home_route": _home_route, "agent": _listed("agent"),
    "dose": _dose, "route": _of_drug("route"), "freq": _of_drug("freq"),
    "dose_before": _dose_before, "dose_after": _drawn("second"), "date": _date, "later": _later,
    "service": _listed("service"), "service2": _second("service", "sender"), "analyte": _listed("analyte"),
    "result": _result, "bound": _bound, "comp": _closed("comp"), "result_before": _result_before,
    "result_after": _drawn("second"), "vital": _listed("vital"), "reading": _reading, "symptom": _listed("symptom"),
    "symptoms": _symptoms, "disease": _disease, "relative": _closed("relative"), "span": _span,
    "image": lambda bench: values.word("image", bench.row("imaging")), "modality": _row_word("finding", "modalities"),
    "image_site": _row_word("finding", "sites"), "side": _closed("side"), "size": _size, "proc": _proc,
    "person": _person, "person2": _person2, "act": _listed("act"), "site": _listed("site"),
    "injury": lambda bench: values.word("injury", bench.row("injuries")), "row_site": _row_word("finding", "sites"),
    "event": _listed("event"), "event2": _second("event", "first"), "tally": _tally,
    "period": _row_word("tally", "periods"), "allergen": _listed("allergen"), "reaction": _listed("reaction"),
    "effect": _effect, "cause": _cause, "place": _listed("place"), "place2": _second("place", "origin"),
    "limit": _limit, "measure": _measure, "limit_comp": _limit_comp,
    "limit_bound": _limit_bound, "care": _listed("care"), "rhythm": _rhythm, "tumor": _listed("tumor"),
    "row_site_tumor": _row_word("tumor", "sites"), "nodes": _nodes,
}  # fmt: skip
