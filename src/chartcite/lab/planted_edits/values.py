"""Words, quantities, counts and dates as values, each with every form it can be written in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from chartcite.lab.planted_edits.lexicon import Row, choices, codes, form, table
from chartcite.lab.planted_edits.model import Form, Lang, Value

_ARTICLE = re.compile(r"^(?:an?|the) ")
_AND = {"en": ("and", "or"), "pt": ("e", "ou")}
_ABOUT = {"en": "about", "pt": "cerca de"}
_MONTHS = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"),
    "pt": ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
           "novembro", "dezembro"),
}  # fmt: skip


def word(kind: str, row: Row, **more: Form) -> Value:
    """A word of a list: `name` is usual; `abbr`, `brand` and `synonym` are other forms of it."""
    forms = {"usual": form(row["name"])}
    forms |= {key: form(row[key], forms["usual"].gender) for key in ("abbr", "brand", "synonym") if row.get(key)}
    for key, given in list(forms.items()):  # without an English article
        forms["bare" if key == "usual" else f"{key}_bare"] = Form(_ARTICLE.sub("", given.text))
    return Value(kind, row.get("key") or row["name"], forms | more, row=row)


def code(row: Row) -> Value:
    """A word of a closed class: its columns are its forms."""
    forms = {key: form(cell) for key, cell in row.items() if cell and key not in ("type", "key")}
    if row["type"] == "comp":  # a sign stands at its number, a word before it
        forms |= {"glued": forms["abbr"], **{f"{k}_glued": Form(f"{f.text} ") for k, f in forms.items() if k != "abbr"}}
    return Value(row["type"], row["key"], forms, row=row)


def some(kind: str, rows: Sequence[Row], order: Sequence[int], lang: Lang) -> Value:
    """Several words as one list; `order` is another order in which to name them."""
    texts = [form(row["name"]).text for row in rows]
    mixed = [texts[n] for n in order]
    forms: dict[str, Form] = {}
    for key, names in (("usual", texts), ("reordered", mixed)):
        forms[key] = Form(_listed(names, lang, 0))
        forms[f"{key}_or"] = Form(_listed(names, lang, 1))
        forms[f"{key}_plain"] = Form(", ".join(names))
    forms |= {"or": forms["usual_or"], "plain": forms["usual_plain"]}
    return Value(kind, "+".join(sorted(texts)), forms)


def _listed(names: Sequence[str], lang: Lang, joiner: int) -> str:
    comma = "," if lang == "en" and len(names) > 2 else ""
    return f"{', '.join(names[:-1])}{comma} {_AND[lang][joiner]} {names[-1]}"


def digits(number: Decimal, lang: Lang) -> str:
    """A number as the language writes it.

    >>> digits(Decimal("12400"), "pt"), digits(Decimal("2.50"), "en")
    ('12.400', '2.50')
    """
    text = f"{number:,f}" if abs(number) >= (1000 if lang == "pt" else 10000) else f"{number:f}"
    return text if lang == "en" else text.translate(str.maketrans(",.", ".,"))


def quantity(kind: str, number: Decimal, unit: str, lang: Lang, row: Row | None = None) -> Value:
    """A measured quantity. A row (of an analyte) may have a conversion of its own, `unit:factor:digits`."""
    other = (row or {}).get("converts", "")
    forms = {"usual": Form(_with_unit(digits(number, lang), unit))}
    forms["tight"] = Form(digits(number, lang) + unit)
    for target, converted in _converted(number, unit, other):
        forms["converted"] = Form(_with_unit(digits(converted, lang), target))
    if kind != "reading" or unit not in ("%", "°C"):  # 37.6 is no 38
        forms |= _about(number, unit, lang)
    return Value(kind, f"{number.normalize():f} {unit}", forms, number, unit, row or {})


def _about(number: Decimal, unit: str, lang: Lang) -> dict[str, Form]:
    rounded = about(number)
    return {"about": Form(f"{_ABOUT[lang]} {_with_unit(digits(rounded, lang), unit)}")} if rounded else {}


def _with_unit(number: str, unit: str) -> str:
    return number + unit if unit.startswith(("%", "/")) else f"{number} {unit}".strip()


def about(number: Decimal) -> Decimal | None:
    """The number less exactly: one digit fewer, if that is less exact and at most 2 % away.

    >>> about(Decimal("7.92")), about(Decimal("138")), about(Decimal("4.0")), about(Decimal("164"))
    (Decimal('7.9'), Decimal('140'), None, None)
    """
    exponent = int(number.as_tuple().exponent)
    step = Decimal(1).scaleb(exponent + 1)
    rounded = (number / step).to_integral_value(ROUND_HALF_UP) * step
    rounded = rounded.quantize(step) if step < 1 else rounded.quantize(Decimal(1))
    near = rounded != number and abs(rounded - number) * 50 <= number
    return rounded if near and rounded > 0 else None


def _converted(number: Decimal, unit: str, other: str) -> list[tuple[str, Decimal]]:
    if other:
        target, factor, places = other.split(":")
        return [(target, (number * Decimal(factor)).quantize(Decimal(1).scaleb(-int(places))))]
    if unit == "°C":
        warm = number * Decimal("1.8") + 32
        return [("°F", warm.quantize(Decimal("0.1")))] if warm == warm.quantize(Decimal("0.1")) else []
    found = []
    for row in conversions():
        if row["unit"] != unit:
            continue
        made = (number * Decimal(row["factor"])).normalize()
        exact = int(made.as_tuple().exponent) >= -int(row["places"])
        if exact and Decimal(row["least"]) <= made <= Decimal(row["most"]):
            found.append((row["to"], made.quantize(Decimal(1)) if made == made.to_integral_value() else made))
    return found[:1]


@cache
def conversions() -> tuple[Row, ...]:
    """Exact conversions, the same in both languages."""
    return table("en", "conversions")


@cache
def number_words(lang: Lang) -> Mapping[int, tuple[str, str]]:
    """Number words, masculine and feminine."""
    return {int(row["n"]): (row["word"], row["feminine"] or row["word"]) for row in table(lang, "numbers")}


def worded(number: int, gender: str, lang: Lang) -> str | None:
    """A number in words, if the list has it."""
    pair = number_words(lang).get(number)
    return pair[gender.startswith("f")] if pair else None


def tally(kind: str, number: int, row: Row, lang: Lang) -> Value:
    """A number of countable things, at least two: `3 falls`."""
    noun = form(row["name"])
    forms = {"usual": Form(f"{number} {noun.text}", noun.gender)}
    if words := worded(number, noun.gender, lang):
        forms["words"] = Form(f"{words} {noun.text}", noun.gender)
    if row.get("synonym"):
        other = form(row["synonym"], noun.gender)
        forms["synonym"] = Form(f"{number} {other.text}", other.gender)
    return Value(kind, f"{number} {noun.text}", forms, Decimal(number), noun.text, row)


def span(kind: str, number: int, unit: Row, lang: Lang) -> Value:
    """A length of time, at least two units: `3 weeks`; `unit` is a row of the class `time`."""
    noun = form(unit["usual"])
    forms = {"usual": Form(f"{number} {noun.text}", noun.gender)}
    if words := worded(number, noun.gender, lang):
        forms["words"] = Form(f"{words} {noun.text}", noun.gender)
    for part in choices(unit["converts"]):
        key, factor = part.split("*")
        exact = Decimal(number) * Decimal(factor) if "/" not in factor else Decimal(number) / Decimal(factor[1:])
        target = next(row for row in codes(lang, "time") if row["key"] == key)
        if exact == exact.to_integral_value() and 2 <= exact <= 90:
            forms["converted"] = Form(f"{int(exact)} {form(target['usual']).text}", form(target["usual"]).gender)
            break
    return Value(kind, f"{number} {unit['key']}", forms, Decimal(number), unit["key"], unit)


def day(kind: str, when: date, lang: Lang) -> Value:
    """A date. Forms with slashes are only there when day and month cannot be mistaken for each other."""
    name = _MONTHS[lang][when.month - 1]
    forms = {}
    if lang == "en":
        forms["iso"] = Form(when.isoformat())
        forms["long"] = Form(f"{name} {when.day}, {when.year}")
        forms["short"] = Form(f"{when.day} {name[:3]} {when.year}")
        if when.day > 12:
            forms["slash"] = Form(f"{when.month:02}/{when.day:02}/{when.year}")
    else:
        forms["long"] = Form(f"{when.day if when.day > 1 else '1º'} de {name} de {when.year}")
        forms["slash"] = Form(f"{when.day:02}/{when.month:02}/{when.year}")
        forms["short"] = Form(f"{when.day:02}/{name[:3]}/{when.year}")
    forms["usual"] = forms["long"] if lang == "en" else forms["slash"]
    return Value(kind, when.isoformat(), forms)


def pressure(kind: str, upper: int, lower: int) -> Value:
    """A blood pressure."""
    usual = f"{upper}/{lower}"
    return Value(kind, usual, {"usual": Form(f"{usual} mm Hg"), "plain": Form(usual)}, Decimal(upper), "mm Hg")
