"""MedicationRequest, MedicationStatement and MedicationAdministration: drug, dose and what was done on which day.

An order says when it was written, not when its status came: `stopped` has no day of its own, and gets none.
"""

from __future__ import annotations

from chartcite.core.errors import CorruptSource, EmptySource, UnsupportedFormat
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_dosage import dosage, dosages
from chartcite.readers.fhir_fields import code_of
from chartcite.readers.fhir_references import References
from chartcite.readers.fhir_rendered import Rendered, capital, error_or_current, name_of, stated_status
from chartcite.readers.fhir_values import concept, concepts, details, line, notes, on, when

_ORDERS = {
    "active": "", "on-hold": "the order is on hold", "completed": "the order is completed",
    "stopped": "the order is not active any more", "ended": "the order is completed",
    "unknown": "it is not known whether the order is active", "entered-in-error": "", "draft": "", "cancelled": "",
}  # fmt: skip
_TAKEN = frozenset((
    "active", "completed", "entered-in-error", "intended", "stopped", "on-hold", "unknown", "not-taken", "recorded",
))  # fmt: skip
_STATES = {
    "on-hold": "on hold", "unknown": "it is not known whether it is taken", "stopped": "over",
    "completed": "over",
}  # fmt: skip
_GIVEN = frozenset((
    "in-progress", "not-done", "on-hold", "completed", "entered-in-error", "stopped", "unknown",
))  # fmt: skip
_PROPOSALS = frozenset(("proposal", "plan", "option"))


def read_request(resource: Node, references: References) -> Rendered:
    """Render an order.

    Raises:
        UnsupportedFormat: it was cancelled before anything was given, or its drug is elsewhere.
        CorruptSource: something that is shown is broken.
    """
    status = stated_status(resource, frozenset(_ORDERS))
    if status == "cancelled":
        raise UnsupportedFormat("the order was cancelled before anything was given")
    drug, written = _drug(resource, references), when(resource.text("authoredOn"))
    how = dosages(resource.nodes("dosageInstruction"))
    is_proposal = status == "draft" or code_of(resource.text("intent")) in _PROPOSALS
    said = f"{capital(drug)}: {how}" if how else capital(drug)
    about = (_ORDERS[status], _reasons(resource))
    if resource.flag("doNotPerform"):
        sentence = f"Do not give {drug} {on(written)}".rstrip() + details("an order not to give it", *about)
    else:
        sentence = f"{said}, was {'proposed' if is_proposal else 'ordered'} {on(written)}".rstrip() + details(*about)
    return Rendered(
        (sentence + ".", *notes(resource.nodes("note"))), "Medication order", drug, (written,),
        error_or_current(status), resource.node("encounter").text("reference"),
        line(resource.node("requester").text("display")),
    )  # fmt: skip


def read_statement(resource: Node, references: References) -> Rendered:
    """Render what somebody says is taken; the end of it is a sentence of its own.

    Raises:
        UnsupportedFormat: its drug is elsewhere.
        CorruptSource: something that is shown is broken.
    """
    status = stated_status(resource, _TAKEN)
    drug, how = _drug(resource, references), dosages(resource.nodes("dosage"))
    period = resource.node("effectivePeriod")
    start, end = when(resource.text("effectiveDateTime")) or when(period.text("start")), when(period.text("end"))
    stated = when(resource.text("dateAsserted"))
    if start and end and end.date < start.date[: len(end.date)]:
        raise CorruptSource("it ends before it begins")
    said = f"{capital(drug)}: {how}" if how else capital(drug)
    reasons = _reasons(resource)
    why = concepts(resource.nodes("statusReason"))
    about = (f"reason: {why}" if why else "", reasons)
    if status == "not-taken":
        lines = [f"{capital(drug)} is not taken {on(start or stated)}".rstrip() + details(*about) + "."]
    elif status == "intended":
        lines = [f"{said}, is planned {on(start or stated)}".rstrip() + details(*about) + "."]
    else:
        state = _STATES.get(status, "")
        taken = f"taken from {start.date}" if start else f"taken {on(stated)}".rstrip()
        lines = [f"{said}, {taken}{details(state, *about)}."]
        lines += [f"{capital(drug)} was stopped {on(end)} (end of the stated period)."] if end else []
    return Rendered(
        (*lines, *notes(resource.nodes("note"))), "Medication statement", drug, (stated, end, start),
        error_or_current(status), resource.node("context").text("reference"),
        line(resource.node("informationSource").text("display")),
    )  # fmt: skip


def read_administration(resource: Node, references: References) -> Rendered:
    """Render what was given.

    Raises:
        UnsupportedFormat: its drug is elsewhere.
        CorruptSource: something that is shown is broken.
    """
    status = stated_status(resource, _GIVEN)
    drug, how = _drug(resource, references), dosage(resource.node("dosage"))
    period = resource.node("effectivePeriod")
    start = when(resource.text("effectiveDateTime")) or when(period.text("start"))
    end = when(period.text("end"))
    why = concepts(resource.nodes("statusReason"))
    about = details(
        f"ended {on(end, clock=True)}" if end and start and end != start else "",
        {"in-progress": "under way", "on-hold": "interrupted", "stopped": "broken off before its end",
         "unknown": "it is not known whether all of it was given"}.get(status, ""),
        f"reason: {why}" if why else "",
        _reasons(resource),
    )  # fmt: skip
    moment = on(start or end, clock=True)
    if status == "not-done":
        sentence = f"{capital(drug)} was not given {moment}".rstrip()
    else:
        sentence = f"{capital(drug)}{' ' if how else ''}{how} was given {moment}".rstrip()
    return Rendered(
        (f"{sentence}{about}.", *notes(resource.nodes("note"))), "Medication given", drug, (start, end),
        error_or_current(status), resource.node("context").text("reference"),
    )  # fmt: skip


def _drug(resource: Node, references: References) -> str:
    key = resource.choice("medication")
    if not key:
        raise EmptySource("the resource names no medication")
    if key == "medicationReference":
        return references.medication(resource.node(key), resource).rstrip(" .")
    return name_of(resource.node(key), "the medication")


def _reasons(resource: Node) -> str:
    said = concepts(resource.nodes("reasonCode")) or ", ".join(
        filter(None, (concept_or_display(node) for node in resource.nodes("reasonReference")))
    )
    return f"for {said}" if said else ""


def concept_or_display(node: Node) -> str:
    """What a reference shows, or a concept."""
    return line(node.text("display")) or concept(node)
