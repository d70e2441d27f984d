"""A structured resource in short dated sentences, before it becomes a document."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chartcite.core.documents import Status
from chartcite.core.errors import CorruptSource, EmptySource
from chartcite.core.time import When
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_fields import code_of
from chartcite.readers.fhir_values import concept


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a resource says.

    Attributes:
        lines: its sentences, each a unit of citation.
        title: what it is about.
        times: by preference; the first known one is the document's.
        encounter: a reference, or empty.
    """

    lines: tuple[str, ...]
    note_type: str
    title: str
    times: tuple[When | None, ...]
    status: Status = "current"
    encounter: str = ""
    author: str = ""


_TAG = re.compile(r" \((?:disorder|procedure|finding|situation|event|regime/therapy|substance|product)\)\Z")
"""What SNOMED CT puts behind a name to say of which kind it is."""


def name_of(node: Node, what: str) -> str:
    """What a concept is called, without the tag of its terminology.

    Raises:
        EmptySource: it has no name.
    """
    name = _TAG.sub("", concept(node).rstrip(" ."))
    if not name:
        raise EmptySource(f"{what} has no name")
    return name


def stated_status(resource: Node, known: frozenset[str]) -> str:
    """The status code of a resource that means nothing without one.

    Raises:
        CorruptSource: it is missing, or none of those known.
    """
    code = code_of(resource.text("status"))
    if code not in known:
        raise CorruptSource("status is not a code of FHIR R4" if code else "status is missing")
    return code


def error_or_current(code: str) -> Status:
    """The document's status for a resource whose own words say what its other statuses mean."""
    return "entered-in-error" if code == "entered-in-error" else "current"


def capital(text: str) -> str:
    """The first letter as at the start of a sentence, unless the word has capitals inside: `pH`, `mRNA`."""
    first = text.split(" ", 1)[0]
    return text if not first[1:].islower() else text[:1].upper() + text[1:]
