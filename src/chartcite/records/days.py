"""The days that a sentence names, and which of them a number belongs to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Literal, NamedTuple

from chartcite.facts.dates import find_dates
from chartcite.facts.language import is_portuguese

DateOrder = Literal["", "day", "month"]

_AMBIGUOUS = re.compile(r"\?(\d\d)/(\d\d)(?:/(\d{4}))?")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?![\d/])")
_TWO_NUMBERS = re.compile(r"(?<![\d/.])(\d{1,2})/(\d{1,2})(?![\d])")
_MOST = 0.9
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_BESIDE = re.compile(
    r"[^;,.\d]{0,28}(?:,\s*(?:as |last )?(?:reached|measured|drawn|taken|collected|checked|obtained|on|at|medid[oa]|"
    r"colhid[oa]|atingid[oa]|em)\b[^;,.\d]{0,16})?",
    re.IGNORECASE,
)
"""What may stand between a number and its own date."""
_AT_THE_HEAD = 12
_REASON = re.compile(
    r"\b(?:for|because of|due to|owing to|on account of|given|with|after|by reason of|por|devido a|por causa d[eoa])\s+"
    r"(?:an?\s+|the\s+|uma?\s+|[oa]\s+)?(?:[a-z]+\s+){0,2}\Z",
    re.IGNORECASE,
)
_LABS = re.compile(
    r"[\s*#-]*(?:[^\W\d]+ ){0,2}(?:labs?|lab results|results|bloods|bmp|cmp|cbc|exames|resultados)"
    r"(?: (?:externos|laboratoriais|drawn|done|from|of|on|de|em|do dia|dated))*[ (:]*",
    re.IGNORECASE,
)
"""`Outside labs 6/20: Cr 1.5`"""
_EARLIER = re.compile(
    r"\A[\s*#-]*(?:since|from|after|until|was\b|were\b|desde|de\b|ap\u00f3s|at\u00e9|era\b)[^;.]{0,40}\Z", re.IGNORECASE
)
"""What leads to a date that is not the day of the news: `Since 7 Sep 2011 ... went from`, `Was 1.7 on`."""


class Day(NamedTuple):
    """A whole date, where it stands, as ISO."""

    start: int
    end: int
    iso: str


def days(text: str, written: str, order: DateOrder = "") -> Iterator[Day]:
    """The days of a sentence; one without a year is the last such day before its note was written.

    Args:
        text: the sentence.
        written: ISO date of the note.
        order: how its document writes dates in numbers; where that is not known, of two readings the earlier one, since
            what is retold is never the news.
    """
    found_dates = list(find_dates(text)) or list(_of_labs(text))
    for start, end, form in found_dates:
        found = _AMBIGUOUS.fullmatch(form)
        if found:
            a, b, year = found.groups()
            own = order or ("" if year else _lately(a, b, written))
            month, day = (a, b) if own == "month" else (b, a) if own == "day" else (min(a, b), max(a, b))
            form = f"{year or '-'}-{month}-{day}"  # noqa: PLW2901 - the same date, read
        if form.startswith("--") and len(form) == 7 and len(written) >= 10:
            form = last_day(form[2:], written)  # noqa: PLW2901 - the same date, with its year
        if _ISO.fullmatch(form) and _is_calendar(form):
            yield Day(start, end, form)


def _of_labs(text: str) -> Iterator[tuple[int, int, str]]:
    """The day and month at the head of results, which need no other word to be a date: `BMP 2/20`, `Exames (08/02)`."""
    found = _TWO_NUMBERS.search(text)
    if found is None or not _LABS.fullmatch(text[: found.start()]):
        return
    a, b = int(found[1]), int(found[2])
    if 0 < a <= 12 and 0 < b <= 12 and a != b:
        yield found.start(), found.end(), f"?{a:02}/{b:02}"
    elif 0 < min(a, b) <= 12 and max(a, b) <= 31:
        yield found.start(), found.end(), f"--{min(a, b):02}-{max(a, b):02}"


def day_of_labs(text: str, written: str, order: DateOrder) -> str:
    """The day of a heading of results that has nothing else (`Labs 2/20:`, `Exames (08/02/2021)`); empty for others."""
    dates = list(days(text, written, order))
    is_heading = len(dates) == 1 and _LABS.fullmatch(text[: dates[0].start])
    return dates[0].iso if is_heading and not text[dates[0].end :].strip(" \t\n)]:*-") else ""


def names_no_day(text: str) -> bool:
    """Whether a sentence names a day that no calendar has (`30 Feb 2020`): nobody knows which was meant."""
    return any(_ISO.fullmatch(form) and not _is_calendar(form) for _, _, form in find_dates(text))


def _is_calendar(iso: str) -> bool:
    try:
        date.fromisoformat(iso)
    except ValueError:
        return False
    return True


def last_month(month: int, written: str) -> str:
    """`YYYY-MM` of the last such month that had begun when a note was written."""
    year = int(written[:4]) - (month > int(written[5:7]))
    return f"{year:04}-{month:02}"


_LATELY_DAYS, _JUST_DAYS, _APART_DAYS = 31, 3, 21


def _lately(first: str, second: str, written: str) -> DateOrder:
    """Which reading of two numbers without a year is of just before a note, where the other is not; else none."""
    if len(written) < 10:
        return ""
    gaps: dict[DateOrder, int] = {}
    for order, month, day in (("month", first, second), ("day", second, first)):
        iso = last_day(f"{month}-{day}", written)
        gap = (date.fromisoformat(written[:10]) - date.fromisoformat(iso)).days if iso else 10_000
        gaps[order] = gap  # type: ignore[index]
    near, far = sorted(gaps, key=lambda order: gaps[order])
    is_told = gaps[near] <= _LATELY_DAYS < gaps[far] or (gaps[near] <= _JUST_DAYS and gaps[far] > _APART_DAYS)
    return near if is_told else ""


_COMING_DAYS = 92


def last_day(month_and_day: str, written: str) -> str:
    """The last such day (`MM-DD`) before a note; empty where it may as well be a coming one: `restart 6 April`."""
    year = int(written[:4])
    try:
        same = date.fromisoformat(f"{year:04}-{month_and_day}")
        ahead = (same - date.fromisoformat(written[:10])).days
        if ahead <= 0:
            return same.isoformat()
        return "" if ahead <= _COMING_DAYS else same.replace(year=year - 1).isoformat()
    except ValueError:  # 29 February
        return ""


def date_order(text: str, written: str, lang: str) -> DateOrder:
    """Whether a document puts the month or the day first, as far as it shows.

    Args:
        text: the document.
        written: its ISO date, which it often repeats in its head.
        lang: its language; in Portuguese the day comes first.
    """
    if lang.startswith("pt"):
        return "day"
    seen: set[DateOrder] = set()
    for found in _SLASHED.finditer(text):
        first, second, year = int(found[1]), int(found[2]), found[3]
        if first > 12 >= second or (first != second and _is(written, year, second, first)):
            seen.add("day")
        elif second > 12 >= first or (first != second and _is(written, year, first, second)):
            seen.add("month")
    return seen.pop() if len(seen) == 1 else "day" if not seen and is_portuguese(text) else ""


def needs_order(text: str) -> bool:
    """Whether a text has a date that means another day in the other order: `02/11/2009`, `3/4`."""
    return any(int(a) <= 12 and int(b) <= 12 and int(a) != int(b) for a, b in _TWO_NUMBERS.findall(text))


def order_of_most(shown: Iterable[tuple[str, DateOrder]], lang: str) -> DateOrder:
    """The order that a record's documents of a language show; empty where fewer than nine of ten agree.

    Args:
        shown: language and order of each document.
        lang: of the document that shows none itself.
    """
    counts = Counter(order for its_lang, order in shown if order and its_lang[:2] == lang[:2])
    return next((order for order, n in counts.items() if n >= _MOST * counts.total()), "")


def _is(written: str, year: str, month: int, day: int) -> bool:
    return written[2:] == f"{year[-2:]}-{month:02}-{day:02}"


def own_day(text: str, dates: Sequence[Day], end: int) -> str:
    """The day that stands right behind a number ending at `end`; empty without one."""
    return next((day.iso for day in dates if day.start >= end and _BESIDE.fullmatch(text[end : day.start])), "")


def reason_day(text: str, dates: Sequence[Day], start: int) -> str:
    """The only day of a sentence, for a number named at `start` as the reason of what was done that day.

    `Last titration was 19 Oct 2018: 12.5 to 25 mg, for a blood pressure of 148/89`.
    """
    is_reason = len(dates) == 1 and dates[0].end <= start and _REASON.search(text[dates[0].end : start])
    return dates[0].iso if is_reason else ""


def head_day(text: str, dates: Sequence[Day]) -> str:
    """The day at the head of a sentence that names no other, or that it leads (`Labs 2/16:`); empty without one."""
    is_head = bool(dates) and (dates[0].start <= _AT_THE_HEAD or bool(_LABS.fullmatch(text[: dates[0].start])))
    is_head = is_head and (len(dates) == 1 or text[dates[0].end : dates[0].end + 1] == ":")
    return dates[0].iso if is_head and not _EARLIER.match(text[: dates[0].start]) else ""


_LEADS = re.compile(r"\s*\)?\s*:")
_BEGINS = re.compile(r"(?:^|[;.|])\s*\(?\s*\Z")


def lead_day(text: str, dates: Sequence[Day], start: int) -> str:
    """The day that heads the part of a sentence in which a number stands: `; (12/10): Cr 1.5`; empty without one."""
    led = [d for d in dates if d.end <= start and _LEADS.match(text, d.end) and _BEGINS.search(text[: d.start])]
    return led[-1].iso if led else ""


_CELL_BEFORE = re.compile(
    r"(?:^|\|)\s*(?:(?![^|]*(?:plan|due|next|birth|order|expir|nasc))[^|:]{0,40}\b(?:date|dates|time|day|when|data|hora|"
    r"collected|performed|resulted|taken|effective|period)\b[^|:]{0,20}::?\s*(?:on:?;?\s*)?)?\Z|;\s*\(\Z",
    re.IGNORECASE,
)
_CELL_BEHIND = re.compile(r"\s*(?:[T ]?\d\d:\d\d(?::\d\d)?[^|\d]{0,24})?\s*(?:\||\Z|\.\Z)")


def row_day(text: str, dates: Sequence[Day]) -> str:
    """The day of a table's row: its only date, in a cell of its own; empty without such a cell.

    >>> row = "Test: Potassium | Value: 5.8 mmol/L | Range: 3.5-5.1 | Date: 2031-03-01 13:54"
    >>> row_day(row, list(days(row, "2031-04-01")))
    '2031-03-01'
    """
    if len(dates) != 1 or "|" not in text:
        return ""
    alone = _CELL_BEFORE.search(text[: dates[0].start]) and _CELL_BEHIND.match(text, dates[0].end)
    return dates[0].iso if alone else ""


def earlier_day(text: str, dates: Sequence[Day]) -> str:
    """The day of what a sentence compares with: `Since 7 Sep 2011 the CRP went from 37.9`; empty without one."""
    return dates[0].iso if len(dates) == 1 and _EARLIER.match(text[: dates[0].start]) else ""
