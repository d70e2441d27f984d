"""The year of a day that a question names without one: `on March 8`, `em 8 de março`.

It is the one of which the record leaves only one: no other such day lies between its first and its last note, or no
other has a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from chartcite.facts.dates import find_dates


def with_years(question: str, days: Sequence[str]) -> str | None:
    """The question with such days as ISO dates; None where more than one year may be meant.

    Args:
        question: one sentence.
        days: the ISO dates of the record's notes.
    """
    out, at = "", 0
    for start, end, form in find_dates(question):
        if not form.startswith("--") or len(form) != len("--03-08"):
            continue
        iso = _only_day(form[2:], days)
        if iso is None:
            return None
        out += question[at:start] + iso
        at = end
    return out + question[at:]


def _only_day(month_and_day: str, days: Sequence[str]) -> str | None:
    if not days:
        return None
    first, last = min(days), max(days)
    of_record = [iso for iso in _of_years(month_and_day, int(first[:4]), int(last[:4])) if first <= iso <= last]
    noted = [iso for iso in of_record if iso in days]
    found = noted if len(of_record) > 1 else of_record
    return found[0] if len(found) == 1 else None


def _of_years(month_and_day: str, first: int, last: int) -> list[str]:
    """That day of each year which has it."""
    return [iso for year in range(first, last + 1) if _is_calendar(iso := f"{year:04}-{month_and_day}")]


def _is_calendar(iso: str) -> bool:
    try:
        date.fromisoformat(iso)
    except ValueError:
        return False
    return True
