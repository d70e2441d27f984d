"""What a file's name says: `YYYY-MM-DD[_HHMM]_note-type[_anything].ext`, the convention for notes in folders."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chartcite.core.time import When
from chartcite.readers.bytes_in import bare_stem

_CONVENTION = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)(?:_(?P<clock>\d{4}))?(?:_(?P<type>[^\W\d_][^_]*)(?:_.*)?)?", re.S)


@dataclass(frozen=True, slots=True)
class FileName:
    """Time and type as far as the name follows the convention; the stem always."""

    stem: str
    time: When | None = None
    note_type: str = ""


def parse_file_name(name: str) -> FileName:
    """Read a source's name.

    >>> found = parse_file_name("p1/2019-03-02_0815_discharge-summary_v2.txt")
    >>> str(found.time), found.note_type
    ('2019-03-02T08:15', 'Discharge summary')
    """
    stem = bare_stem(name)
    found = _CONVENTION.fullmatch(stem)
    if found is None:
        return FileName(stem)
    time = _when(found["date"], found["clock"])
    if time is None:
        return FileName(stem)
    words = (found["type"] or "").replace("-", " ").strip()
    return FileName(stem, time, words[:1].upper() + words[1:])


def _when(date: str, clock: str | None) -> When | None:
    for text in ([f"{date}T{clock[:2]}:{clock[2:]}"] if clock else []) + [date]:
        try:
            return When.parse(text)
        except ValueError:
            continue
    return None
