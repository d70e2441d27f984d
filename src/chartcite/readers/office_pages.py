"""What an office file holds, whatever wrote it, and the document that it makes."""

from __future__ import annotations

from dataclasses import dataclass

from chartcite.core.documents import Document, Provenance, Span
from chartcite.core.errors import ReadError
from chartcite.readers.naming import parse_file_name


@dataclass(frozen=True, slots=True)
class OfficePages:
    """Text, rows of tables, what the file says of itself, and what is wrong with it or left out."""

    text: str
    units: tuple[Span, ...]
    title: str
    author: str
    created: str
    problems: tuple[ReadError, ...]


def office_document(made: OfficePages, name: str, sha256: str, kind: str) -> Document:
    """The document of a file called `name`. The day in the file is shown with its format and is not the note's time."""
    named = parse_file_name(name)
    return Document(
        doc_id=name,
        text=made.text,
        source=Provenance(name, sha256, f"{kind}{made.created and f'; created={made.created}'}"),
        title=made.title or named.note_type or named.stem,
        note_type=named.note_type,
        time=named.time,
        author=made.author,
        units=made.units,
    )
