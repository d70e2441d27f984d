"""FHIR's Dosage in words: `1 tablet by mouth twice daily as needed for pain`. The prescriber's own words come first."""

from __future__ import annotations

from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_values import concept, concepts, line, printed_unit, quantity, ratio, span, when

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


def dosages(nodes: list[Node]) -> str:
    """All instructions in the order of the source; `then` between those that follow one another."""
    ordered = [node for _, node in sorted(enumerate(nodes), key=lambda item: (_sequence(item[1]), item[0]))]
    follows = len({_sequence(node) for node in ordered}) == len(ordered) > 1
    return (", then " if follows else "; ").join(filter(None, map(dosage, ordered)))


def dosage(node: Node) -> str:
    """One instruction: the text that was written, else its parts."""
    written = line(node.text("text"))
    if written:
        return written.rstrip(" .;,")
    parts = [*_amounts(node), concept(node.node("route")), _site(node), timing(node.node("timing")), _as_needed(node)]
    parts.append(concepts(node.nodes("additionalInstruction")))
    said = " ".join(filter(None, parts))
    patient = line(node.text("patientInstruction"))
    return ", ".join(filter(None, (said, patient)))


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
        *events,
        "on " + ", ".join(on_days) if on_days else "",
        "at " + ", ".join(clock) if clock else "",
        *(f"on {moment.text}" for text in node.texts("event") if (moment := when(text))),
        _bounds(repeat),
    ]
    return " ".join(filter(None, parts))


def _sequence(node: Node) -> int:
    return int(node.number("sequence") or 0)


def _amounts(node: Node) -> list[str]:
    """The dose and the rate. An amount without a unit says so: it is a number of tablets as often as milligrams."""
    found = []
    for part in node.nodes("doseAndRate") or [node]:
        dose = part.node("doseQuantity") or part.node("dose")
        amount = quantity(dose)
        if amount and amount == dose.number("value"):
            amount = f"{amount} per dose"
        found.append(amount or span(part.node("doseRange")))
        rate = quantity(part.node("rateQuantity")) or span(part.node("rateRange")) or ratio(part.node("rateRatio"))
        found.append(f"at {rate}" if rate else "")
    return found


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
