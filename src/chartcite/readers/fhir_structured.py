"""Structured resources to documents: one a resource, its sentences the units of citation, its id `Type/id`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from chartcite.core.documents import Document, Provenance, Span
from chartcite.core.errors import CorruptSource
from chartcite.core.reading import Found, Problem
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_events import person_of, read_encounter, read_immunization, read_patient, read_procedure
from chartcite.readers.fhir_fields import (
    Place,
    check_modifiers,
    identity_of,
    whose,
)
from chartcite.readers.fhir_medication import read_administration, read_request, read_statement
from chartcite.readers.fhir_observation import read_observation
from chartcite.readers.fhir_one import read_one
from chartcite.readers.fhir_problems import read_allergy, read_condition
from chartcite.readers.fhir_references import References
from chartcite.readers.fhir_rendered import Rendered

_Render = Callable[[Node, References], Rendered]


def _alone(render: Callable[[Node], Rendered]) -> _Render:
    return lambda resource, _: render(resource)


_RENDER: Mapping[str, _Render] = {
    "Observation": _alone(read_observation),
    "MedicationRequest": read_request,
    "MedicationStatement": read_statement,
    "MedicationAdministration": read_administration,
    "Condition": _alone(read_condition),
    "AllergyIntolerance": _alone(read_allergy),
    "Procedure": _alone(read_procedure),
    "Immunization": _alone(read_immunization),
    "Encounter": _alone(read_encounter),
    "Patient": _alone(read_patient),
}
STRUCTURED = frozenset(_RENDER)


def read_structured(resource: Node, place: Place, references: References) -> Iterator[Found | Problem]:
    """Yield the resource's document, or what is wrong with it: nothing is shown by halves."""
    return read_one(resource, place, lambda doc_id, _: _found(resource, doc_id, place, references))


def _found(resource: Node, doc_id: str, place: Place, references: References) -> Found:
    kind = resource.text("resourceType")
    check_modifiers(resource)
    said = _RENDER[kind](resource, references)
    text = "\n".join(said.lines) + "\n"
    if kind == "Patient":
        patient: str | None = identity_of(resource) or None
        if patient and not references.identity(f"Patient/{patient}", "Patient"):
            raise CorruptSource("two servers of the source have a patient of this id", "export them apart")
    else:
        patient = whose(resource, said.encounter, references)
    document = Document(
        doc_id=doc_id,
        text=text,
        source=Provenance(place.name, place.sha256, f"fhir; {kind}"),
        note_type=said.note_type,
        title=said.title,
        time=next(filter(None, said.times), None),
        author=said.author,
        lang=resource.text("language"),
        status=said.status,
        encounter_id=references.identity(said.encounter, "Encounter"),
        units=_units(said.lines),
    )
    return Found(document, patient, person_of(resource) if kind == "Patient" else None)


def _units(lines: tuple[str, ...]) -> tuple[Span, ...]:
    units, at = [], 0
    for said in lines:
        units.append(Span(at, at + len(said)))
        at += len(said) + 1
    return tuple(units)
