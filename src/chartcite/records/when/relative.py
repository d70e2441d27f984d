"""Days counted from the day of the document: `yesterday`, `2 weeks ago`, `last Tuesday`, `for the past 3 days`.

Where a phrase has two readings (`last Tuesday` on a Thursday: this week's or the one before) there is no day.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.core.time import When
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.line import read_line
from chartcite.facts.patterns import alternatives
from chartcite.facts.taken import claim
from chartcite.records.when.counting import LONG_UNIT, NUMBER, UNIT, Count, away, count_of, shifted
from chartcite.records.when.resolved import Reason, Resolved, days_from, month_of, one_day, some_days, unknown, year_of


class _NoDay(Exception):
    """The document has no whole day to count from."""


class _Said(NamedTuple):
    """A phrase with its sentence and the document's time."""

    span: Span
    found: re.Match[str]
    when: When
    text: str

    @property
    def day(self) -> date:
        """The document's day."""
        day = day_of(self.when)
        if day is None:
            raise _NoDay
        return day


Reader = Callable[[_Said], Resolved]
_RANGE = rf"(?P<n>{NUMBER})(?:\s?(?:-|–|to|or|a|ou)\s?(?P<to>\d{{1,3}}))?"
_WEEKDAYS = {
    word: n
    for n, words in enumerate(
        (
            "monday mon segunda segunda-feira", "tuesday tues terça terça-feira",
            "wednesday quarta quarta-feira",
            "thursday thurs quinta quinta-feira", "friday fri sexta sexta-feira", "saturday sábado sabado",
            "sunday domingo",
        )
    )
    for word in words.split()
}  # fmt: skip
_EN_WEEKDAY = alternatives(word for word in _WEEKDAYS if word.endswith("day"))
_PT_WEEKDAY = alternatives(word for word in _WEEKDAYS if not word.endswith("day") and len(word) > 5)
_INEXACT = re.compile(
    r"\b(?:(?:more|less|fewer|greater)\s+than|over|under|at\s+least|at\s+most|nearly|almost|within|every|mais\s+de|menos\s+de|"
    r"quase|pelo\s+menos|cada)\s+\Z|[<>≥≤]\s*\Z",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:return|follow[\s-]?up|f/u|repeat|re-?check|see\b|will|schedul\w*|due|appointment|retorno|retornar|repetir|"
    r"reavaliar|consulta)\b[^.;]*\Z",
    re.IGNORECASE,
)
_TAKEN = re.compile(
    r"\b(?:take|give|start|continue|complete|course|treat\w*|tomar|usar|iniciar|manter|iv|po|mg|bid|tid|qid|daily)\b",
    re.IGNORECASE,
)


def relative_days(text: str, written: When | None, taken: bytearray) -> Iterator[Resolved]:
    """What a sentence counts from the day of its document; arguments as of `written_days`."""
    for pattern, read in _readers():
        for found in pattern.finditer(text):
            if not claim(taken, *found.span()):
                continue
            span = Span(*found.span())
            if written is None:
                yield unknown(span, "document", "no_document_day")
                continue
            try:
                yield read(_Said(span, found, written, text))
            except _NoDay:
                yield unknown(span, "document", "no_document_day")
            except (ValueError, OverflowError):
                yield unknown(span, "document", "no_such_day")


def day_of(when: When) -> date | None:
    """The day of a point in time in its own zone; None where it is less precise."""
    return date.fromisoformat(when.date) if len(when.date) == 10 else None


def _some(reason: Reason) -> Reader:
    return lambda said: unknown(said.span, "document", reason)


def _days(first: int, last: int) -> Reader:
    """So many days after the document's."""

    def read(said: _Said) -> Resolved:
        if first == last:
            return one_day(said.span, days_from(said.day, first), "document")
        return some_days(said.span, days_from(said.day, first), days_from(said.day, last), "day", "document")

    return read


def _ago(said: _Said) -> Resolved:
    if _INEXACT.search(said.text[: said.span.start]):
        return unknown(said.span, "document", "vague")
    return _counted(said, count_of(said.found["n"], said.found["to"], said.found["unit"]), -1)


def _slashed_ago(said: _Said) -> Resolved:
    unit = {"52": "week", "12": "month", "7": "day"}[said.found["of"]]
    return _counted(said, count_of(said.found["n"], None, unit), -1)


