"""Observation: one sentence a value, with its flag, day and reference range.

`Potassium: 5.8 mmol/L (high) on 2031-03-01 (reference range 3.5-5.1 mmol/L; ...).`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chartcite.core.errors import CorruptSource, EmptySource, UnsupportedFormat
from chartcite.core.time import When
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_fields import code_of, displays, document_status
from chartcite.readers.fhir_rendered import Rendered, capital, name_of
from chartcite.readers.fhir_values import (
    codes,
    concept,
    concepts,
    details,
    line,
    notes,
    on,
    quantity,
    ratio,
    span,
    when,
)

_FLAGS = {
    "H": "high", "HU": "high", "HH": "critical high", "L": "low", "LU": "low", "LL": "critical low", "A": "abnormal",
    "AA": "critical abnormal", "N": "normal", "POS": "positive", "NEG": "negative", "R": "resistant",
    "S": "susceptible", "I": "intermediate",
}  # fmt: skip
_STANDINGS = {
    "registered": "preliminary result", "partial": "preliminary result", "preliminary": "preliminary result",
    "amended": "amended result", "corrected": "corrected result", "appended": "amended result",
}  # fmt: skip
_LONG = re.compile(
    r"(?P<name>[^\[\]]+?)(?: \[[^\]]+\])?(?: in (?P<of>Serum or Plasma|Serum|Plasma|Blood|Urine))?"
    r"(?: by (?:Automated count|Automated|calculation))?",
)
"""Long names of laboratory tests; what is `in` anything else, or after a challenge, keeps its long name."""
_PART_OF = re.compile(r"/Hemoglobin\.total$")
_SYSTOLIC, _DIASTOLIC = "8480-6", "8462-4"


def read_observation(resource: Node) -> Rendered:
    """Render its value and its components.

    Raises:
        EmptySource: it has neither.
        CorruptSource: something that is shown is broken.
    """
    status = document_status(resource.text("status"))
    name = name_of(resource.node("code"), "the observation")
    moment = _moment(resource)
    issued = when(resource.text("issued"))
    said = on(moment, clock=True)
    around = _Around(said, _STANDINGS.get(code_of(resource.text("status")), ""), _details(resource, name))
    found = [sentence] if (sentence := _sentence(name, resource, around)) else []
    found += _components(resource, name, around)
    if not found:
        raise EmptySource("the observation has no value")
    found += notes(resource.nodes("note"))
    return Rendered(
        tuple(found), "Observation", short_name(name), (moment, issued), status,
        resource.node("encounter").text("reference"), displays(resource.nodes("performer")),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Around:
    """What all sentences of an observation share."""

    day: str
    standing: str
    described: tuple[str, ...]


def short_name(name: str) -> str:
    """The name without what a laboratory's catalogue adds, where that loses nothing.

    >>> short_name("Glucose [Mass/volume] in Serum or Plasma"), short_name("Glucose [Mass/volume] in Urine")
    ('Glucose', 'Urine glucose')
    >>> short_name("Glucose [Mass/volume] in Serum or Plasma --2 hours post meal")
    'Glucose [Mass/volume] in Serum or Plasma --2 hours post meal'
    """
    found = _LONG.fullmatch(name)
    if found is None or found["name"] == name:
        return capital(name)
    brief = _PART_OF.sub("", found["name"])
    if found["of"] == "Urine":
        brief = "Urine " + (brief[:1].lower() + brief[1:] if brief[1:2].islower() else brief)
    return capital(brief)


def _moment(resource: Node) -> When | None:
    resource.choice("effective")  # one time, in one type
    return (
        when(resource.text("effectiveDateTime"))
        or when(resource.text("effectiveInstant"))
        or when(resource.node("effectivePeriod").text("end"))
        or when(resource.node("effectivePeriod").text("start"))
        or max(map(when, resource.node("effectiveTiming").texts("event")), key=_key, default=None)
    )


def _key(moment: When | None) -> str:
    return moment.sort_key if moment else ""


def _details(resource: Node, name: str) -> tuple[str, ...]:
    period = resource.node("effectivePeriod")
    start, end = when(period.text("start")), when(period.text("end"))
    whom = displays(resource.nodes("focus"))
    if resource.value.get("focus") and not whom:
        raise UnsupportedFormat("it is about something else than its patient, and does not show what")
    specimen = line(resource.node("specimen").text("display"))
    site, method = concept(resource.node("bodySite")), concept(resource.node("method"))
    return (
        f"about: {whom}, not the patient" if whom else "",
        f"specimen: {specimen}" if specimen else "",
        f"begun {on(start)}" if start and end and start.date != end.date else "",
        f"site: {site}" if site else "",
        f"method: {method}" if method else "",
        name if short_name(name).lower() != name.lower() else "",
    )


def _sentence(name: str, node: Node, around: _Around) -> str:
    """The sentence of one value; empty when there is none."""
    value = _value(node)
    missing = concept(node.node("dataAbsentReason"))
    if value and missing:
        raise CorruptSource("it has a value and a reason why there is none")
    if not value and not missing:
        return ""
    said = value or f"no result ({missing})"
    flag = _flag(node.nodes("interpretation")) if value else ""
    if {said.lower(), flag} == {"positive", "negative"}:
        raise CorruptSource("its value and its interpretation are opposites")
    is_said = bool(flag) and re.search(rf"\b{re.escape(flag)}\b", said.lower()) is not None
    parts = f"{short_name(name)}: {said}", f"({flag})" if flag and not is_said else "", around.day
    ranges = _ranges(node.nodes("referenceRange")) if value else ""
    return " ".join(filter(None, parts)) + details(around.standing, ranges, *around.described) + "."


def _components(resource: Node, name: str, around: _Around) -> list[str]:
    parts = resource.nodes("component")
    pressure = _pressure(parts)
    found = []
    if pressure:
        flag = _flag([*resource.nodes("interpretation"), *(n for part in parts for n in part.nodes("interpretation"))])
        flagged = " ".join(filter(None, (f"({flag})" if flag else "", around.day)))
        shown = flagged, details(around.standing, *around.described)
        found.append(f"Blood pressure: {pressure} {shown[0]}".rstrip() + f"{shown[1]}.")
        parts = [part for part in parts if not codes(part.node("code")) & {_SYSTOLIC, _DIASTOLIC}]
    for part in parts:
        called = name_of(part.node("code"), "a component")
        own = _Around(around.day, around.standing, (f"part of {name}", *_details(part, called), *around.described))
        sentence = _sentence(called, part, own)
        found += [sentence] if sentence else []
    return found


def _pressure(parts: list[Node]) -> str:
    """`120/80 mmHg` from the two components that are one reading."""
    pair = [
        [
            quantity(part.node("valueQuantity"))
            for part in parts
            if code in codes(part.node("code")) and not part.node("dataAbsentReason")
        ]
        for code in (_SYSTOLIC, _DIASTOLIC)
    ]
    if any(len(found) != 1 for found in pair):
        return ""
    (upper, _, unit), (lower, _, other) = (found[0].partition(" ") for found in pair)
    return f"{upper}/{lower} {unit}" if unit == other and upper.isdigit() and lower.isdigit() else ""


def _value(node: Node) -> str:
    """The value in words; empty without one.

    Raises:
        CorruptSource: of a type that has none.
    """
    key = node.choice("value")
    if key and key not in _IN_WORDS:
        raise CorruptSource(f"{key} is not a kind of value that can be said in words")
    return _IN_WORDS[key](node, key) if key else ""


def _moment_text(node: Node, key: str) -> str:
    found = when(node.text(key))
    return found.text if found else ""


def _truth(node: Node, key: str) -> str:
    return "yes" if node.flag(key) else "no"


def _from_to(node: Node, key: str) -> str:
    start, end = when(node.node(key).text("start")), when(node.node(key).text("end"))
    return " ".join(filter(None, (f"from {start.text}" if start else "", f"to {end.text}" if end else "")))


_IN_WORDS: Mapping[str, Callable[[Node, str], str]] = {
    "valueQuantity": lambda node, key: quantity(node.node(key)),
    "valueCodeableConcept": lambda node, key: concept(node.node(key)),
    "valueString": lambda node, key: line(node.text(key)).rstrip("."),
    "valueTime": lambda node, key: line(node.text(key)),
    "valueDateTime": _moment_text,
    "valueBoolean": _truth,
    "valueInteger": lambda node, key: node.number(key),
    "valueRange": lambda node, key: span(node.node(key)),
    "valueRatio": lambda node, key: ratio(node.node(key)),
    "valuePeriod": _from_to,
}


def _flag(interpretations: list[Node]) -> str:
    known = [_FLAGS[code] for node in interpretations for code in sorted(codes(node)) if code in _FLAGS]
    return ", ".join(dict.fromkeys(known)) or concepts(interpretations).lower()


def _ranges(nodes: list[Node]) -> str:
    """The reference range; of several each with what it is for."""
    found = []
    for node in nodes:
        limits = span(node) or line(node.text("text"))
        whom = concepts([node.node("type"), *node.nodes("appliesTo")])
        age = span(node.node("age"))
        whom = ", ".join(filter(None, (whom, f"age {age}" if age else "")))
        if limits:
            found.append(f"{limits} for {whom}" if len(nodes) > 1 and whom else limits)
    return f"reference range {' or '.join(found)}" if found else ""
