"""Procedure, Immunization, Encounter and Patient: what happened on which day, and what did not."""

from __future__ import annotations

from chartcite.core.errors import CorruptSource, EmptySource, UnsupportedFormat
from chartcite.core.identity import Person
from chartcite.core.time import When
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_fields import displays
from chartcite.readers.fhir_medication import concept_or_display
from chartcite.readers.fhir_rendered import Rendered, capital, error_or_current, name_of, stated_status
from chartcite.readers.fhir_values import concept, concepts, details, line, notes, on, quantity, when

_DONE = frozenset((
    "preparation", "in-progress", "not-done", "on-hold", "stopped", "completed", "entered-in-error", "unknown",
))  # fmt: skip
_VISITS = frozenset((
    "", "planned", "arrived", "triaged", "in-progress", "onleave", "finished", "cancelled", "entered-in-error",
    "unknown", "completed", "discharged", "discontinued", "on-hold",
))  # fmt: skip
_CLASSES = {
    "AMB": "Ambulatory visit", "IMP": "Inpatient stay", "ACUTE": "Inpatient stay", "NONAC": "Inpatient stay",
    "EMER": "Emergency visit", "HH": "Home visit", "VR": "Virtual visit", "OBSENC": "Observation stay",
    "SS": "Short stay", "FLD": "Visit in the field", "PRENC": "Pre-admission visit",
}  # fmt: skip


def read_procedure(resource: Node) -> Rendered:
    """Render a procedure: done, under way, broken off, or not done.

    Raises:
        EmptySource: it has no name.
        CorruptSource: something that is shown is broken.
    """
    status = stated_status(resource, _DONE)
    name = name_of(resource.node("code"), "the procedure")
    start, end = _span(resource, "performed")
    why = concept(resource.node("statusReason"))
    site, outcome = concepts(resource.nodes("bodySite")), concept(resource.node("outcome"))
    said, age = line(resource.text("performedString")), quantity(resource.node("performedAge"))
    trouble = concepts(resource.nodes("complication"))
    about = details(
        f"reason: {why}" if why else "",
        f"when: {said}" if said else "",
        f"at age {age}" if age else "",
        f"site: {site}" if site else "",
        f"outcome: {outcome}" if outcome else "",
        f"complication: {trouble}" if trouble else "",
        _reasons(resource),
    )
    lines = [_did(name, status, on(start or end)) + about + "."]
    if end and start and end.date != start.date and status == "completed":
        lines.append(f"{capital(name)} ended {on(end)}.")  # a second day in the sentence would leave it without one
    return Rendered(
        (*lines, *notes(resource.nodes("note"))), "Procedure", name, (end, start), error_or_current(status),
        resource.node("encounter").text("reference"),
        displays([performer.node("actor") for performer in resource.nodes("performer")]),
    )  # fmt: skip


def _did(name: str, status: str, day: str) -> str:
    """What was done, in the words by which the timeline knows it; or what was not."""
    if status in ("completed", "entered-in-error"):
        return f"The patient underwent {name} {day}".rstrip()
    other = {
        "preparation": "is being prepared", "in-progress": "is under way", "not-done": "was not done",
        "on-hold": "was interrupted", "stopped": "was begun and broken off before its end",
        "unknown": "is recorded, it is not known whether it was done",
    }[status]  # fmt: skip
    return f"{capital(name)} {other} {day}".rstrip()


def read_immunization(resource: Node) -> Rendered:
    """Render a vaccine, given or not.

    Raises:
        EmptySource: it has no name.
        CorruptSource: something that is shown is broken.
    """
    status = stated_status(resource, frozenset(("completed", "entered-in-error", "not-done")))
    name = name_of(resource.node("vaccineCode"), "the vaccine")
    moment = when(resource.text("occurrenceDateTime"))
    why = concept(resource.node("statusReason"))
    site, amount = concept(resource.node("site")), quantity(resource.node("doseQuantity"))
    lot, said = line(resource.text("lotNumber")), line(resource.text("occurrenceString"))
    about = details(
        f"reason: {why}" if why else "", f"when: {said}" if said else "", amount, f"site: {site}" if site else "",
        concept(resource.node("route")), _dose_number(resource), f"lot {lot}" if lot else "",
        "a subpotent dose" if resource.flag("isSubpotent") else "",
        "as reported, not seen by the recorder" if resource.flag("primarySource") is False else "",
    )  # fmt: skip
    did = "was not given" if status == "not-done" else "was given"
    return Rendered(
        (f"Vaccine {name} {did} {on(moment)}".rstrip() + about + ".", *notes(resource.nodes("note"))),
        "Immunization", name, (moment, when(resource.text("recorded"))), error_or_current(status),
        resource.node("encounter").text("reference"),
    )  # fmt: skip


