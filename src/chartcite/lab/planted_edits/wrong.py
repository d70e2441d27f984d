"""Making a fact untrue in exactly one way.

- `other SLOT`: another thing: a drug of other substance, another route, a date days or months away
- `number SLOT`: another number, never within rounding of the true one
- `shift SLOT`: the decimal point one place off
- `unit SLOT`: the same number in another unit, never an equivalent one
- `swap A B`: two slots change places
- `variant A>B`: the fact in another variant; slots named after it change places with it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from importlib.resources import files

from chartcite.lab.planted_edits import values
from chartcite.lab.planted_edits.draw import Bench, node_count, redraw
from chartcite.lab.planted_edits.lexicon import choices, codes, form
from chartcite.lab.planted_edits.model import Fact, Value
from chartcite.lab.planted_edits.shapes import Edit, Shape

_FACTORS = tuple(map(Decimal, ("0.5", "0.6", "0.7", "0.8", "1.25", "1.4", "1.5", "1.75", "2")))
_NARROW = tuple(map(Decimal, ("0.93", "0.95", "1.05", "1.07")))
_LEAST = Decimal("0.12")
_TRIES = 40

Spoilt = tuple[Fact, frozenset[str]]


def spoil(shape: Shape, fact: Fact, edit: Edit, bench: Bench) -> Spoilt | None:
    """The fact made untrue, and which slots (or `variant`) changed; None where this edit cannot be made of it."""
    if edit.operation == "variant":
        return _vary(fact, edit.arguments)
    if edit.operation == "swap":
        return _swap(fact, edit.arguments)
    slot = edit.arguments[0]
    if edit.operation == "other":
        value = _other(shape, fact, slot, bench)
    else:
        value = _NUMBERS[edit.operation](fact.slots[slot], bench)
    if value is None or value.key in {v.key for v in fact.slots.values() if v.type == value.type}:
        return None
    spoilt = replace(fact, slots={**fact.slots, slot: value})
    return (spoilt, frozenset({slot})) if edit.operation != "number" or _untrue(spoilt, fact) else None


def _untrue(spoilt: Fact, fact: Fact) -> bool:
    """Whether another number is not implied: `> 7` says `> 5` too. A value that rose still rises, only elsewhere."""
    if "comp" in spoilt.slots:
        slot = "bound" if "bound" in spoilt.slots else "value"
        higher = (spoilt.slots[slot].number or 0) > (fact.slots[slot].number or 0)
        above = spoilt.slots["comp"].key in ("gt", "ge")
        return higher == above if slot == "value" else fact.variant == "planned" and higher != above
    if "second" in spoilt.slots and fact.variant in ("up", "down"):
        return ((spoilt.slots["second"].number or 0) > (spoilt.slots["first"].number or 0)) == (fact.variant == "up")
    return True


def _vary(fact: Fact, arguments: tuple[str, ...]) -> Spoilt | None:
    before, _, after = arguments[0].partition(">")
    if fact.variant != before:
        return None
    slots = dict(fact.slots)
    if len(arguments) == 3:
        one, two = arguments[1:]
        slots[one], slots[two] = slots[two], slots[one]
    return replace(fact, variant=after, slots=slots), frozenset({"variant"})


def _swap(fact: Fact, arguments: tuple[str, ...]) -> Spoilt:
    one, two = arguments
    slots = {**fact.slots, one: fact.slots[two], two: fact.slots[one]}
    return replace(fact, slots=slots), frozenset(arguments)


def _other(shape: Shape, fact: Fact, slot: str, bench: Bench) -> Value | None:
    old = fact.slots[slot]
    if choose := _OTHERS.get(old.type):
        return choose(old, bench)
    for tries in range(_TRIES):
        value = redraw(shape, fact, slot, bench)
        alike = value.row.get("unit") == old.row.get("unit") or tries > _TRIES // 2
        if alike and value.key != old.key and not same_substance(value, old):
            return value
    return None


def same_substance(one: Value, two: Value) -> bool:
    """Whether two drugs share a substance: parts of a combination count, salts do not.

    >>> drug = lambda name: Value("drug", name, {})
    >>> same_substance(drug("amoxicillin-clavulanate"), drug("amoxicillin"))
    True
    """
    parts = [{part.split()[0] for part in v.key.replace("-", "+").split("+")} for v in (one, two)]
    return one.type in ("drug", "allergen") and bool(parts[0] & parts[1])


def _other_date(old: Value, bench: Bench) -> Value:
    away = bench.dice.pick((1, 2, 3, 5, 7, 9, 14, 30, 31, 61, 365))
    when = date.fromisoformat(old.key) + timedelta(away if bench.dice.chance(0.5) else -away)
    return values.day(old.type, when, bench.lang)


def _other_rate(old: Value, bench: Bench) -> Value:
    rows = [row for row in codes(bench.lang, old.type) if row["perday"] != old.row["perday"]]
    return values.code(bench.dice.pick(rows))


def _other_route(old: Value, bench: Bench) -> Value:
    """Among the routes that nobody takes for each other: under the tongue is also by mouth."""
    near = {"po", "sl"}
    rows = [r for r in codes(bench.lang, "route") if r["key"] != old.key and {r["key"], old.key} != near]
    return values.code(bench.dice.pick(rows))


def _other_comparator(old: Value, bench: Bench) -> Value:
    opposite = {"lt": "gt", "gt": "lt", "ge": "le", "le": "ge"}[old.key]
    return values.code(next(row for row in codes(bench.lang, "comp") if row["key"] == opposite))


def _other_site(old: Value, bench: Bench) -> Value:
    chosen = form(bench.dice.pick(choices(old.row["others"])))
    return Value(old.type, chosen.text, {"usual": chosen})


def _number(old: Value, bench: Bench) -> Value | None:
    if old.type in ("tally", "nodes", "span"):
        return _count(old, bench)
    if old.number is None:
        return None
    if old.unit == "mm Hg" and "plain" in old.forms:
        upper, lower = map(int, old.key.split("/"))
        return values.pressure(old.type, upper + bench.dice.pick((-34, -26, -18, 18, 26, 34)), lower)
    places = Decimal(1).scaleb(int(old.number.as_tuple().exponent))
    narrow = old.unit == "°C" or (old.unit == "%" and old.type == "reading")  # no body has 60 °C
    number = (old.number * bench.dice.pick(_NARROW if narrow else _FACTORS)).quantize(places)
    if old.unit == "%" and number > 100:
        return None
    least = Decimal("0.03") if narrow else _LEAST
    return _requantified(old, number, bench) if abs(number - old.number) >= least * old.number else None


def _requantified(old: Value, number: Decimal, bench: Bench) -> Value:
    return values.quantity(old.type, number, old.unit, bench.lang, old.row)


def _count(old: Value, bench: Bench) -> Value | None:
    number = int(old.number or 0) + bench.dice.pick((-3, -2, -1, 1, 2, 3))
    if number < 2 or (old.type == "span" and abs(number - int(old.number or 0)) < _LEAST * number):
        return None
    if old.type == "tally":
        return values.tally("tally", number, old.row, bench.lang)
    if old.type == "span":
        return values.span("span", number, old.row, bench.lang)
    return node_count(number, int(old.unit), bench.lang) if number <= int(old.unit) else None


def _shift(old: Value, bench: Bench) -> Value | None:
    if old.number is None or "plain" in old.forms:
        return None
    number = old.number * 10 if bench.dice.chance(0.5) else old.number / 10
    number = number.quantize(Decimal(1)) if number == number.to_integral_value() else number.normalize()
    return None if old.unit == "%" and number > 100 else _requantified(old, number, bench)


def _unit(old: Value, bench: Bench) -> Value | None:
    if old.type == "span":
        unit = bench.dice.pick(choices(wrong_units()[old.unit]))
        return values.span("span", int(old.number or 0), next(r for r in codes(bench.lang, "time") if r["key"] == unit),
                           bench.lang)  # fmt: skip
    listed = old.row.get("wrong") or wrong_units().get(old.unit, "")
    if old.number is None or not listed or "plain" in old.forms:
        return None
    return values.quantity(old.type, old.number, bench.dice.pick(choices(listed)), bench.lang)


@cache
def wrong_units() -> Mapping[str, str]:
    """What a unit may be mistaken for."""
    text = (files("chartcite.lab.planted_edits") / "data" / "units.tsv").read_text("utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return {row[0]: row[1] for row in lines[1:]}


_OTHERS: Mapping[str, Callable[[Value, Bench], Value]] = {
    "date": _other_date, "freq": _other_rate, "rhythm": _other_rate, "route": _other_route, "comp": _other_comparator,
    "site": _other_site, "proc": _other_site,
}  # fmt: skip
_NUMBERS: Mapping[str, Callable[[Value, Bench], Value | None]] = {"number": _number, "shift": _shift, "unit": _unit}
