"""FHIR's data types in words: concepts, quantities, ranges, days. Digits and units stay as the source has them.

A UCUM code that people do not write (`mm[Hg]`) is shown in the form that they do (`mmHg`), where that is the same unit.
"""

from __future__ import annotations

import re
from decimal import Decimal

from chartcite.core.errors import CorruptSource
from chartcite.core.time import When
from chartcite.readers.fhir_access import Node

_COMPARATORS = frozenset(("", "<", "<=", ">", ">="))
_PRINTED = {
    "mm[Hg]": "mmHg", "cm[H2O]": "cmH2O", "Cel": "°C", "[degF]": "°F", "[lb_av]": "lb", "[oz_av]": "oz",
    "[in_i]": "in", "[ft_i]": "ft", "[iU]": "IU", "[iU]/L": "IU/L", "[iU]/mL": "IU/mL", "m[iU]/L": "mIU/L",
    "m[iU]/mL": "mIU/mL", "u[iU]/mL": "uIU/mL", "mL/min/{1.73_m2}": "mL/min/1.73 m2",
    "mL/min/{1.73_m2}{A}": "mL/min/1.73 m2", "1": "", "{beats}/min": "/min", "{breaths}/min": "/min",
}  # fmt: skip
_ANNOTATION = re.compile(r"\{([^{}]*)\}")
_SPACES = re.compile(r"\s+")
_DAY_CHARS = 10


def line(text: str) -> str:
    """Text on one line, outer white space dropped."""
    return _SPACES.sub(" ", text).strip()


def concept(node: Node) -> str:
    """What a CodeableConcept is called: its text, else the first display, else a code."""
    if not node:
        return ""
    codings = node.nodes("coding")
    displays = [line(coding.text("display")) for coding in codings]
    codes = [line(coding.text("code")) for coding in codings]
    return line(node.text("text")) or next(filter(None, displays), "") or next(filter(None, codes), "")


def concepts(nodes: list[Node]) -> str:
    """Several, with commas between."""
    return ", ".join(filter(None, map(concept, nodes)))


def codes(node: Node, system: str = "") -> frozenset[str]:
    """The codes of a concept, of one system where it is named."""
    found = (coding for coding in node.nodes("coding") if not system or coding.text("system") == system)
    return frozenset(filter(None, (coding.text("code") for coding in found)))


def unit(node: Node) -> str:
    """The unit of a Quantity as printed.

    Raises:
        CorruptSource: the unit in words and the unit's code are two units: which one holds is not ours to say.
    """
    said, code = line(node.text("unit")), line(node.text("code"))
    if said in _PRINTED or _ANNOTATION.search(said):
        said = printed_unit(said)
    known = _spelled(said), _spelled(code)
    if known[0] in _CONVERTIBLE and known[1] in _CONVERTIBLE and known[0] != known[1]:
        raise CorruptSource(f"{node.path} has one unit in words and another as a code")
    return said or printed_unit(code)


_CONVERTIBLE = frozenset((
    "mg/dL", "g/dL", "g/L", "mg/L", "ug/L", "ng/mL", "pg/mL", "ug/dL", "mmol/L", "umol/L", "nmol/L", "pmol/L", "mol/L",
    "kg", "g", "mg", "ug", "ng", "L", "dL", "mL", "uL", "cm", "m", "mm", "lb", "in", "mmol", "umol",
))  # fmt: skip
"""Units that change a number's meaning when taken for one another."""


def _spelled(text: str) -> str:
    """A unit in one spelling of the many.

    >>> _spelled("mcg"), _spelled("mg/dl"), _spelled("\u00b5mol/L"), _spelled("grams")
    ('ug', 'mg/dL', 'umol/L', 'g')
    """
    plain = re.sub("[\u00b5\u03bc]|mc(?=g)", "u", text)
    plain = re.sub(r"(?<=[/dmu])l\b", "L", plain)
    return _IN_FULL.get(plain.lower(), plain)


