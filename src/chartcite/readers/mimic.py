"""MIMIC-IV-Note (`discharge`, `radiology`) and MIMIC-III `NOTEEVENTS`, recognised by their header, streamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from chartcite.core.documents import Provenance
from chartcite.core.errors import CorruptSource
from chartcite.core.reading import Found, Problem, ReadOptions
from chartcite.readers.csv_table import Row, charset_of, split_header, table_rows
from chartcite.readers.records import read_record

_IV = frozenset(("note_id", "subject_id", "note_type", "charttime", "text"))
_III = frozenset(("row_id", "subject_id", "chartdate", "category", "text"))
_NOTE_TYPES = {
    "DS": "Discharge summary",
    "AD": "Discharge summary addendum",
    "RR": "Radiology report",
    "AR": "Radiology report addendum",
}


class MimicReader:
    """Notes of either release; what MIMIC-III marks as an error has the status `entered-in-error`."""

    name = "mimic"
    hostile = False

    def accepts(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 - the port's signature
        """Whether the first line has the columns of one of the tables."""
        line = head.partition(b"\n")[0].decode("latin-1").removeprefix("\xef\xbb\xbf")
        columns = {column.lower() for column in split_header(line)[0]}
        return columns >= _IV or columns >= _III

    def read(self, path: Path, name: str, sha256: str, options: ReadOptions) -> Iterator[Found | Problem]:
        """Yield documents and problems row by row; there is no column map, the tables are what they are."""
        charset = charset_of(path, options.encoding)
        source = Provenance(name, sha256, f"mimic; charset={charset.name}")
        for row in table_rows(path, charset):
            where = f"{name}#{row.number}"
            if row.cells is None:
                yield Problem(where, row.error or CorruptSource("the row is broken"))
            else:
                yield from read_record(_record(row), where, source)


def _record(row: Row) -> dict[str, object]:
    cells = {column.lower(): cell for column, cell in (row.cells or {}).items()}
    fields = _mimic_iv(cells) if "note_id" in cells else _mimic_iii(cells)
    shared = {"patient_id": cells["subject_id"], "encounter_id": cells.get("hadm_id", ""), "text": cells["text"]}
    return fields | shared


def _mimic_iv(cells: Mapping[str, str]) -> dict[str, object]:
    note_type = cells["note_type"].strip()
    return {
        "doc_id": cells["note_id"],
        "time": cells["charttime"],
        "note_type": _NOTE_TYPES.get(note_type, note_type),
    }


def _mimic_iii(cells: Mapping[str, str]) -> dict[str, object]:
    category, description = cells["category"].strip(), cells.get("description", "").strip()
    return {
        "doc_id": cells["row_id"],
        "time": cells.get("charttime") or cells["chartdate"][:10],
        "note_type": category,
        # Four of five descriptions say no more than "Report".
        "title": category if description in {"", "Report"} else description,
        "status": "entered-in-error" if cells.get("iserror", "").strip() in {"1", "1.0"} else "",
    }


READER = MimicReader()
