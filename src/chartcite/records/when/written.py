"""Days that the words name themselves: dates in all forms, months, seasons, years, decades, masked dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from chartcite.core.documents import Span
from chartcite.core.time import When
from chartcite.facts.dates import find_dates, month_numbers, readings
from chartcite.facts.patterns import alternatives
from chartcite.facts.taken import claim
from chartcite.records.days import DateOrder, last_day, last_month
from chartcite.records.when.resolved import Resolved, month_of, one_day, some_days, unknown, year_of

_MONTHS = month_numbers()
_LONG_MONTH = alternatives(name for name in _MONTHS if len(name) > 3 or name in ("jan", "feb", "apr", "jun", "jul"))
_STAMP = re.compile(
    r"(?<![\w.-])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?(?![\w:-]|\.\d)", re.ASCII
)
_MASK = re.compile(
    r"\[\*\*\s?(?:(?P<year>\d{4})(?:-(?P<month>\d\d?)(?:-(?P<day>\d\d?))?)?|(?P<m2>\d\d?)-(?P<d2>\d\d?)"
    r"|(?P<m3>\d\d?)-?/(?P<y3>\d{4}))\s?\*\*\]",
    re.ASCII,
)
_ORDINAL_DAY = re.compile(
    rf"(?<!\w)(?P<month>{alternatives(_MONTHS)})\.?\s+(?P<day>\d\d?)(?:st|nd|rd|th)(?![\w/]|,?\s+\d{{4}})",
    re.IGNORECASE | re.ASCII,
)
_CLOCK = re.compile(r"(?:,?\s*(?:at|às|as|@)?\s*)")
_LED = (
    r"(?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\buntil\s)|(?<=\bfrom\s)|(?<=\bduring\s)|(?<=\blast\s)|(?<=\bem\s)"
    r"|(?<=\bdesde\s)|(?<=\baté\s))"
)
_MONTH = re.compile(
    rf"{_LED}(?P<month>{_LONG_MONTH}|(?-i:May)|(?-i:Mar)|(?-i:March)|maio|março)\b(?!\.?,?\s*(?:of\s+|de\s+)?\d)",
    re.IGNORECASE,
)
_YEAR = re.compile(
    rf"{_LED}(?:(?P<part>early|mid|late)[\s-])?(?P<year>(?:19|20)\d\d)(?![\w/-]|[.,]\d)"
    r"|(?<![\w/-])(?P<part2>early|mid|late)[\s-](?P<year2>(?:19|20)\d\d)(?![\w/-]|[.,]\d)"
    r"|\((?P<year4>(?:19|20)\d\d)\)"
    rf"|{_LED}['’](?P<year3>\d\d)(?![\w/-]|[.,]\d)",
    re.IGNORECASE | re.ASCII,
)
_DECADE = re.compile(r"(?<![\w/'’-])(?:(?P<decade>(?:19|20)\d0)['’]?s|['’](?P<short>\d0)s)\b", re.ASCII)
_SEASON = re.compile(r"\b(?P<season>spring|summer|fall|autumn)\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11)}
_PARTS = {"early": (1, 4), "mid": (5, 8), "late": (9, 12)}
_SLASHED = re.compile(r"(\d{1,2})/(\d\d)")
_OF_A_DAY = re.compile(
    r"(?:\b(?:on|dated|labs?|note|visit|exames|dia|cultures?|clinic|seen|drawn|repeat|em)|\A)[\s:,(]*\Z", re.IGNORECASE
)
_COMING = re.compile(
    r"\b(?:will|plan\w*|schedul\w*|due|next|follow[\s-]?up|f/u|upcoming|appointment|restart|return|marcad[oa]|"
    r"previst[oa]|agendad[oa]|retorno|pr[óo]xim[oa])\b",
    re.IGNORECASE,
)


def is_of_the_future(text: str) -> bool:
    """Whether a sentence speaks of what is planned, so that a day without a year may lie ahead."""
    return _COMING.search(text) is not None


def written_days(text: str, written: date | None, order: DateOrder, taken: bytearray) -> Iterator[Resolved]:
    """The days that a sentence names, in any order.

    Args:
        text: the sentence.
        written: the day of its document, for dates without a year.
        order: how its document writes dates in numbers, as far as that is known.
        taken: a byte a character, 1 where words are already read; what is read here is marked.
    """
    yield from _of(text, written, taken, ((_STAMP, _stamp), (_MASK, _masked)))
    yield from _dates(text, written, order, taken)
    yield from _of(text, written, taken, _LESS_THAN_DATES)


_Read = Callable[[re.Match[str], "date | None"], Resolved]


def _of(
    text: str, written: date | None, taken: bytearray, forms: Sequence[tuple[re.Pattern[str], _Read]]
) -> Iterator[Resolved]:
    for pattern, read in forms:
        for found in pattern.finditer(text):
            if claim(taken, *found.span()):
                yield read(found, written)


def _stamp(found: re.Match[str], _written: date | None) -> Resolved:
    span = Span(*found.span())
    try:
        when = When.parse(found[0])
    except ValueError:
        return unknown(span, "words", "no_such_day")
    return Resolved(span, when.date, when.date, "minute", "words", clock=when.text[11:])


def _masked(found: re.Match[str], written: date | None) -> Resolved:
    span = Span(*found.span())
    if found["m2"]:
        return _of_form(span, f"--{int(found['m2']):02}-{int(found['d2']):02}", written)
    if found["m3"]:
        return _of_form(span, f"{found['y3']}-{int(found['m3']):02}", written)
    return _of_form(span, "-".join(f"{int(part):02}" for part in found.group("year", "month", "day") if part), written)


def _dates(text: str, written: date | None, order: DateOrder, taken: bytearray) -> Iterator[Resolved]:
    last: Resolved | None = None
    for start, end, form in find_dates(text):
        if ":" in form:
            if last and last.day and _CLOCK.fullmatch(text, last.span.end, start) and claim(taken, start, end):
                last = Resolved(Span(last.span.start, end), last.first, last.last, "minute", "words", clock=form)
            continue
        if last:
            yield last
            last = None
        if claim(taken, start, end):
            last = _read(text, Span(start, end), form, written, order)
    if last:
        yield last


def _read(text: str, span: Span, form: str, written: date | None, order: DateOrder) -> Resolved:
    """A date; one without a year that may lie ahead, or may be a month and a year, is left open."""
    if form.startswith("?"):
        if not order:
            return unknown(span, "words", "two_readings")
        form = readings(form)[order == "day"]
    if form.startswith("--") and written:
        if is_of_the_future(text):
            return unknown(span, "words", "may_be_coming")
        if _may_be_month_and_year(text, span, written):
            return unknown(span, "words", "two_readings")
    return _of_form(span, form, written)


def _may_be_month_and_year(text: str, span: Span, written: date) -> bool:
    """`since 3/19` in 2022: the 19th, or 2019."""
    found = _SLASHED.fullmatch(text, *span)
    if found is None or _OF_A_DAY.search(text[max(0, span.start - 16) : span.start]):
        return False
    month, year = int(found[1]), 2000 + int(found[2])
    return 1 <= month <= 12 and (year, month) <= (written.year, written.month) and text[span.end : span.end + 1] != ":"


def _of_form(span: Span, form: str, written: date | None) -> Resolved:
    """A date in the form of `find_dates`, one reading only."""
    if form.startswith("--"):
        if written is None:
            return unknown(span, "words", "no_document_day")
        if not _is_day(f"2000-{form[2:]}"):
            return unknown(span, "words", "no_such_day")
        form = last_day(form[2:], written.isoformat())
        if not form:
            return unknown(span, "words", "may_be_coming")
    parts = [int(part) for part in form.split("-")]
    if not _is_day(f"{parts[0]:04}-{parts[1] if len(parts) > 1 else 1:02}-{parts[2] if len(parts) > 2 else 1:02}"):
        return unknown(span, "words", "no_such_day")
    if len(parts) == 1:
        return year_of(span, parts[0])
    return month_of(span, parts[0], parts[1]) if len(parts) == 2 else one_day(span, date(*parts), "words")


def _is_day(iso: str) -> bool:
    try:
        date.fromisoformat(iso)
    except ValueError:
        return False
    return True


def _ordinal_day(found: re.Match[str], written: date | None) -> Resolved:
    form = f"--{_MONTHS[found['month'].lower()]:02}-{int(found['day']):02}"
    return _read(found.string, Span(*found.span()), form, written, "")


def _decade(found: re.Match[str], _written: date | None) -> Resolved:
    first = int(found["decade"] or f"19{found['short']}")
    return some_days(Span(*found.span()), date(first, 1, 1), date(first + 9, 12, 31), "decade", "words")


def _season(found: re.Match[str], _written: date | None) -> Resolved:
    return _months_of(found, int(found["year"]), _SEASONS[found["season"].lower()])


def _months_of(found: re.Match[str], year: int, months: tuple[int, int]) -> Resolved:
    span = Span(*found.span())
    ends = month_of(span, year, months[0]), month_of(span, year, months[1])
    return Resolved(span, ends[0].first, ends[1].last, "season", "words")


def _year(found: re.Match[str], written: date | None) -> Resolved:
    if found["year3"]:
        if written is None:
            return unknown(Span(*found.span()), "words", "no_document_day")
        year = written.year // 100 * 100 + int(found["year3"])
        return year_of(Span(*found.span()), year - 100 * (year > written.year))
    part, year = found["part"] or found["part2"], int(found["year"] or found["year2"] or found["year4"])
    return _months_of(found, year, _PARTS[part.lower()]) if part else year_of(Span(*found.span()), year)


def _month(found: re.Match[str], written: date | None) -> Resolved:
    span = Span(*found.span())
    if written is None:
        return unknown(span, "words", "no_document_day")
    if is_of_the_future(found.string):
        return unknown(span, "words", "may_be_coming")
    year, month = last_month(_MONTHS[found["month"].lower()], written.isoformat()).split("-")
    return month_of(span, int(year), int(month))


_LESS_THAN_DATES: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (_ORDINAL_DAY, _ordinal_day), (_DECADE, _decade), (_SEASON, _season), (_YEAR, _year), (_MONTH, _month),
)  # fmt: skip