_IN_FULL = {
    "gram": "g", "grams": "g", "milligram": "mg", "milligrams": "mg", "microgram": "ug", "micrograms": "ug",
    "kilogram": "kg", "kilograms": "kg", "milliliter": "mL", "milliliters": "mL", "liter": "L", "liters": "L",
}  # fmt: skip


def printed_unit(code: str) -> str:
    """A UCUM code as people write it.

    >>> printed_unit("mm[Hg]"), printed_unit("{score}"), printed_unit("10*3/uL"), printed_unit("mmol/L")
    ('mmHg', 'score', '10*3/uL', 'mmol/L')
    """
    return _PRINTED[code] if code in _PRINTED else line(_ANNOTATION.sub(r"\1", code))


def quantity(node: Node) -> str:
    """`<0.01 ng/mL`; empty without a number.

    Raises:
        CorruptSource: an unknown comparator, or two units.
    """
    value, comparator = node.number("value"), node.text("comparator").strip()
    if comparator not in _COMPARATORS:
        raise CorruptSource(f"{node.path}.comparator is not one of FHIR R4")
    shown = unit(node)
    return f"{comparator}{value}{' ' if shown else ''}{shown}" if value else ""


def span(node: Node) -> str:
    """A Range: `3.5-5.1 mmol/L`, `>=3.5 mmol/L`, `<=5.1 mmol/L`; empty without limits."""
    low, high = node.node("low"), node.node("high")
    least, most = low.number("value"), high.number("value")
    if low.text("comparator") or high.text("comparator"):
        raise CorruptSource(f"{node.path} has a limit with a comparator")
    if not (least and most):
        only = quantity(low) or quantity(high)
        return f"{'>=' if least else '<='}{only}" if only else ""
    units = unit(low), unit(high)
    if units[0] and units[1] and units[0] != units[1]:
        return f"{quantity(low)} to {quantity(high)}"
    shown = units[0] or units[1]
    if Decimal(least) > Decimal(most):
        raise CorruptSource(f"{node.path} ends below its beginning")
    joint = " to " if "-" in least + most else "-"
    return f"{least}{joint}{most}{' ' if shown else ''}{shown}"


def ratio(node: Node) -> str:
    """A Ratio: `1:128`, `5 mg/2 mL`."""
    over, under = quantity(node.node("numerator")), quantity(node.node("denominator"))
    if not (over and under):
        return over
    is_bare = over.isdigit() and under.isdigit()
    return f"{over}{':' if is_bare else '/'}{under}"


def when(text: str) -> When | None:
    """A date as precise as it is written.

    Raises:
        CorruptSource: not a date.
    """
    try:
        return When.parse(text) if text.strip() else None
    except ValueError as error:
        raise CorruptSource("a date is not one of FHIR") from error


def on(moment: When | None, *, clock: bool = False) -> str:
    """`on 2031-03-01`, `in 2031-03`, `in 2031`; with the clock `on 2031-03-01 at 08:15 -05:00`; empty without one."""
    if moment is None:
        return ""
    if len(moment.date) < _DAY_CHARS:
        return f"in {moment.date}"
    time, zone = moment.text[_DAY_CHARS + 1 :][:5], moment.text[_DAY_CHARS + 1 :].lstrip("0123456789:")
    return f"on {moment.date}" + (f" at {time} {'UTC' if zone == 'Z' else zone}".rstrip() if clock and time else "")


def since(moment: When | None) -> str:
    """`since 2031-03-01`."""
    return f"since {moment.date}" if moment else ""


def details(*parts: str) -> str:
    """What describes, in brackets: ` (a; b)`; empty without any."""
    kept = "; ".join(part for part in parts if part)
    return f" ({kept})" if kept else ""


def notes(nodes: list[Node]) -> list[str]:
    """Annotations, each a line of its own."""
    return [f"Note: {text}" for node in nodes if (text := line(node.text("text")))]
