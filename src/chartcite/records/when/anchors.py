"""The days of admission, operation and discharge that a document states itself.

A field (`Admission Date:`) says it for the whole note. Prose (`admitted on 3/6`) counts where there is no field, is of
the patient, is not told of an earlier stay and lies at most some months back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta

from chartcite.core.documents import Span
from chartcite.records.refused import is_of_another
from chartcite.records.when.resolved import Anchor, Event, Resolved

LEAD = 90
"""How far before its date an event may be named."""
_PROSE_DAYS = 120
_Leads = tuple[tuple[Event, re.Pattern[str]], ...]
_FIELDS: _Leads = (
    (
        "admission",
        re.compile(
            r"(?:(?:date|day)\s+of\s+admission|(?<!\bicu\s)(?:admission|admit)\s+date|"
            r"data\s+d[ae]\s+(?:admiss[ãa]o|interna[çc][ãa]o))\s*[:\-]?\s*\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "operation",
        re.compile(
            r"(?:date\s+of\s+(?:the\s+)?(?:surgery|operation|procedure)|(?:surgery|operation|operative|procedure)\s+date|"
            r"data\s+d[ae]\s+(?:cirurgia|opera[çc][ãa]o|procedimento))\s*[:\-]?\s*\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "discharge",
        re.compile(
            r"(?:date\s+of\s+discharge|discharge\s+date|data\s+d[ae]\s+alta(?:\s+hospitalar)?)\s*[:\-]?\s*\Z",
            re.IGNORECASE,
        ),
    ),
)
_PROSE: _Leads = (
    (
        "admission",
        re.compile(
            r"\b(?:admitted(?:\s+to\s+(?:our|the|this)\s+(?:hospital|facility|floor|ward))?(?:\s+(?:on|in))?|"
            r"(?:internad[oa]|admitid[oa]|admiss[ãa]o|interna[çc][ãa]o)\s+(?:hospitalar\s+)?(?:em|no\s+dia|dia))\s*\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "operation",
        re.compile(
            r"\b(?:(?:underwent|s/p|status\s+post|post)\b[^.;:\n]{2,60}?(?:\s+(?:on|of)|\s*\(|,)?|"
            r"(?:taken|brought)\s+to\s+the\s+(?:operating\s+room|or)\s+on|operated\s+on|"
            r"submetid[oa]\s+a\b[^.;:\n]{2,60}?(?:em|no\s+dia|dia|\()|"
            r"(?:operad[oa]|cirurgia|opera[çc][ãa]o)\s+(?:em|no\s+dia|dia))\s*\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "discharge",
        re.compile(
            r"\b(?:discharged(?:\s+(?:home|to\s+\w+))?(?:\s+on)?|alta(?:\s+hospitalar)?\s+(?:em|no\s+dia|dia))\s*\Z",
            re.IGNORECASE,
        ),
    ),
)
MAY_STATE = re.compile(
    r"admi|intern|surg|operat|procedu|cirurg|opera[çcd]|proced|discharg|\balta\b|underwent|s/p|status\s+post|\bpost\b|"
    r"submetid|taken\s+to|brought\s+to",
    re.IGNORECASE,
)
"""Some word of every lead: what stands near a date that may be an event's."""
_EARLIER = re.compile(
    r"\b(?:previous(?:ly)?|prior|last|earlier|again|plan\w*|schedul\w*|will|before|anterior\w*|pr[ée]vi[oa]\w*|previst[oa]|"
    r"marcad[oa]|agendad[oa]|[úu]ltim[oa]|programad[oa]|m[ãa]e|mother|father|pai)\b",
    re.IGNORECASE,
)


def stated_events(text: str, days: Sequence[Resolved], written: date | None) -> dict[Event, tuple[Anchor, ...]]:
    """Of each event the places that state its day, in the order of the text.

    Args:
        text: the document.
        days: the days that its words name, spans of `text`.
        written: its own day; what lies after it is planned.
    """
    fields: dict[Event, list[Anchor]] = defaultdict(list)
    prose: dict[Event, list[Anchor]] = defaultdict(list)
    for one in days:
        if one.basis != "words" or not one.day or (written and one.day > written.isoformat()):
            continue
        before = text[max(0, one.span.start - LEAD) : one.span.start]
        if found := _led(before, one, _FIELDS):
            fields[found.event].append(found)
            continue
        before = re.split(r"[\n;]|[.!?]\s", before)[-1]
        found = _led(before, one, _PROSE)
        if found and _is_of_now(text, before, one, written):
            prose[found.event].append(found)
    return {
        event: tuple(fields.get(event) or prose[event]) for event in (*fields, *(e for e in prose if e not in fields))
    }


def _led(before: str, one: Resolved, leads: _Leads) -> Anchor | None:
    """The event whose words stand right before a day."""
    for event, lead in leads:
        if found := lead.search(before):
            start = one.span.start - len(before) + found.start()
            return Anchor(event, one.day, Span(start, one.span.end))
    return None


def _is_of_now(text: str, before: str, one: Resolved, written: date | None) -> bool:
    """Whether prose tells of the patient's own event, and of none that is long past."""
    end = text.find("\n", one.span.end)
    whole = before + text[one.span.start : end if end >= 0 else len(text)][:200]
    if is_of_another(whole) or _EARLIER.search(before):
        return False
    return written is None or date.fromisoformat(one.day) >= written - timedelta(days=_PROSE_DAYS)
