"""Composition: the narrative of its sections, each under its title."""

from __future__ import annotations

from collections.abc import Iterator

from chartcite.core.documents import Document, Provenance
from chartcite.core.errors import CorruptSource, EmptySource, ReadError
from chartcite.core.reading import Found, Problem
from chartcite.readers.fhir_access import Node, lenient
from chartcite.readers.fhir_fields import (
    Place,
    check_modifiers,
    displays,
    document_status,
    first_time,
    replaced,
    whose,
)
from chartcite.readers.fhir_one import read_one
from chartcite.readers.fhir_references import References
from chartcite.readers.fhir_values import concept, line
from chartcite.readers.html_text import html_to_text

_DEEPEST = 6


def read_composition(resource: Node, place: Place, references: References) -> Iterator[Found | Problem]:
    """Yield the document, and what is wrong with it."""
    return read_one(resource, place, lambda doc_id, asides: _found(resource, doc_id, place, references, asides))


def _found(resource: Node, doc_id: str, place: Place, references: References, asides: list[ReadError]) -> Found:
    check_modifiers(resource)
    parts = list(_sections(resource.nodes("section"), 1))
    if not any(body for _, body in parts):
        raise EmptySource("the composition has no narrative")
    text = "\n\n".join("\n".join(filter(None, part)) for part in parts if any(part)) + "\n"
    kind = lenient(asides, lambda: concept(resource.node("type")), "")
    encounter = lenient(asides, lambda: resource.node("encounter").text("reference"), "")
    document = Document(
        doc_id=doc_id,
        text=text,
        source=Provenance(place.name, place.sha256, "fhir; Composition"),
        note_type=kind,
        title=lenient(asides, lambda: line(resource.text("title")), "") or kind,
        time=first_time([resource.text("date")], asides),
        author=lenient(asides, lambda: displays(resource.nodes("author")), ""),
        lang=lenient(asides, lambda: resource.text("language"), ""),
        status=document_status(resource.text("status")),
        replaces=replaced(resource, references, "Composition"),
        encounter_id=references.identity(encounter, "Encounter"),
    )
    return Found(document, whose(resource, encounter, references))


def _sections(nodes: list[Node], depth: int) -> Iterator[tuple[str, str]]:
    """(header, narrative) of every section, outer ones first."""
    if depth > _DEEPEST:
        raise CorruptSource("its sections are nested too deeply")
    for node in nodes:
        title = line(node.text("title")) or concept(node.node("code"))
        narrative = node.node("text").text("div")
        body = html_to_text(narrative).strip() if narrative else ""
        empty = concept(node.node("emptyReason"))
        if not body and empty:
            body = f"This section is empty ({empty})."
        yield f"{'#' * depth} {title}" if title else "", body
        yield from _sections(node.nodes("section"), depth + 1)
