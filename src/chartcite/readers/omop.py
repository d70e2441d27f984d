"""The NOTE table of the OMOP Common Data Model (5.x) as CSV or TSV, recognised by its header, streamed.

A date is `note_datetime` where it has a clock, else `note_date`: midnight is how the model writes "no time known".
Concept ids are not looked up, but for the ten note types that the standard vocabulary has long had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from chartcite.core.documents import Provenance
from chartcite.core.errors import CorruptSource
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.core.time import When
from chartcite.readers.csv_table import Row, charset_of, split_header, table_rows
from chartcite.readers.records import read_record

_NEEDED = frozenset(("note_id", "person_id", "note_text"))
_NOTE_TYPES = {
    "44814637": "Discharge summary",
    "44814638": "Admission note",
    "44814639": "Inpatient note",
    "44814640": "Outpatient note",
    "44814641": "Radiology report",
    "44814642": "Pathology report",
    "44814643": "Ancillary report",
    "44814644": "Nursing report",
    "44814645": "Note",
    "44814646": "Emergency department note",
}
_NULLS = frozenset(("\\N", "NULL", "null"))
"""How two databases export a field that is empty."""
_LANGUAGES = {"4180186": "en"}


class OmopReader:
    """One document a row of NOTE; `note_id` is its id, `person_id` its patient."""

    name = "omop"
    hostile = False

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """Whether the first line has the columns of NOTE, in any case and order."""
        line = head.partition(b"\n")[0].decode("latin-1").removeprefix("\xef\xbb\xbf")
        return {column.lower() for column in split_header(line)[0]} >= _NEEDED

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield documents and problems row by row; there is no column map, the table is what it is."""
        charset = charset_of(path, options.encoding)
        source = Provenance(name, sha256, f"omop; charset={charset.name}")
        for row in table_rows(path, charset):
            where = f"{name}#{row.number}"
            if row.cells is None:
                yield Problem(where, row.error or CorruptSource("the row is broken"))
                continue
            cells = _cells(row)
            yield from read_record(_record(cells), where, source)
            if _days_differ(cells):
                error = CorruptSource(
                    "note_date and note_datetime name two days; the document has no time",
                    "leave the wrong one of the two empty",
                )
                yield Problem(where, error)


def _cells(row: Row) -> dict[str, str]:
    """Cells by column in lower case; stripped, but for the text."""
    found = {column.lower(): cell for column, cell in (row.cells or {}).items()}
    bare = {column: cell.strip() for column, cell in found.items()}
    bare["note_text"] = found["note_text"]
    return {column: "" if cell in _NULLS else cell for column, cell in bare.items()}


def _record(cells: Mapping[str, str]) -> dict[str, object]:
    kind = _NOTE_TYPES.get(cells.get("note_type_concept_id", ""), "")
    title = cells.get("note_title", "")
    return {
        "doc_id": cells["note_id"],
        "patient_id": cells["person_id"],
        "encounter_id": cells.get("visit_occurrence_id", ""),
        "time": "" if _days_differ(cells) else _time(cells),
        "note_type": kind if kind not in {"", "Note"} else title or cells.get("note_source_value", "") or kind,
        "title": title,
        "lang": _LANGUAGES.get(cells.get("language_concept_id", ""), ""),
        "text": cells["note_text"],
    }


def _time(cells: Mapping[str, str]) -> str:
    """What the row says of its time, as it says it; a clock at midnight is none."""
    whole, day = cells.get("note_datetime", ""), cells.get("note_date", "")
    clock = whole[10:].strip("T .0:")  # nothing is left of 00:00:00.000
    return whole if clock else day or whole[:10]


def _days_differ(cells: Mapping[str, str]) -> bool:
    whole, day = _day(cells.get("note_datetime", "")), _day(cells.get("note_date", ""))
    return bool(whole and day and whole != day)


def _day(text: str) -> str:
    try:
        return When.parse(text).date
    except ValueError:
        return ""


READER = OmopReader()