def read_encounter(resource: Node) -> Rendered:
    """Render a visit or stay with its days, reasons and place.

    Raises:
        UnsupportedFormat: it was cancelled.
        CorruptSource: something that is shown is broken.
    """
    status = stated_status(resource, _VISITS)
    if status == "cancelled":
        raise UnsupportedFormat("the encounter was cancelled")
    code = resource.node("class")
    kind = _CLASSES.get(code.text("code"), line(code.text("display")) or "Encounter")
    period = resource.node("period")
    start, end = when(period.text("start")), when(period.text("end"))
    if start and end and start.date != end.date:
        days = f"from {start.date} to {end.date}"
    else:
        days = on(start or end) if end or status in ("finished", "completed") else f"from {start.date}" if start else ""
    went = concept(resource.node("hospitalization").node("dischargeDisposition"))
    about = details(
        {"planned": "planned", "onleave": "on leave"}.get(status, ""),
        concepts(resource.nodes("type")),
        _reasons(resource),
        f"discharged to: {went}" if went else "",
        line(resource.node("serviceProvider").text("display")),
    )
    people = [person.node("individual") for person in resource.nodes("participant")]
    return Rendered(
        (f"{kind} {days}".rstrip() + about + ".",), "Encounter", kind, (start, end), error_or_current(status),
        f"Encounter/{resource.text('id')}", displays(people),
    )  # fmt: skip


def read_patient(resource: Node) -> Rendered:
    """Render birth, sex and death; names, addresses and numbers stay in the source.

    Raises:
        EmptySource: none of them is there.
        CorruptSource: something that is shown is broken.
    """
    born, died = when(resource.text("birthDate")), when(resource.text("deceasedDateTime"))
    sex = line(resource.text("gender"))
    lines = [f"The patient was born {on(born)}."] if born else []
    lines += [f"Administrative sex: {sex}."] if sex and sex != "unknown" else []
    lines += [f"The patient died {on(died)}."] if died else []
    lines += ["The patient has died (no date is given)."] if resource.flag("deceasedBoolean") else []
    if not lines:
        raise EmptySource("the patient's birth, sex and death are not stated")
    return Rendered(tuple(lines), "Patient", "Patient", (died, born))


def person_of(resource: Node) -> Person | None:
    """Who a Patient resource says it is, for comparison; nothing where one of the fields is broken."""
    try:
        names = [n for n in resource.nodes("name") if n.text("use") in {"", "official", "usual"}][:1]
        words = [word for n in names for word in (n.text("text"), n.text("family"), *n.texts("given"))]
        return Person.of(resource.text("birthDate"), resource.text("gender"), *words)
    except CorruptSource:
        return None


def _span(resource: Node, name: str) -> tuple[When | None, When | None]:
    resource.choice(name)  # one time, in one type
    period = resource.node(f"{name}Period")
    start = when(resource.text(f"{name}DateTime")) or when(period.text("start"))
    return start, when(period.text("end"))


def _reasons(resource: Node) -> str:
    said = concepts(resource.nodes("reasonCode")) or ", ".join(
        filter(None, (concept_or_display(node) for node in resource.nodes("reasonReference")))
    )
    return f"reason: {said}" if said else ""


def _dose_number(resource: Node) -> str:
    for node in resource.nodes("protocolApplied"):
        number = node.number("doseNumberPositiveInt") or line(node.text("doseNumberString"))
        of = node.number("seriesDosesPositiveInt") or line(node.text("seriesDosesString"))
        if number:
            return f"dose {number}" + (f" of {of}" if of else "")
    return ""
