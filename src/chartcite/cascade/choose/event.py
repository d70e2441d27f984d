"""An event that a question ties its time to: `before the operation`, `at the time of the stay`, `na época da cirurgia`.

Only reads the question; when the event was, the timeline tells (`cascade/over_time/events.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from chartcite.facts.dates import find_dates

Relation = Literal["before", "after", "at"]
_RELATIONS: tuple[tuple[Relation, str], ...] = (
    ("before", r"before|prior to|antes d[eoa]s?"),
    ("after", r"after|following|ap[óo]s|depois d[eoa]s?"),
    ("at", r"at the time of|on the day of|during|going into|na [ée]poca d[eoa]s?|no dia d[eoa]s?|durante"),
)
_HEAD = r"\A\W*(?:(?:just|right|shortly|soon|logo|imediatamente)\s+)?"
_ONCE = re.compile(r"\A\W*once\s+(?P<event>.+?)\s+(?:was|is)\s+over,", re.IGNORECASE)
_AHEAD = tuple(
    (relation, re.compile(rf"{_HEAD}(?:{words})\s+(?P<event>[^,?]+),", re.IGNORECASE)) for relation, words in _RELATIONS
)
_BEHIND = tuple(
    (relation, re.compile(rf"\s(?:{words})\s+(?P<event>[^?]+)\?*\s*\Z", re.IGNORECASE))
    for relation, words in _RELATIONS
)
_START = re.compile(r"\A(?:the\s+)?(?:start|beginning|in[íi]cio)\s+(?:of|d[eoa])\s+", re.IGNORECASE)
_STOP = re.compile(r"\A(?:the\s+)?(?:end|stop|stopping|suspens[ãa]o|fim|t[ée]rmino)\s+(?:of|d[eoa])\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Event:
    """What the time is tied to, and how; `rest` is the question without it, `kind` a drug's start or stop."""

    relation: Relation
    noun: str
    rest: str
    kind: Literal["start", "stop", ""] = ""

    @property
    def words(self) -> str:
        """The event as the record is asked for it: `start of warfarin`."""
        return {"start": f"start of {self.noun}", "stop": f"end of {self.noun}", "": self.noun}[self.kind]

    def asking(self, name: str, day: str, *, is_drug: bool, is_portuguese: bool) -> str:
        """The question with the event's day in its place. Of the day itself nobody knows what came first."""
        if self.relation == "before":
            day = (date.fromisoformat(day) - timedelta(days=1)).isoformat()
        if is_drug:
            return (
                f"Que dose de {name} usava em {day}?" if is_portuguese else f"What dose of {name} was taken on {day}?"
            )
        asked = "Em {}, qual era o {} mais recente?" if is_portuguese else "As of {}, what was the most recent {}?"
        return asked.format(day, name)


def read_event(question: str) -> Event | None:
    """The event of a question; None without one, or where it is only a date.

    >>> read_event("What was the last weight before the start of warfarin?")
    Event(relation='before', noun='warfarin', rest='What was the last weight', kind='start')
    >>> read_event("Na época da cirurgia, qual era a dose?").noun
    'cirurgia'
    """
    found = _ONCE.search(question)
    relation: Relation = "after"
    for name, pattern in (*_AHEAD, *_BEHIND):
        if found is None:
            relation, found = name, pattern.search(question)
    if found is None or any(True for _ in find_dates(found["event"])):
        return None
    noun = found["event"].strip()
    rest = " ".join((question[: found.start()] + " " + question[found.end() :]).split())
    for kind, pattern in (("start", _START), ("stop", _STOP)):
        if pattern.match(noun):
            return Event(relation, pattern.sub("", noun), rest, kind)  # type: ignore[arg-type]
    return Event(relation, noun, rest)
