"""FHIR's Dosage in words: `1 tablet by mouth twice daily as needed for pain`. The prescriber's own words come first."""

from __future__ import annotations

import re
from decimal import Decimal

from chartcite.core.errors import CorruptSource
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_values import (
    codes,
    concept,
    concepts,
    line,
    printed_unit,
    quantity,
    ratio,
    span,
    unit,
    when,
)

_PERIODS = {"s": "second", "min": "minute", "h": "hour", "d": "day", "wk": "week", "mo": "month", "a": "year"}
_CODES = {
    "QD": "once daily", "BID": "twice daily", "TID": "3 times daily", "QID": "4 times daily", "QOD": "every other day",
    "Q1H": "every hour", "Q2H": "every 2 hours", "Q3H": "every 3 hours", "Q4H": "every 4 hours",
    "Q6H": "every 6 hours", "Q8H": "every 8 hours", "AM": "every morning", "PM": "every evening",
    "BED": "at bedtime", "WK": "once a week", "MO": "once a month",
}  # fmt: skip
_EVENTS = {
    "HS": "at bedtime", "MORN": "in the morning", "AFT": "in the afternoon", "EVE": "in the evening",
    "NIGHT": "at night", "NOON": "at noon", "WAKE": "on waking", "C": "with meals", "CM": "with breakfast",
    "CD": "with lunch", "CV": "with dinner", "AC": "before meals", "ACM": "before breakfast", "ACD": "before lunch",
    "ACV": "before dinner", "PC": "after meals", "PCM": "after breakfast", "PCD": "after lunch", "PCV": "after dinner",
}  # fmt: skip
_DAYS = {
    "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday",
    "sun": "Sunday",
}  # fmt: skip


_NEEDED = re.compile(r"\b(?:needed|prn|p\.r\.n|if required|sos|se necess[áa]rio|em caso de)", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?<![\d.,/-])(?P<n>\d{1,6}(?:[.,]\d{1,2})?) ?(?P<unit>mcg|ug|mg|g|units?|U|IU|mEq|mmol)\b(?!/)", re.IGNORECASE
)
_COUNTED = re.compile(r"\b(?:tab|cap|cáp|pill|comp|cp\b|puff|patch|amp|vial|x\b|times the)|[½¼×*]", re.IGNORECASE)
_WEIGHED = frozenset(("mcg", "ug", "mg", "g", "units", "unit", "u", "iu", "meq", "mmol"))


def dosages(nodes: list[Node]) -> str:
    """All instructions in the order of the source; `then` between those that follow one another."""
    said, before = "", 0
    for node in sorted(nodes, key=_sequence):
        if part := dosage(node):
            step = _sequence(node)
            said += (f"{', then ' if step > before else '; '}{part}") if said else part
            before = step
    return said


def dosage(node: Node) -> str:
    """One instruction: the text that was written, else its parts."""
    amounts, needed, most = _amounts(node), _as_needed(node), _at_most(node)
    written = line(node.text("text")).rstrip(" .;,")
    if written:
        _check_amount(node, written)
        return ", ".join(filter(None, (written, "" if _NEEDED.search(written) else needed, _not_said(most, written))))
    parts = [*amounts, concept(node.node("route")), _site(node), timing(node.node("timing")), needed]
    parts.append(concepts(node.nodes("additionalInstruction")))
    said = " ".join(filter(None, parts))
    patient = line(node.text("patientInstruction"))
    return ", ".join(filter(None, (said, most, patient)))


def _check_amount(node: Node, written: str) -> None:
    """The words and the coded dose must not be two doses.

    Raises:
        CorruptSource: the words name amounts of the coded dose's unit, and its own is none of them.
    """
    for part in _ordered(node):
        dose = part.node("doseQuantity") or part.node("dose")
        value, name = dose.number("value"), unit(dose)
        if not value or name.lower() not in _WEIGHED or _COUNTED.search(written):
            continue  # of `2 tablets of 25 mg` the dose is neither number
        same = [found["n"] for found in _AMOUNT.finditer(written) if found["unit"].lower() == name.lower()]
        if same and not any(Decimal(number.replace(",", ".")) == Decimal(value) for number in same):
            raise CorruptSource(f"{node.path} has one dose in words and another as a number")


def _at_most(node: Node) -> str:
    """The most that may be taken: `at most 3 g per day`."""
    limit = node.node("maxDosePerPeriod")
    most, period = quantity(limit.node("numerator")), quantity(limit.node("denominator"))
    number, _, name = period.partition(" ")
    words = f"{number} {_PERIODS.get(name, name)}{'s' if name in _PERIODS else ''}"
    per = _PERIODS.get(name, name) if number == "1" else words.strip()
    dose = quantity(node.node("maxDosePerAdministration"))
    whole = quantity(node.node("maxDosePerLifetime"))
    said = (
        f"at most {most}{f' per {per}' if period else ''}" if most else "",
        f"at most {dose} per dose" if dose else "",
        f"at most {whole} in all" if whole else "",
    )
    return ", ".join(filter(None, said))


