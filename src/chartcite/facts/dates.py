"""Dates and clock times as written in notes, as one text form. A numeric date that could be read two ways keeps both.

`2019-03-02`, `2019-03`, `2019`, `--03-02` (no year), `?03/04/2019` (day and month could be swapped), `14:30`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from chartcite.core.documents import Span
from chartcite.core.unseen import look
from chartcite.facts.language import is_portuguese
from chartcite.facts.patterns import alternatives

_MONTHS = {
    name: n
    for n, names in enumerate(
        (
            "january jan janeiro", "february feb fevereiro fev", "march mar março marco", "april apr abril abr",
            "may maio mai", "june jun junho", "july jul julho", "august aug agosto ago",
            "september sept sep setembro set", "october oct outubro out", "november nov novembro",
            "december dec dezembro dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip


def month_numbers() -> dict[str, int]:
    """The number of each month by its names and short names, in two languages."""
    return dict(_MONTHS)


_HOURS = {
    name: n
    for n, name in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=1
    )
}  # fmt: skip
# A month's short name that is also an everyday word counts only beside a day and a year.
_NAME = alternatives(m for m in _MONTHS if m not in ("set", "out", "ago", "mai", "may", "mar", "marco"))
_ANY_NAME = alternatives(_MONTHS)
# Every form begins with a digit or with one of these, which is asked first.
_FIRST_LETTERS = "".join(sorted({name[0] for name in (*_MONTHS, *_HOURS, "noon", "midday")}))
_UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
ORDINALS = {
    name: n
    for n, name in enumerate(
        (*_UNITS, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
         "eighteenth", "nineteenth", "twentieth", *(f"twenty-{unit}" for unit in _UNITS), "thirtieth", "thirty-first"),
        start=1,
    )
}  # fmt: skip
"""The ordinals that a day of the month can have."""
_ORDINAL_DAYS = "|".join(name.replace("-", r"[\s-]") for name in sorted(ORDINALS, key=len)[::-1])
_DAY = r"(?:st|nd|rd|th|º)?"
_PATTERN = re.compile(
    rf"""
    (?=\d|(?<!\w)[{_FIRST_LETTERS}])(?:
      (?<![\w.,/-])(?P<iso>(?P<iy>(?:19|20)\d\d|2[12]\d\d(?=-\d\d?-\d))[-/](?P<im>\d\d?)(?:[-/](?P<id>\d\d?))?)(?![\w/]|-\d|[.,]\d)
    | (?<![\w.,/-])(?P<num>(?P<n1>\d\d?)[/-](?P<n2>\d\d?)[/-](?P<ny>\d{{4}}|\d\d))(?![\w/]|-\d|[.,]\d)
    | (?<![\w.,/-])(?P<my>(?P<mm>\d\d?)/(?P<myy>(?:19|20)\d\d))(?![\w/]|[.,]\d)
    | (?<!\w)(?P<mdy>(?P<m1>{_ANY_NAME})\.?\s+(?P<d1>\d\d?){_DAY},?\s+(?P<y1>\d{{4}}))(?!\w|[.,]\d)
    | (?<![\w.,:/-])(?P<dot>(?P<e1>\d\d?)\.(?P<e2>\d\d?)\.(?P<ey>(?:19|20)\d\d|\d\d))(?![\w/]|-\d|[.,]\d)
    | (?<![\w.,/])(?P<dmy>(?P<d2>\d\d?){_DAY}\s+(?:of\s+|de\s+)?
        (?P<m2>{_ANY_NAME})\.?,?\s+(?:de\s+|do\s+ano\s+de\s+)?(?P<y2>\d{{4}}))(?!\w|[.,]\d)
    | (?<!\w)(?P<mony>(?P<m3>{_ANY_NAME})(?:\.?,?\s+(?:of\s+|de\s+)?|/)(?P<y3>(?:19|20)\d\d))(?!\w|[.,]\d)
    | (?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\buntil\s)|(?<=\bof\s)|(?<=\bby\s)|(?<=\bem\s))
        (?P<year>(?:19|20)\d\d)(?=\s+(?:to|with|and|for|on|at)\b)
    | (?<!\w)(?P<may>(?-i:May)\s+(?P<may_d>\d\d?){_DAY})(?![\w/]|[.,:]\d)
    | (?<![\w.,/])(?P<dmay>(?P<dmay_d>\d\d?){_DAY}\s+(?:of\s+)?(?-i:May))(?!\w)
    | (?<!\w)(?P<md>(?P<m4>{_NAME})\.?\s+(?P<d4>\d\d?){_DAY})(?![\w/]|[.,:]\d)
    | (?<![\w.,/])(?P<dm>(?P<d5>\d\d?){_DAY}\s+(?:of\s+|de\s+)?(?P<m5>{_NAME}))(?!\w)
    | (?<![\w.,/-])(?P<dhm>(?P<d7>\d\d?)-(?P<m7>{_ANY_NAME}))(?![\w/]|-\d)
    | (?<![\w-])(?:(?P<dm_word>(?P<dw>{_ORDINAL_DAYS})\s+of\s+(?P<mw1>{_ANY_NAME}))
        |(?P<md_word>(?P<mw2>{_NAME})\s+(?:the\s+)?(?P<dw2>{_ORDINAL_DAYS})))(?!\w)
    | (?<![\w.,:/-])(?P<clock>(?P<hh>\d\d?):(?P<mi>\d\d)(?::(?P<ss>\d\d))?(?:\s?
        (?P<half>[ap])(?:m\b|\.m\b\.?))?)(?!\w|:\d|[.,]\d)
    | (?<![\w.,:/-])(?P<short>(?P<hs>\d\d?)\s?(?P<halfs>[ap])(?:m\b|\.m\b\.?))
    | (?<![\w.,:/-])(?P<spoken>(?P<hw>\d\d?|{"|".join(_HOURS)})(?::(?P<mw>\d\d))?(?:\s+o['’]?clock)?\s+
        (?:in\s+the\s+|at\s+)(?P<part>morning|afternoon|evening|night))(?!\w)
    | (?:(?<=\bat\s)|(?<=\bby\s)|(?<=\bsince\s)(?!(?:19|20)\d\d)|(?<=\buntil\s)(?!(?:19|20)\d\d)
        |(?<=\bbetween\s)|(?<=ed\s)(?!19\d\d|20[0-2]\d)|(?<=@\s)|(?<=@)|^
        |(?<![\w.,:/\#-])(?<!\broom\s)(?<!\bmrn\s)(?<!\bid\s)(?=0))
        (?P<military>(?P<h4>[01]\d|2[0-3])(?P<mi4>[0-5]\d))
        (?=\s?h(?:rs?|ours?)?\b|\s*[,;:)]|\s*\.?$|\s+[a-z]|\.\s)(?!\s*(?:m[lgc]|units?|kcal|cc|g\b))
    | (?<![\w.,/-])(?P<dmy2>(?P<d6>\d\d?)[/-](?P<m6>{_ANY_NAME})[/-](?P<y6>\d{{4}}|\d\d))(?![\w/]|[.,]\d)
    | (?<![\w.,:/-])(?P<hm>(?P<hp>[01]?\d|2[0-4])h(?P<mp>[0-5]\d)(?:min)?
        |(?:(?<=\bàs\s)|(?<=\bas\s))(?P<hp2>\d\d?)\s?h(?:oras?)?)(?!\w)
    | (?<!\w)(?P<word>noon|midday|midnight|meio-dia|meia-noite)(?!\w)
    | (?<![\w.,/-])(?P<short_md>(?P<sm>\d\d?)/(?P<sd>\d\d?))
        (?![\w/%]|[.,]\d|\s*(?:pain|scale|strength|out|points?|murmur|systolic))
    )
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


_BEFORE_A_DATE = re.compile(
    r"(?:^|\(|[a-z]{3,}ed|\b(?:on|since|until|dated|through|after|before|labs?|note|visit|dose|em|desde|dia|(?<!apgar\s)de|para|até|no|na|cultures?|clinic|"
    r"seen|done|given|repeat|from|of|MRI|CT|US|XR|CXR|echo|TTE|TEE|EGD|EKG|ECG|A1c|path|surgery|discharge|admission))[\s:,]*$",
    re.IGNORECASE,
)
_SCALES = re.compile(
    r"\b(?:bipap|bilevel|ipap|psv?|cpap|niv|vent|settings?|ratio|vision|va|od|os|pain|scale|score|strength|power|mmse|moca|gcs|apgars?|phq-?9|gad-?7|murmur|nodes?|visual|acuity|from|to|of|at|down|up)\s*$",
    re.IGNORECASE,
)


def _is_month_and_day(text: str, found: re.Match[str]) -> bool:
    """Whether `8/19` is a date: by the word before it, or because no scale goes to 19."""
    before = text[max(0, found.start() - 24) : found.start()]
    first, second = int(found["sm"]), int(found["sd"])
    if not (1 <= first <= 31 and 1 <= second <= 31) or min(first, second) > 12:
        return False
    if _SCALES.search(before):
        return second > 12 and second not in (15, 20, 21, 27, 30) and not before.rstrip().lower().endswith("pain")
    if _BEFORE_A_DATE.search(before):
        return not re.match(r"\s*(?:pain|scale|strength|nodes)", text[found.end() :])
    if first > second and first != 20 and _WORD_BEFORE.search(before):
        # No score is above its scale: "bypass 3/2".
        return True
    return second > 12 and second not in (15, 20, 21, 27, 30)


_WORD_BEFORE = re.compile(r"[^\W\d_]{2,}[\s:,(]+$")
_HINT = re.compile(r"\d|noon|mid(?:day|night)|\bin\s+the\s|\bat\s+night|(?:st|nd|rd|th)\s+of\s", re.IGNORECASE)


# "on 5/1 and 5/8".
_GOES_ON = re.compile(r"\s*(?:,|&|\band\b|\bto\b|\bthrough\b|-|–)+\s*", re.IGNORECASE)


def find_dates(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, form)` for each date or time of day, left to right."""
    view = look(text)
    text = view.text
    if not _HINT.search(text):
        return
    last_end = -1
    for found in _PATTERN.finditer(text):
        goes_on = last_end >= 0 and _GOES_ON.fullmatch(text, last_end, found.start()) is not None
        if found["short_md"] and not goes_on and not _is_month_and_day(text, found):
            continue
        form = _form({name: part for name, part in found.groupdict().items() if part is not None})
        if form.startswith("?") and is_portuguese(text):
            form = readings(form)[1]
        if form:
            last_end = found.end() if found["short_md"] else -1
            yield *view.span(Span(*found.span())), form


def _form(part: dict[str, str]) -> str:
    clock = _clock_form(part)
    return _date_form(part) if clock is None else clock


def _clock_form(part: dict[str, str]) -> str | None:
    """The time of day that was written, None for a date."""
    if "clock" in part:
        return _clock(int(part["hh"]), int(part["mi"]), part.get("half", ""), part.get("ss", ""))
    if "hm" in part:
        return _clock(int(part.get("hp") or part["hp2"]), int(part.get("mp", 0)), "", "")

    if "spoken" in part:
        return _spoken(_HOURS.get(part["hw"].lower()) or int(part["hw"]), int(part.get("mw", 0)), part["part"].lower())
    if "short" in part or "military" in part:
        hour, minute = part.get("hs") or part["h4"], part.get("mi4", "0")
        return _clock(int(hour), int(minute), part.get("halfs", ""), "")
    if "word" in part:
        return "00:00" if part["word"].lower() in ("midnight", "meia-noite") else "12:00"
    return None


def _date_form(part: dict[str, str]) -> str:
    if "year" in part:
        return part["year"]
    if "may" in part or "dmay" in part:
        return _date(0, 5, int(part.get("may_d") or part["dmay_d"]))
    if "short_md" in part:
        return short_date(int(part["sm"]), int(part["sd"]))
    if "num" in part:
        return _numeric(int(part["n1"]), int(part["n2"]), part["ny"])
    return _full_form(part) if "dot" in part or "iso" in part or "my" in part else _named_form(part)


def _full_form(part: dict[str, str]) -> str:
    """A date in numbers whose order is known: written with dots the day comes first."""
    if "dot" in part:
        return _date(_year(part["ey"]), int(part["e2"]), int(part["e1"]))
    year, month = part.get("iy") or part["myy"], part.get("im") or part["mm"]
    return _date(int(year), int(month), int(part["id"]) if "id" in part else None)


def _named_form(part: dict[str, str]) -> str:
    if "dm_word" in part or "md_word" in part:
        name, day_name = part.get("mw1") or part["mw2"], part.get("dw") or part["dw2"]
        return _date(0, _MONTHS[name.lower()], ORDINALS[re.sub(r"\s+", "-", day_name.lower())])
    for n, (year, day) in {"1": (True, True), "2": (True, True), "3": (True, False), "4": (False, True),
                           "5": (False, True), "6": (True, True), "7": (False, True)}.items():  # fmt: skip
        if f"m{n}" in part:
            month = _MONTHS[part[f"m{n}"].lower()]
            return _date(_year(part[f"y{n}"]) if year else 0, month, int(part[f"d{n}"]) if day else None)
    return ""


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text) - (100 if int(text) > 50 else 0)


def _numeric(first: int, second: int, year_text: str) -> str:
    year = _year(year_text)
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


def _spoken(hour: int, minute: int, part: str) -> str:
    """`5 in the morning`, `two at night`."""
    is_early = part == "morning" or (part == "night" and (hour == 12 or hour < 5))
    return _clock(hour, minute, "a" if is_early else "p", "")


def short_date(first: int, second: int) -> str:
    """`8/19`: month and day when only one reading is a date, else both readings are kept."""
    if first > 12 or second > 12:
        return _date(0, min(first, second), max(first, second)) if min(first, second) <= 12 else ""
    return f"?{first:02}/{second:02}" if first and second else ""


def _clock(hour: int, minute: int, half: str, second: str) -> str:
    if hour > 24 or minute > 59 or (half and hour > 12):
        return ""
    if half:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    return f"{hour:02}:{minute:02}" + (f":{second}" if second else "")


def seconds_between(first: str, second: str) -> int | None:
    """How much later the second of two days or of two times of one day is; None when they are no two such."""
    if ":" in first and ":" in second:
        return _moment(second) - _moment(first)
    days = _day(first), _day(second)
    if days[0] is None or days[1] is None or _has_year(first) != _has_year(second):
        return None
    return (days[1] - days[0]).days * 86400


def _has_year(form: str) -> bool:
    return form.count("/") > 1 or form[:1].isdigit()


def _moment(clock: str) -> int:
    hour, minute, *rest = (int(part) for part in clock.split(":"))
    return hour * 3600 + minute * 60 + sum(rest)


def _day(form: str) -> datetime.date | None:
    """The day; of a numeric date that could be read two ways the month is taken to come first."""
    found = re.fullmatch(r"(\d{4}|-)-(\d\d)-(\d\d)", readings(form)[0])
    if found is None:
        return None
    try:
        return datetime.date(2000 if found[1] == "-" else int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None


def covers(claimed: str, stated: str) -> bool:
    """Whether a stated date entails a claimed one: equal, or the claimed one is the same date less precisely.

    `03/04/2019` may be cited as 4 March or as 3 April, since nothing says which is meant, but never as `04/03/2019`.
    """
    if claimed == stated:
        return True
    if ":" in claimed or ":" in stated:
        return False
    if claimed.startswith("?") and stated.startswith("?"):
        return len(claimed) < len(stated) and stated.startswith(claimed)
    return any(_covers(c, s) for c in readings(claimed) for s in readings(stated))


def readings(form: str) -> tuple[str, ...]:
    """What a date may mean: itself, or with the month first and with the day first."""
    if not form.startswith("?"):
        return (form,)
    first, second, *year = form[1:].split("/")
    head = year[0] if year else "-"
    return (f"{head}-{first}-{second}", f"{head}-{second}-{first}")


def _covers(claimed: str, stated: str) -> bool:
    if claimed == stated or stated.startswith(claimed + "-"):
        return True
    return claimed.startswith("--") and (stated[4:] == claimed[1:] or stated[4:].startswith(claimed[1:] + "-"))