def _ahead(said: _Said) -> Resolved:
    if not _PLANNED.search(said.text[: said.span.start]):
        return unknown(said.span, "document", "told_before")
    return _counted(said, count_of(said.found["n"], said.found["to"], said.found["unit"]), 1)


def _counted(said: _Said, count: Count, sign: int) -> Resolved:
    if count.unit == "hour":
        return _hours(said, count, sign)
    first, last, precision = away(count, said.day, sign)
    return some_days(said.span, first, last, precision, "document")


def _hours(said: _Said, count: Count, sign: int) -> Resolved:
    """By the document's time of day; without one it may be any."""
    day = said.day
    clock = re.match(r"T(\d\d):(\d\d)", said.when.text[10:])
    begin = datetime(day.year, day.month, day.day, int(clock[1]), int(clock[2])) if clock else None
    earliest = begin or datetime(day.year, day.month, day.day)
    latest = begin or earliest + timedelta(hours=24, seconds=-1)
    ends = [at + sign * timedelta(hours=n) for at in (earliest, latest) for n in (count.least, count.most)]
    return some_days(said.span, min(ends).date(), max(ends).date(), "day", "document")


def _window(said: _Said) -> Resolved:
    """`for the past 3 days`: from so many days before to the document's day."""
    count = count_of(said.found["n"] or "one", said.found["to"], said.found["unit"])
    if count.unit == "hour":
        count = Count(count.least, (count.most + 23) // 24, "day")
    return some_days(said.span, shifted(said.day, count.most, count.unit, -1), said.day, "interval", "document")


def _times(said: _Said) -> Resolved:
    """`pain x 3 days`; of a drug it is how long it is to be taken."""
    if _TAKEN.search(said.text) or find_drugs(read_line(said.text)):
        return unknown(said.span, "document", "may_be_coming")
    return _window(said)


def _last_week(said: _Said) -> Resolved:
    """The week before that of the document, whether it begins on Sunday or on Monday."""
    monday = days_from(said.day, -said.day.weekday())
    return some_days(said.span, days_from(monday, -8), days_from(monday, -1), "week", "document")


def _last_month(said: _Said) -> Resolved:
    if len(said.when.date) < 7:
        return unknown(said.span, "document", "no_document_day")
    year, month = int(said.when.date[:4]), int(said.when.date[5:7])
    return month_of(said.span, year - (month == 1), month - 1 or 12, "document")


def _last_year(said: _Said) -> Resolved:
    return year_of(said.span, int(said.when.date[:4]) - 1, "document")


def _this(said: _Said) -> Resolved:
    """`earlier this month`."""
    firsts = {
        "week": days_from(said.day, -said.day.weekday() - 1),
        "month": said.day.replace(day=1),
        "year": said.day.replace(month=1, day=1),
    }
    return some_days(said.span, firsts[said.found["unit"].lower()], said.day, "interval", "document")


def _last_weekday(said: _Said) -> Resolved:
    """The last one before the document's day, where it is not of the same week; else it may be that, or one before."""
    number = _WEEKDAYS[re.sub(r"\s+", "-", said.found["weekday"].lower())]
    back = (said.day.weekday() - number) % 7 or 7
    if number < said.day.weekday() and "past" not in said.found[0].lower().split():
        return unknown(said.span, "document", "two_readings")
    return one_day(said.span, days_from(said.day, -back), "document")


@lru_cache(maxsize=1)
def _readers() -> tuple[tuple[re.Pattern[str], Reader], ...]:
    """Patterns in the order in which they claim their words."""
    part = r"(?:\s+(?:morning|afternoon|evening|night|a\.?m\.?|p\.?m\.?))?"
    few = r"(?:a\s+few|few|several|some|many|a\s+couple\s+of|alguns|algumas|v[áa]ri[oa]s|muit[oa]s|pouc[oa]s|un?s|umas)"
    past = r"(?:past|last|previous|preceding)"
    ago = r"(?:ago|atr[áa]s)"
    rows: list[tuple[str, Reader]] = [
        (r"day\s+before\s+yesterday|anteontem|antes\s+de\s+ontem", _days(-2, -2)),
        (rf"{few}\s+{UNIT}\s+{ago}", _some("vague")),
        (rf"(?:h[áa]|faz)\s+(?:{few}\s+)?{LONG_UNIT}", _some("vague")),
        (rf"(?:h[áa]|faz)\s+(?:mais|menos|quase|pelo\s+menos)\s+(?:de\s+)?{NUMBER}\s+{UNIT}", _some("vague")),
        (rf"(?:h[áa]|faz)\s+(?:cerca\s+de\s+|aproximadamente\s+)?{_RANGE}\s?(?P<unit>{UNIT})(?!\s+{ago})", _ago),
        (rf"[~≈]?\s?{_RANGE}[\s-]?(?P<unit>{UNIT})\s+{ago}", _ago),
        (rf"(?P<n>\d{{1,2}})/(?P<of>52|12|7)\s+{ago}", _slashed_ago),
        (rf"{LONG_UNIT}\s+{ago}", _some("vague")),
        (
            rf"(?:(?:for|over|in|during|within|throughout)\s+)?the\s+{past}\s+(?:(?P<n>{NUMBER})(?:\s?(?:-|–|to)\s?"
            rf"(?P<to>\d{{1,3}}))?[\s-]?)?(?P<unit>{UNIT})",
            _window,
        ),
        (rf"(?:for|over|in)\s+{past}\s+(?P<n>{NUMBER})(?P<to>)[\s-]?(?P<unit>{UNIT})", _window),
        (rf"n[oa]s?\s+[úu]ltim[oa]s?\s+(?:(?P<n>{NUMBER})\s+)?(?P<to>)(?P<unit>{UNIT})", _window),
        (rf"{_RANGE}[\s-]?(?P<unit>{UNIT})\s+(?:history|hx)", _window),
        (rf"[x×]\s?{_RANGE}[\s-]?(?P<unit>{UNIT})", _times),
        (
            r"(?:the\s+)?(?:next|following)\s+(?:day|morning|evening|night|afternoon)|n[oa]\s+(?:dia|manhã|noite)\s+seguinte",
            _some("told_before"),
        ),
        (rf"{NUMBER}\s+{UNIT}\s+(?:later|afterwards?|thereafter|depois(?!\s+d)|mais\s+tarde)", _some("told_before")),
        (r"ontem\s+[àa]\s+noite|(?:na\s+)?noite\s+passada|last\s+night|overnight|yesterday\s+night", _days(-1, 0)),
        (rf"yesterday(?:['’]s)?{part}|ontem(?:\s+(?:de|pela|à|a)\s+(?:manhã|tarde))?", _days(-1, -1)),
        (rf"tomorrow{part}|amanhã(?:\s+(?:de|pela|à)\s+(?:manhã|tarde|noite))?", _days(1, 1)),
        (
            r"today(?:['’]s)?|tonight|this\s+(?:morning|afternoon|evening|a\.?m\.?|p\.?m\.?)|hoje(?:\s+(?:de|pela|à|a)\s+"
            r"(?:manhã|tarde|noite))?|n?esta\s+(?:manhã|tarde|noite)|n?este\s+(?:dia|momento)",
            _days(0, 0),
        ),
        (r"(?<!the\s)last\s+week|(?:n?a\s+)?semana\s+passada", _last_week),
        (r"(?<!the\s)last\s+month|(?:n?o\s+)?m[êe]s\s+passado", _last_month),
        (r"(?<!the\s)last\s+year|(?:n?o\s+)?ano\s+passado", _last_year),
        (r"earlier\s+this\s+(?P<unit>week|month|year)", _this),
        (rf"(?:this\s+past|last|past)\s+(?P<weekday>{_EN_WEEKDAY})", _last_weekday),
        (rf"(?:n[oa]\s+)?(?:[úu]ltim[oa]\s+)?(?P<weekday>{_PT_WEEKDAY})\s+passad[oa]", _last_weekday),
        (rf"(?:on|since|until|next|this|n[oa]|próxim[oa])\s+(?:{_EN_WEEKDAY}|{_PT_WEEKDAY})", _some("two_readings")),
        (rf"(?:daqui\s+a|em|in|dentro\s+de)\s+{_RANGE}[\s-]?(?P<unit>{UNIT})", _ahead),
    ]
    return tuple((re.compile(rf"(?<![\w-])(?:{row})(?![\w/]|-\w)", re.IGNORECASE), read) for row, read in rows)
