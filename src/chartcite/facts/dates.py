"""Dates and clock times as written in notes, as one text form. A numeric date that could be read two ways keeps both.

`2019-03-02`, `2019-03`, `2019`, `--03-02` (no year), `?03/04/2019` (day and month could be swapped), `14:30`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTHS = {
    name: n
    for n, names in enumerate(
        (
            "january jan janeiro", "february feb fevereiro fev", "march mar março", "april apr abril abr",
            "may maio mai", "june jun junho", "july jul julho", "august aug agosto ago",
            "september sept sep setembro set", "october oct outubro out", "november nov novembro",
            "december dec dezembro dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
# A month's short name that is also an everyday word counts only beside a day and a year.
_NAME = "|".join(sorted((m for m in _MONTHS if m not in ("set", "out", "ago", "mai", "may", "mar")), key=len)[::-1])
_ANY_NAME = "|".join(sorted(_MONTHS, key=len)[::-1])
_DAY = r"(?:st|nd|rd|th)?"
_PATTERN = re.compile(
    rf"""
      (?<![\w.,/-])(?P<iso>(?P<iy>(?:19|20)\d\d)[-/](?P<im>\d\d?)(?:[-/](?P<id>\d\d?))?)(?![\w/]|-\d|[.,]\d)
    | (?<![\w.,/-])(?P<num>(?P<n1>\d\d?)[/-](?P<n2>\d\d?)[/-](?P<ny>\d{{4}}|\d\d))(?![\w/]|-\d|[.,]\d)
    | (?<![\w.,/-])(?P<my>(?P<mm>\d\d?)/(?P<myy>(?:19|20)\d\d))(?![\w/]|[.,]\d)
    | (?<!\w)(?P<mdy>(?P<m1>{_ANY_NAME})\.?\s+(?P<d1>\d\d?){_DAY},?\s+(?P<y1>\d{{4}}))(?!\w|[.,]\d)
    | (?<![\w.,/])(?P<dmy>(?P<d2>\d\d?){_DAY}\s+(?:of\s+|de\s+)?
        (?P<m2>{_ANY_NAME})\.?,?\s+(?:de\s+)?(?P<y2>\d{{4}}))(?!\w|[.,]\d)
    | (?<!\w)(?P<mony>(?P<m3>{_ANY_NAME})\.?,?\s+(?:of\s+|de\s+)?(?P<y3>(?:19|20)\d\d))(?!\w|[.,]\d)
    | (?<!\w)(?P<md>(?P<m4>{_NAME})\.?\s+(?P<d4>\d\d?){_DAY})(?![\w/]|[.,:]\d)
    | (?<![\w.,/])(?P<dm>(?P<d5>\d\d?){_DAY}\s+(?:of\s+|de\s+)?(?P<m5>{_NAME}))(?!\w)
    | (?<![\w.,:/-])(?P<clock>(?P<hh>\d\d?):(?P<mi>\d\d)(?::(?P<ss>\d\d))?(?:\s?
        (?P<half>[ap])\.?m\.?(?!\w))?)(?![\w:]|[.,]\d)
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def find_dates(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, form)` for each date or time of day, left to right."""
    if not any(char.isdigit() for char in text):
        return
    for found in _PATTERN.finditer(text):
        form = _form({name: part for name, part in found.groupdict().items() if part is not None})
        if form:
            yield found.start(), found.end(), form


def _form(part: dict[str, str]) -> str:
    if "clock" in part:
        return _clock(part)
    if "iso" in part:
        return _date(int(part["iy"]), int(part["im"]), int(part["id"]) if "id" in part else None)
    if "num" in part:
        return _numeric(int(part["n1"]), int(part["n2"]), part["ny"])
    if "my" in part:
        return _date(int(part["myy"]), int(part["mm"]), None)
    for n, (year, day) in {"1": (True, True), "2": (True, True), "3": (True, False), "4": (False, True),
                           "5": (False, True)}.items():  # fmt: skip
        if f"m{n}" in part:
            month = _MONTHS[part[f"m{n}"].lower()]
            return _date(int(part[f"y{n}"]) if year else 0, month, int(part[f"d{n}"]) if day else None)
    return ""


def _numeric(first: int, second: int, year_text: str) -> str:
    year = int(year_text) if len(year_text) == 4 else 2000 + int(year_text) - (100 if int(year_text) > 50 else 0)
    if first == second or second > 12:
        return _date(year, first, second)
    if first > 12:
        return _date(year, second, first)
    return f"?{first:02}/{second:02}/{year:04}" if first and second else ""


def _date(year: int, month: int, day: int | None) -> str:
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return ""
    head = f"{year:04}" if year else "-"
    return f"{head}-{month:02}" + (f"-{day:02}" if day is not None else "")


def _clock(part: dict[str, str]) -> str:
    hour, minute = int(part["hh"]), int(part["mi"])
    if hour > 24 or minute > 59:
        return ""
    if "half" in part and hour <= 12:
        hour = hour % 12 + (12 if part["half"].lower() == "p" else 0)
    return f"{hour:02}:{minute:02}" + (f":{part['ss']}" if "ss" in part else "")


def covers(claimed: str, stated: str) -> bool:
    """Whether a stated date entails a claimed one: equal, or the claimed one is the same date less precisely."""
    if claimed == stated:
        return True
    if claimed.startswith("?") or ":" in claimed or ":" in stated:
        return False
    if stated.startswith("?"):
        # Day and month are unclear, the year is not.
        return len(claimed) == 4 and stated.endswith(claimed)
    return stated.startswith(claimed + "-") or (claimed.startswith("--") and stated[4:] == claimed[1:])
