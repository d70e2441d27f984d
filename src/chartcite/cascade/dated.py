"""Dated statements: of all sentences that state what was asked, those of the latest, the first or the named day.

Serves questions for a value or dose only; everything else is ordered by relevance in `selection`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from chartcite.cascade.score.rules import Scored
from chartcite.cascade.statements import Wanted, stated_on
from chartcite.core.answer import Interpretation

MOST_READ = 60
"""Sentences whose facts are read for one question; about a millisecond each."""
_BESIDE = re.compile(r"\b(?:before|after|since|until|prior to|following|antes|ap\u00f3s|depois)\b", re.IGNORECASE)
"""The last value before an event is another question; nothing here knows when the event was."""
Fallback = Callable[[str], None]
Names = Callable[[str], bool]
Stated = tuple[str, Scored]


def statements(
    asked: Interpretation, own: Sequence[Scored], want: Wanted, names: Names, fallback: Fallback
) -> list[Scored]:
    """The statements that answer, best first; empty if the question is not of this kind or none was found.

    Args:
        asked: its kind and period.
        own: the patient's sentences, graded.
        want: what a value is wanted of.
        names: whether a sentence, with the headers above it, has the words for that.
        fallback: told when the statement is older than the period that was named.
    """
    if not want or not (asked.kind in ("latest", "first") or asked.period) or _BESIDE.search(asked.query):
        return []
    named = [
        s for s in own if s.candidate.date and any(c.isdigit() for c in s.candidate.text) and names(s.candidate.said)
    ]
    if asked.kind == "first" and not asked.period:
        return [s for _, s in sorted(_read(_oldest(named), want), key=_first)]
    if not asked.period:
        return [s for _, s in _newest_of(named, want)]
    inside = [(day, s) for day, s in _read(_since(named, asked.period), want) if day.startswith(asked.period)]
    if inside:
        return [s for _, s in _by_day(inside)] if asked.kind == "latest" else [s for _, s in inside]
    if asked.kind != "latest" and not want.drugs:
        return []  # a value of another day is no value of this one; a dose goes on until it is changed
    earlier = [s for s in named if s.candidate.date[: len(asked.period)] < asked.period]
    found = _newest_of(earlier, want)
    if found:
        fallback("before_the_period")
    return [s for _, s in found]


def _newest_of(named: Sequence[Scored], want: Wanted) -> list[Stated]:
    """From the newest note backwards, as long as an older one may still tell of a later day."""
    found: list[Stated] = []
    for s in sorted(named, key=_newest)[:MOST_READ]:
        if found and s.candidate.date[:10] < max(day for day, _ in found):
            break
        found += _read([s], want)
    return _by_day(found)


def _by_day(found: Sequence[Stated]) -> list[Stated]:
    newest = sorted(found, key=lambda f: (f[1].candidate.order, f[1].probability), reverse=True)
    return sorted(newest, key=lambda f: f[0], reverse=True)


def _first(found: Stated) -> tuple[str, float, int, int]:
    """The oldest day; of what is stated of one day, the most relevant."""
    day, s = found
    return day, -s.probability, s.candidate.order, s.candidate.start


def _newest(scored: Scored) -> tuple[int, float, int]:
    return -scored.candidate.order, -scored.probability, scored.candidate.start


def _oldest(named: Sequence[Scored]) -> list[Scored]:
    return sorted(named, key=lambda s: (s.candidate.order, -s.probability, s.candidate.start))[:MOST_READ]


def _since(named: Sequence[Scored], period: str) -> list[Scored]:
    """What was written in the period first, then what may tell of it later."""
    written = [s for s in named if s.candidate.date[: len(period)] >= period]
    return sorted(written, key=lambda s: (not s.candidate.date.startswith(period), -s.probability))[:MOST_READ]


def _read(candidates: Sequence[Scored], want: Wanted) -> Iterator[Stated]:
    for s in candidates:
        day = stated_on(s.candidate.text, s.candidate.date[:10], want, s.candidate.head)
        if day is not None:
            yield day, s
