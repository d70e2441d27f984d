"""Of which day a stated amount must be: the latest, the first, the one named; an event is dated by nothing here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.answer import QuestionKind

_EVENT = re.compile(
    r"\b(?:before|after|following|prior to|at the time of|during|since|until|once|antes|ap[óo]s|depois|na época|quando"
    r"|durante|when)\b",
    re.IGNORECASE,
)
_LATEST = re.compile(r"\b(?:most recent(?:ly)?|mais recente(?:mente)?)\b", re.IGNORECASE)
_NOW = re.compile(r"\A\W*(?:what|how|which|qual|quanto)\b[^?]{0,20}?\b(?:is|are|[ée])\b(?!\s+given)", re.IGNORECASE)
_ASKS_WHEN = re.compile(r"\A\s*(?:when|quando)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class When:
    """The time that a question asks of.

    Attributes:
        kind: `latest` or `first`; anything else asks for no end of the record.
        period: the start of an ISO date, or empty.
        is_carried: what is asked goes on until it is changed, as a dose does.
        is_event: the question ties the time to an event whose day is not known.
        after: an ISO day; only what is of a later one counts.
    """

    kind: QuestionKind
    period: str
    is_carried: bool
    is_event: bool
    after: str = ""

    def days(self, stated: Sequence[str]) -> frozenset[str]:
        """Of the ISO days of which amounts are stated, those that answer; all of them where nothing here can tell."""
        if self.is_event:
            return frozenset(stated)
        stated = [day for day in stated if day > self.after]
        if self.period and not (self.kind == "latest" or self.is_carried):
            return frozenset(day for day in stated if day.startswith(self.period))
        known = [day for day in stated if day and (not self.period or day[: len(self.period)] <= self.period)]
        if self.kind == "first" and not self.period:
            return frozenset(sorted(known)[:1])
        if self.kind == "latest" or self.period:
            return frozenset(sorted(known)[-1:])
        return frozenset(stated)


def read_when(question: str, kind: QuestionKind, period: str, *, is_carried: bool, is_record: bool = True) -> When:
    """The time a question asks of. What a value *is* in a patient's record is the latest one.

    >>> read_when("What was the INR before the operation?", "fact", "", is_carried=False).is_event
    True
    """
    if kind == "fact" and (_LATEST.search(question) or (is_record and _NOW.search(question))):
        kind = "latest"
    is_event = bool(_EVENT.search(question)) and not _ASKS_WHEN.match(question)
    return When(kind, period, is_carried, is_event and not period)
