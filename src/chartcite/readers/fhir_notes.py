"""One DocumentReference or DiagnosticReport to a document.

Fields on which safety depends (id, status, subject, content, what it replaces) refuse the resource when they are of
the wrong type; fields that only describe are left out, with a problem beside the document. Messages never carry
content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chartcite.core.documents import Document, Provenance, Status
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.reading import Found, Problem
from chartcite.core.time import When
from chartcite.readers.fhir_access import Node, lenient
from chartcite.readers.fhir_attachments import AttachedText, best_text
from chartcite.readers.fhir_references import References

_ID = re.compile(r"[\w.~:-]{1,128}", re.ASCII)
# R4's codes and the few R5 added; a code in neither list refuses the resource rather than guessing.
_STATUSES: dict[str, Status] = {
    "": "current", "current": "current", "final": "current", "unknown": "current",
    "registered": "preliminary", "partial": "preliminary", "preliminary": "preliminary",
    "amended": "amended", "corrected": "amended", "appended": "amended",
    "superseded": "superseded", "deprecated": "superseded",
    "entered-in-error": "entered-in-error",
}  # fmt: skip
_GRAVEST_FIRST: tuple[Status, ...] = ("entered-in-error", "superseded", "preliminary", "amended")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a resource was found: the source's name and, for one without an id, its number in it."""

    name: str
    number: int
    sha256: str


def read_note(resource: Node, place: Place, references: References) -> Iterator[Found | Problem]:
    """Yield the resource's document and what is wrong with it."""
    where = f"{place.name}#{place.number}"
    asides: list[ReadError] = []
    try:
        kind, identity = resource.text("resourceType"), _identity(resource)
        doc_id = f"{kind}/{identity}" if identity else where
        where = f"{place.name}#{doc_id}" if identity else where
        found = _found(resource, doc_id, place, references, asides)
        _check_characters(found)
    except ReadError as error:
        yield Problem(where, error, skipped=_is_skipped(error))
        return
    yield found
    yield from (Problem(where, error, skipped=_is_skipped(error)) for error in asides)


def _is_skipped(error: ReadError) -> bool:
    return isinstance(error, UnsupportedFormat | EmptySource)


def _identity(resource: Node) -> str:
    identity = resource.text("id")
    if identity and not _ID.fullmatch(identity):
        raise CorruptSource("id is not a FHIR id")
    return identity


def _found(resource: Node, doc_id: str, place: Place, references: References, asides: list[ReadError]) -> Found:
    report = resource.value["resourceType"] == "DiagnosticReport"
    status = _status(resource.text("status"), "" if report else resource.text("docStatus"))
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
        time=_first_time([*described.times, started], asides),
        author=described.author,
        lang=lenient(asides, lambda: resource.text("language"), ""),
        status=status,
        replaces=_replaces(resource, references),
        encounter_id=encounter_id,
    )
    return Found(document, references.identity(resource.node("subject").text("reference"), "Patient") or None)


@dataclass(frozen=True, slots=True)
class _Described:
    encounter: str
    times: tuple[str, ...]  # in order of preference
    note_type: str
    author: str


def _describe_reference(resource: Node, asides: list[ReadError]) -> _Described:
    context = lenient(asides, lambda: resource.node("context"), Node())
    return _Described(
        encounter=lenient(asides, lambda: _first_reference(context.nodes("encounter")), ""),
        times=(
            lenient(asides, lambda: resource.text("date"), ""),
            lenient(asides, lambda: context.node("period").text("start"), ""),
        ),
        note_type=lenient(asides, lambda: _concept(resource.node("type")), ""),
        author=lenient(asides, lambda: _displays(resource.nodes("author")), ""),
    )


def _describe_report(resource: Node, asides: list[ReadError]) -> _Described:
    return _Described(
        encounter=lenient(asides, lambda: resource.node("encounter").text("reference"), ""),
        times=(
            lenient(asides, lambda: resource.text("effectiveDateTime"), ""),
            lenient(asides, lambda: resource.node("effectivePeriod").text("start"), ""),
            lenient(asides, lambda: resource.text("issued"), ""),
        ),
        note_type=lenient(asides, lambda: _concept(resource.node("code")), ""),
        author=lenient(asides, lambda: _displays(resource.nodes("resultsInterpreter")), "")
        or lenient(asides, lambda: _displays(resource.nodes("performer")), ""),
    )


def _reference_text(resource: Node, references: References, asides: list[ReadError]) -> AttachedText:  # noqa: ARG001
    attachments = [content.node("attachment") for content in resource.nodes("content")]
    return best_text(attachments, lambda url: references.binary(url, resource))


def _report_text(resource: Node, references: References, asides: list[ReadError]) -> AttachedText:
    """The presented form; the conclusion, which it repeats, only in its stead."""
    forms, conclusion = resource.nodes("presentedForm"), resource.text("conclusion")
    try:
        return best_text(forms, lambda url: references.binary(url, resource))
    except ReadError as error:
        if not conclusion.strip():
            raise error if forms else EmptySource("the report has no text") from error
        if forms:
            asides.append(error)
    return AttachedText(conclusion, "conclusion")


def _status(*codes: str) -> Status:
    found = set()
    for code in codes:
        normal = code.strip().lower().replace("_", "-")
        if normal == "cancelled":
            raise UnsupportedFormat("the resource was cancelled before it said anything")
        if normal not in _STATUSES:
            raise CorruptSource("status is not a code of FHIR R4")
        found.add(_STATUSES[normal])
    return next((status for status in _GRAVEST_FIRST if status in found), "current")


def _replaces(resource: Node, references: References) -> tuple[str, ...]:
    targets = (
        relation.node("target").text("reference")
        for relation in resource.nodes("relatesTo")
        if relation.text("code") == "replaces"
    )
    ids = (references.identity(target, "DocumentReference") for target in targets)
    return tuple(f"DocumentReference/{identity}" for identity in ids if identity)


def _concept(concept: Node) -> str:
    displays = (coding.text("display") for coding in concept.nodes("coding"))
    return concept.text("text") or next((display for display in displays if display), "")


def _displays(people: list[Node]) -> str:
    return "; ".join(display for person in people if (display := person.text("display").strip()))


def _first_reference(nodes: list[Node]) -> str:
    return nodes[0].text("reference") if nodes else ""


def _first_time(candidates: list[str], asides: list[ReadError]) -> When | None:
    """The first that is a date, as precise as it is written."""
    for text in filter(None, candidates):
        try:
            return When.parse(text)
        except ValueError:
            asides.append(CorruptSource("a date was not understood and was left out"))
    return None


def _check_characters(found: Found) -> None:
    """JSON can escape half a character; no store could hold it."""
    document = found.document
    try:
        for text in (document.text, document.note_type, document.author, document.lang):
            text.encode()
    except UnicodeEncodeError as error:
        raise CorruptSource("the text escapes half a character (a lone surrogate)") from error
