"""One resource to one document, with its problems beside it, named after the resource."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chartcite.core.errors import ReadError
from chartcite.core.reading import Found, Problem
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_fields import Place, check_characters, identity_of, is_skipped

Make = Callable[[str, list[ReadError]], Found]
"""From the document's id; what is only left out of it goes into the list."""


def read_one(resource: Node, place: Place, make: Make) -> Iterator[Found | Problem]:
    """Yield the resource's document and what is wrong with it."""
    where = f"{place.name}#{place.number}"
    asides: list[ReadError] = []
    try:
        kind, identity = resource.text("resourceType"), identity_of(resource)
        doc_id = f"{kind}/{identity}" if identity else where
        where = f"{place.name}#{doc_id}" if identity else where
        found = make(doc_id, asides)
        check_characters(found.document)
    except ReadError as error:
        yield Problem(where, error, skipped=is_skipped(error))
        return
    yield found
    yield from (Problem(where, error, skipped=is_skipped(error)) for error in asides)
