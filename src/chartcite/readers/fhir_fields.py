"""What FHIR's resources have in common: id, status, subject, encounter, author, times.

Fields on which safety depends refuse the resource when they are broken; those that only describe are left out with a
problem beside the document. Messages never carry content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chartcite.core.documents import Document, Status
from chartcite.core.errors import CorruptSource, EmptySource, ReadError, UnsupportedFormat
from chartcite.core.time import When
from chartcite.readers.fhir_access import Node
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


def is_skipped(error: ReadError) -> bool:
    """Whether it says that something is left out on purpose."""
    return isinstance(error, UnsupportedFormat | EmptySource)


def identity_of(resource: Node) -> str:
    """The resource's id; empty without one.

    Raises:
        CorruptSource: it is none.
    """
    identity = resource.text("id")
    if identity and not _ID.fullmatch(identity):
        raise CorruptSource("id is not a FHIR id")
    return identity


def code_of(text: str) -> str:
    """A code in its normal spelling."""
    return text.strip().lower().replace("_", "-")


def document_status(*written: str) -> Status:
    """The gravest of some status codes of documents and results.

    Raises:
        UnsupportedFormat: cancelled.
        CorruptSource: no such code.
    """
    found = set()
    for text in written:
        code = code_of(text)
        if code == "cancelled":
            raise UnsupportedFormat("the resource was cancelled before it said anything")
        if code not in _STATUSES:
            raise CorruptSource("status is not a code of FHIR R4")
        found.add(_STATUSES[code])
    return next((status for status in _GRAVEST_FIRST if status in found), "current")


def patient_of(subject: Node, references: References) -> str | None:
    """The id of the patient that a subject names; None where nothing is named.

    Raises:
        CorruptSource: somebody is named, but who that is cannot be known here; nobody is guessed.
    """
    reference = subject.text("reference")
    if not reference and not subject.node("identifier"):
        return None
    found = references.identity(reference, "Patient")
    if not found:
        raise CorruptSource(
            f"its {subject.path} cannot be resolved to a patient",
            "export it with references to Patient resources of its own server (Patient/ID)",
        )
    return found


def whose(resource: Node, encounter: str, references: References) -> str | None:
    """The id of the patient that a resource is about, borne out by its encounter; None where nobody is named.

    Raises:
        CorruptSource: it cannot be known; or the encounter that is named is another patient's.
    """
    patient = patient_of(resource.node("subject") or resource.node("patient"), references)
    if patient and references.is_of_another(encounter, patient):
        raise CorruptSource("its patient and the patient of its encounter are two", "see in the source whose it is")
    return patient


def replaced(resource: Node, references: References, kind: str) -> tuple[str, ...]:
    """The doc_ids of what it replaces."""
    targets = (
        relation.node("target").text("reference") or relation.node("targetReference").text("reference")
        for relation in resource.nodes("relatesTo")
        if relation.text("code") == "replaces"
    )
    ids = (references.identity(target, kind) for target in targets)
    return tuple(f"{kind}/{identity}" for identity in ids if identity)


def displays(people: list[Node]) -> str:
    """The names that references show."""
    return "; ".join(display for person in people if (display := person.text("display").strip()))


def first_reference(nodes: list[Node]) -> str:
    """Where the first of some references points."""
    return nodes[0].text("reference") if nodes else ""


def first_time(candidates: Iterable[str], asides: list[ReadError]) -> When | None:
    """The first that is a date, as precise as it is written."""
    for text in filter(None, candidates):
        try:
            return When.parse(text)
        except ValueError:
            asides.append(CorruptSource("a date was not understood and was left out"))
    return None


def check_modifiers(resource: Node) -> None:
    """An extension that may turn the meaning, in the resource or in any part of it, is never passed over.

    Raises:
        UnsupportedFormat: there is one.
    """
    waiting: list[object] = [resource.value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            if value.get("modifierExtension"):
                raise UnsupportedFormat("it has extensions that may turn its meaning, which are not understood")
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def check_characters(document: Document) -> None:
    """JSON can escape half a character; no store could hold it."""
    try:
        for text in (document.text, document.title, document.note_type, document.author, document.lang):
            text.encode()
    except UnicodeEncodeError as error:
        raise CorruptSource("the text escapes half a character (a lone surrogate)") from error
