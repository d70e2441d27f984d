"""A row of named fields to a document: what JSON Lines, CSV and MIMIC have in common.

Fields are `doc_id, patient_id, time, note_type, text` and, optionally, `encounter_id, author, lang, title, status`;
of literature also `authors, year, doi, pmid, url`.
A row that cannot be used is a `Problem`; a field that only describes is dropped with a `Problem` beside the document.
Messages name fields, never their content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast, get_args

from chartcite.core.documents import Bibliography, Document, Provenance, Status
from chartcite.core.errors import ChartciteError, CorruptSource, EmptySource
from chartcite.core.reading import Found, Problem
from chartcite.core.time import When
from chartcite.readers import bibliography
from chartcite.readers.json_lines import type_name

DESCRIPTIVE = ("note_type", "author", "lang", "title")
FIELDS = ("doc_id", "patient_id", "time", "text", "encounter_id", "status", *DESCRIPTIVE, *bibliography.FIELDS)

_STATUSES: frozenset[str] = frozenset(get_args(Status))


def rename(row: Mapping[str, object], columns: Mapping[str, str]) -> dict[str, object]:
    """The row under our field names; absent fields are left out."""
    names = {field: columns.get(field, field) for field in FIELDS}
    return {field: row[theirs] for field, theirs in names.items() if row.get(theirs) is not None}


def read_record(row: Mapping[str, object], where: str, source: Provenance) -> Iterator[Found | Problem]:
    """Yield the document of a row under our field names, and what is wrong with the row.

    `where` is `<name>#<number>`: the ledger's place of the row, and its doc_id when it has none.
    """
    asides: list[ChartciteError] = []
    literature, left_out = bibliography.read_bibliography(row)
    try:
        found = _found(row, where, source, literature, asides)
    except ChartciteError as error:
        yield Problem(where, error, skipped=isinstance(error, EmptySource))
        return
    yield found
    yield from (Problem(where, error) for error in asides)
    yield from (Problem(where, error, skipped=True) for error in left_out)  # the document says all it can say


def _found(
    row: Mapping[str, object], where: str, source: Provenance, literature: Bibliography, asides: list[ChartciteError]
) -> Found:
    describes = {field: _descriptive(row, field, asides) for field in DESCRIPTIVE}
    document = Document(
        doc_id=_identifier(row, "doc_id") or where,
        text=_text(row),
        source=source,
        time=_time(row, asides),
        encounter_id=_identifier(row, "encounter_id"),
        status=_status(row),
        title=describes["title"] or describes["note_type"],
        note_type=describes["note_type"],
        author=describes["author"],
        lang=describes["lang"],
        bibliography=literature,
    )
    return Found(document, _identifier(row, "patient_id") or None)


def _text(row: Mapping[str, object]) -> str:
    text = row.get("text")
    if text is None:
        raise CorruptSource("the record has no text field", "name the column that holds the text")
    if not isinstance(text, str):
        raise CorruptSource(f"the text field is {type_name(text)}; a string is expected")
    if not text.strip():
        raise EmptySource("the text field is empty")
    return text


def _identifier(row: Mapping[str, object], field: str) -> str:
    value = row.get(field)
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a spreadsheet's way with ids
    if isinstance(value, bool) or not isinstance(value, str | int | None):
        raise CorruptSource(f"the {field} field is {type_name(value)}; a string is expected")
    return "" if value is None else str(value).strip()


def _descriptive(row: Mapping[str, object], field: str, asides: list[ChartciteError]) -> str:
    value = row.get(field)
    if isinstance(value, str | int | float | None) and not isinstance(value, bool):
        return "" if value is None else str(value).strip()
    asides.append(CorruptSource(f"the {field} field is {type_name(value)} and was left out"))
    return ""


def _time(row: Mapping[str, object], asides: list[ChartciteError]) -> When | None:
    value = row.get("time")
    if value is None or value == "":
        return None
    if isinstance(value, str | int) and not isinstance(value, bool):
        try:
            return When.parse(str(value))
        except ValueError:
            pass
    asides.append(
        CorruptSource(
            "the time was not understood; the document has none", "write it as 2019-03-02 or 2019-03-02T08:15"
        )
    )
    return None


def _status(row: Mapping[str, object]) -> Status:
    """Refuses what it does not know: a misspelt `entered-in-error` must not become evidence."""
    value = row.get("status")
    if value is None or value == "":
        return "current"
    status = "-".join(value.lower().replace("_", " ").split()) if isinstance(value, str) else ""
    if status == "final":
        return "current"
    if status not in _STATUSES:
        raise CorruptSource("the status is not one of the known ones", "use " + ", ".join(sorted(_STATUSES)))
    return cast(Status, status)
