"""One DocumentReference or DiagnosticReport to a document.

Fields on which safety depends (id, status, subject, content, what it replaces) refuse the resource when they are of
the wrong type; fields that only describe are left out, with a problem beside the document. Messages never carry
content.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import EmptySource, ReadError
from chartcite.core.reading import Found, Problem
from chartcite.readers.embedded import Body
from chartcite.readers.fhir_access import Node, lenient
from chartcite.readers.fhir_attachments import best_text
from chartcite.readers.fhir_fields import (
    Place,
    check_modifiers,
    displays,
    document_status,
    first_reference,
    first_time,
    replaced,
    whose,
)
from chartcite.readers.fhir_one import read_one
from chartcite.readers.fhir_references import References
from chartcite.readers.fhir_values import concept


def read_note(resource: Node, place: Place, references: References) -> Iterator[Found | Problem]:
    """Yield the resource's document and what is wrong with it."""
    return read_one(resource, place, lambda doc_id, asides: _found(resource, doc_id, place, references, asides))


def _found(resource: Node, doc_id: str, place: Place, references: References, asides: list[ReadError]) -> Found:
    check_modifiers(resource)
    report = resource.value["resourceType"] == "DiagnosticReport"
    status = document_status(resource.text("status"), "" if report else resource.text("docStatus"))
    attached = (_report_text if report else _reference_text)(resource, references, asides)
    described = (_describe_report if report else _describe_reference)(resource, asides)
    encounter_id = references.identity(described.encounter, "Encounter")
    started = references.encounter_starts.get(encounter_id, "")
    document = Document(
        doc_id=doc_id,
        text=attached.text,
        source=Provenance(place.name, place.sha256, f"fhir; {attached.format}"),
        note_type=described.note_type,
        title=described.note_type,
        time=first_time([*described.times, started], asides),
        author=described.author,
        lang=lenient(asides, lambda: resource.text("language"), ""),
        status=status,
        replaces=replaced(resource, references, "DocumentReference"),
        encounter_id=encounter_id,
        pages=attached.pages,
        hidden=attached.hidden,
        words=attached.words,
        running=attached.running,
        units=attached.units,
    )
    asides += attached.problems
    return Found(document, whose(resource, described.encounter, references))


@dataclass(frozen=True, slots=True)
class _Described:
    encounter: str
    times: tuple[str, ...]  # in order of preference
    note_type: str
    author: str


def _describe_reference(resource: Node, asides: list[ReadError]) -> _Described:
    context = lenient(asides, lambda: resource.node("context"), Node())
    return _Described(
        encounter=lenient(asides, lambda: first_reference(context.nodes("encounter")), ""),
        times=(
            lenient(asides, lambda: resource.text("date"), ""),
            lenient(asides, lambda: context.node("period").text("start"), ""),
        ),
        note_type=lenient(asides, lambda: concept(resource.node("type")), ""),
        author=lenient(asides, lambda: displays(resource.nodes("author")), ""),
    )


def _describe_report(resource: Node, asides: list[ReadError]) -> _Described:
    return _Described(
        encounter=lenient(asides, lambda: resource.node("encounter").text("reference"), ""),
        times=(
            lenient(asides, lambda: resource.text("effectiveDateTime"), ""),
            lenient(asides, lambda: resource.node("effectivePeriod").text("start"), ""),
            lenient(asides, lambda: resource.text("issued"), ""),
        ),
        note_type=lenient(asides, lambda: concept(resource.node("code")), ""),
        author=lenient(asides, lambda: displays(resource.nodes("resultsInterpreter")), "")
        or lenient(asides, lambda: displays(resource.nodes("performer")), ""),
    )


def _reference_text(resource: Node, references: References, asides: list[ReadError]) -> Body:  # noqa: ARG001
    attachments = [content.node("attachment") for content in resource.nodes("content")]
    return best_text(attachments, lambda url: references.binary(url, resource), references.read_pages)


def _report_text(resource: Node, references: References, asides: list[ReadError]) -> Body:
    """The presented form; the conclusion, which it repeats, only in its stead."""
    forms, conclusion = resource.nodes("presentedForm"), resource.text("conclusion")
    try:
        return best_text(forms, lambda url: references.binary(url, resource), references.read_pages)
    except ReadError as error:
        if not conclusion.strip():
            raise error if forms else EmptySource("the report has no text") from error
        if forms:
            asides.append(error)
    return Body(conclusion, "conclusion")