def _not_said(most: str, written: str) -> str:
    """The limit, unless the words name its number."""
    number = re.search(r"\d[\d.]*", most)
    return "" if number and re.search(rf"(?<![\d.]){re.escape(number[0])}(?![\d.])", written) else most


def timing(node: Node) -> str:
    """How often: `twice daily`, `every 6 hours`, `3 times every 2 weeks`, with the times of day and for how long."""
    repeat = node.node("repeat")
    code = node.node("code")
    known = next((_CODES[c.text("code")] for c in code.nodes("coding") if c.text("code") in _CODES), "")
    often = _often(repeat) or known or concept(code)
    events = [_EVENTS.get(event, event) for event in repeat.texts("when")]
    on_days = [_DAYS.get(day, day) for day in repeat.texts("dayOfWeek")]
    clock = [time[:5] for time in repeat.texts("timeOfDay")]
    parts = [
        often,
        f"over {length}" if (length := _length(repeat)) else "",
        *events,
        "on " + ", ".join(on_days) if on_days else "",
        "at " + ", ".join(clock) if clock else "",
        *(f"on {moment.text}" for text in node.texts("event") if (moment := when(text))),
        _bounds(repeat),
    ]
    return " ".join(filter(None, parts))


def _sequence(node: Node) -> int:
    """The step.

    Raises:
        CorruptSource: not a whole number.
    """
    number = node.number("sequence") or "0"
    if not number.isdecimal():
        raise CorruptSource(f"{node.path}.sequence is not a whole number")
    return int(number)


def _amounts(node: Node) -> list[str]:
    """The dose and the rate. An amount without a unit says so: it is a number of tablets as often as milligrams."""
    found = []
    for part in _ordered(node):
        part.choice("dose"), part.choice("rate")
        dose = part.node("doseQuantity") or part.node("dose")
        amount = quantity(dose)
        if amount.startswith("-"):
            raise CorruptSource(f"{dose.path} is less than nothing")
        if amount and amount == dose.number("value"):
            amount = f"{amount} per dose"
        found.append(amount or span(part.node("doseRange")))
        rate = quantity(part.node("rateQuantity")) or span(part.node("rateRange")) or ratio(part.node("rateRatio"))
        found.append(f"at {rate}" if rate else "")
    return found


def _ordered(node: Node) -> list[Node]:
    """The parts that hold the dose: of several the one that was ordered, for the other is what was calculated.

    Raises:
        CorruptSource: several, and which one was ordered is not said.
    """
    parts = node.nodes("doseAndRate") or [node]
    ordered = [part for part in parts if "ordered" in {concept(part.node("type")).lower(), *codes(part.node("type"))}]
    chosen = parts if len(parts) == 1 else ordered
    if len(chosen) != 1:
        raise CorruptSource(f"{node.path} has several doses, and does not say which one was ordered")
    return chosen


def _site(node: Node) -> str:
    site = concept(node.node("site"))
    return f"({site})" if site else ""


def _as_needed(node: Node) -> str:
    reason = concept(node.node("asNeededCodeableConcept"))
    if reason:
        return f"as needed for {reason}"
    return "as needed" if node.flag("asNeededBoolean") else ""


def _often(repeat: Node) -> str:
    times, period, unit = repeat.number("frequency"), repeat.number("period"), repeat.text("periodUnit")
    if not (period and unit):
        return ""
    most, longest = repeat.number("frequencyMax"), repeat.number("periodMax")
    times = f"{times or '1'}-{most}" if most else times or "1"
    word = _PERIODS.get(unit, printed_unit(unit))
    if longest:
        return f"{_times(times)}every {_plain(period)}-{_plain(longest)} {word}s"
    if _plain(period) != "1":
        return f"{_times(times)}every {_plain(period)} {word}s"
    if word == "day":
        return {"1": "once daily", "2": "twice daily"}.get(times, f"{times} times daily")
    return f"{'once' if times == '1' else times + ' times'} every {word}"


def _length(repeat: Node) -> str:
    """How long one dose takes, `30 minutes`."""
    length, most = _plain(repeat.number("duration")), _plain(repeat.number("durationMax"))
    word = _PERIODS.get(repeat.text("durationUnit"), "")
    shown = f"{length}-{most}" if length and most else length
    return f"{shown} {word}{'' if shown == '1' else 's'}" if shown and word else ""


def _times(times: str) -> str:
    return "" if times == "1" else f"{times} times "


def _plain(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number


def _bounds(repeat: Node) -> str:
    """For how long, or from which day to which."""
    length = quantity(repeat.node("boundsDuration")) or span(repeat.node("boundsRange"))
    if length:
        words = length.split()
        word = _PERIODS.get(words[-1])
        return f"for {words[0]} {word}{'s' if words[0] != '1' else ''}" if word else f"for {length}"
    period = repeat.node("boundsPeriod")
    start, end = when(period.text("start")), when(period.text("end"))
    count = repeat.number("count")
    first, last = f"from {start.date}" if start else "", f"to {end.date}" if end else ""
    return " ".join(filter(None, (first, last))) or (f"for {count} doses" if count else "")
