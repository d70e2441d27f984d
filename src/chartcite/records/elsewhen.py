"""Words that put a number on another day than its note's, or make it no result at all.

`1.8 two weeks ago`, `61 in February`, `2.4 at its worst`, `on arrival she weighed`, `until INR is 2`,
`weight gain of 2.5`.
"""

from __future__ import annotations

import re

from chartcite.records.days import last_month

_MONTHS = {
    name: n
    for n, names in enumerate(
        (
            "january jan janeiro", "february feb fevereiro fev", "march mar março", "april apr abril abr",
            "may maio", "june jun junho", "july jul julho", "august aug agosto ago", "september sep sept setembro set",
            "october oct outubro out", "november nov novembro", "december dec dezembro dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_MONTH_BEHIND = re.compile(
    rf"[\s%/\w³²]{{0,14}}?\s*[(,]?\s*(?:\b(?:in|em|de|from)\s+|\()(?P<month>{_NAMES})\b(?!\s*\d)", re.IGNORECASE
)
_YEAR_BEHIND = re.compile(
    rf"[\s%/\w³²]{{0,14}}?\s*[(,]?\s*(?:\b(?:in|em|de|from)\s+|\()(?:(?P<month>{_NAMES})\.?\s+(?:de\s+|of\s+)?)?"
    r"(?P<year>(?:19|20)\d\d)\b(?![-/\d])",
    re.IGNORECASE,
)
_MONTH_BEFORE = re.compile(rf"\b(?:in|em)\s+(?P<month>{_NAMES})\b(?!\s*\d)[^.;,]{{0,20}}\Z", re.IGNORECASE)
_BEHIND = re.compile(
    r"[^;.(\d]{0,34}?\b(?:ago|yesterday|last\s+(?:week|month|year|visit|time|night)|then\b(?!\s+\d)|at\s+(?:its|the|his|her)\s+"
    r"(?:worst|best|peak|highest|lowest)|at\s+(?:discharge|admission|presentation|baseline|arrival)|on\s+(?:admission|"
    r"arrival|presentation)|previously|earlier|atr[áa]s|ontem|anteriormente|na\s+(?:admiss[ãa]o|alta))",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:yesterday|best|worst|(?:day|time|morning)\s+of\s+(?:admission|arrival|presentation)|on\s+(?:admission|arrival|presentation)|at\s+(?:admission|arrival|presentation)|"
    r"previously|previous|prior|admission\s+labs?|dia\s+da\s+(?:admiss[ãa]o|interna[çc][ãa]o)|ontem|na\s+admiss[ãa]o|pr[ée]vi[oa]|anterior)\b[^;.\d]{0,24}\Z",
    re.IGNORECASE,
)
_NOT_OF_TODAY = re.compile(
    r"\b(?:last|most recent|latest|max(?:imum|imal)?|peak|nadir|lowest|highest|admission|expected|estimated|ideal|dry|"
    r"birth|usual|[\u00fau]ltim[oa]|pico d[eoa]|m[a\u00e1]xim[oa]|m[i\u00ed]nim[oa]|nadir d[eoa]|esperad[oa]|sec[oa])"
    r"\s+(?:known\s+|recorded\s+|measured\s+)?[^;.,:\d]{1,24}:?\s*\Z|"
    r"\b(?:peak(?:ed)?|nadir|lowest|highest|pico)\s*(?:of|was|at|to|de|foi(?:\s+de)?|em)?\s*:?\s*\Z|"
    r"\b(?:peso|weight|wt)\s+(?:seco|ideal|habitual|usual|ao nascer)\b[^;.,\d]{0,10}\Z",
    re.IGNORECASE,
)
"""`Last Cr 1.1`, `peak troponin 2.3`, `dry weight 80`: of a day that is not named, or no result."""
_TODAY = re.compile(
    r"\s*(?:[a-z%/\u00b5\u03bc][\w/%]{0,8}\s*)?\(?(?:today|now|this (?:morning|afternoon|visit)|hoje|agora)\b",
    re.IGNORECASE,
)
_NO_RESULT = re.compile(
    r"\b(?:until|unless|when|once|if|whenever|should|at[ée]|quando|se)\b[^;.]{0,30}\Z|"
    r"\b(?:gain|loss|rise|fall|drop|ganho|perda|queda)\s+(?:of|de)\s+\Z|"
    r"\b(?:day|week|month|hour|dia|semana|m[êe]s|hora|step)\s+\Z",
    re.IGNORECASE,
)
_STILL_RESULT = re.compile(r"\b(?:when|once|quando)\b[^;.]{0,24}\b(?:was|were|came|read|era|foi)\b", re.IGNORECASE)


def is_no_result(text: str, start: int) -> bool:
    """Whether what stands before a number says that it is a condition, a difference or a count of days."""
    before = text[max(0, start - 60) : start]
    return bool(_NO_RESULT.search(before)) and not _STILL_RESULT.search(before)


def month_named(text: str, start: int, end: int, written: str) -> str:
    """`YYYY-MM`, or `YYYY`, where a month or a year stands with a number; empty without one.

    Args:
        text: the sentence.
        start: where the number begins.
        end: where it ends.
        written: ISO date of the note.
    """
    dated = _YEAR_BEHIND.match(text, end)
    if dated:
        return f"{dated['year']}-{_MONTHS[dated['month'].lower()]:02}" if dated["month"] else dated["year"]
    found = _MONTH_BEHIND.match(text, end) or _MONTH_BEFORE.search(text[max(0, start - 50) : start])
    return last_month(_MONTHS[found["month"].lower()], written) if found and len(written) >= 7 else ""


_AGO = re.compile(
    r"[^;.(\d]{0,16}?\b\d{1,3}\s*(?:hours?|days?|weeks?|months?|years?|dias?|semanas?|meses|m[êe]s|anos?)\s+"
    r"(?:ago|atr[áa]s|prior|earlier|before|antes)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"[^;.(\d]{0,12}?\b(?:on|last|na|no)\s+(?:last\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|"
    r"[^;.(\d]{0,12}?\bprior\s+to\s+admission\b",
    re.IGNORECASE,
)


def is_elsewhen(text: str, start: int, end: int) -> bool:
    """Whether the words around a number put it on a day that they do not name."""
    before = text[max(0, start - 50) : start]
    if _NOT_OF_TODAY.search(before) or _AGO.match(text, end) or _WEEKDAY.match(text, end):
        return True
    return bool(_BEHIND.match(text, end) or _BEFORE.search(before))


def is_of_today(text: str, end: int) -> bool:
    """Whether the words behind a number say that it is of the note's own day: `1.4 on 2/10 and 1.6 today`."""
    return _TODAY.match(text, end) is not None
