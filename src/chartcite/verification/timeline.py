"""Which of two places of the evidence speaks of the earlier time: by dates, words, arrows, order of writing."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise, product

from chartcite.facts.dates import readings
from chartcite.facts.lexicon import read_rows, word_set
from chartcite.facts.tokens import MARKS, fold
from chartcite.verification.clauses import BREAKS
from chartcite.verification.concepts import DATA
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import ARROWS

_THEN = word_set("then later subsequently thereafter afterwards")
_DATE = re.compile(r"(?P<year>\d{4})?(?:-(?P<month>\d\d))?(?:-(?P<day>\d\d))?(?:[T ]?(?P<clock>\d\d:\d\d))?")


def precedes(here: int, there: int, evidence: Evidence, is_value: bool = False) -> bool | None:
    """Whether one token speaks of an earlier time than another; None when nothing says so.

    Args:
        here: a token of the evidence.
        there: another one.
        evidence: where they stand.
        is_value: whether they are values, of which `was`, `on admission` and `today` say which is the earlier.
    """
    by_date = _by_date(here, there, evidence)
    if by_date is not None:
        return by_date
    if evidence.sentences[here] != evidence.sentences[there]:
        is_first, is_second = _is_last_time(here, evidence), _is_last_time(there, evidence)
        if is_first != is_second:
            return is_first
    first, second = _stance(here, evidence, is_value), _stance(there, evidence, is_value)
    if first != second:
        return first < second
    if not evidence.is_one_source(here, there):
        return None  # The order of citations says nothing.
    if evidence.sentences[here] != evidence.sentences[there]:
        return here < there
    between = evidence.texts[min(here, there) : max(here, there)]
    return here < there if any(text in ARROWS or text in _THEN for text in between) else None


def _stance(at: int, evidence: Evidence, is_value: bool) -> int:
    """Negative when the words of its segment put it into the past, 1 into the present, else 0."""
    segment = evidence.segments[at]
    start, stop = at, at + 1
    while start > 0 and evidence.segments[start - 1] == segment:
        start -= 1
    while stop < len(evidence.texts) and evidence.segments[stop] == segment:
        stop += 1
    # A conjunction is counted to the segment before it, but speaks of the one behind it, unless nothing follows.
    is_closed = stop == len(evidence.texts) or evidence.sentences[stop] != evidence.sentences[at]
    while stop > at + 1 and evidence.texts[stop - 1] in MARKS:
        stop, is_closed = stop - 1, True
    last = evidence.texts[stop - 1]
    if is_closed and last in ("before", "after"):
        return -2 if last == "before" else 1
    words = evidence.texts[max(start - 1, 0) : stop - 1 if last in BREAKS else stop]
    found = {_times().get(text) for text in words}
    if is_value and found.isdisjoint(("former", "now", "past")):
        # "After two hours: pH 7.36": the header speaks of all behind it.
        found = {_times().get(text) for text in _header(at, evidence)}
    if "former" in found:
        return -2
    if is_value and "now" in found:
        return 1
    return -1 if is_value and "past" in found else 0


def _header(at: int, evidence: Evidence) -> tuple[str, ...]:
    first = evidence.sentences.index(evidence.sentences[at])
    last = first
    while last < at and evidence.is_header[last]:
        last += 1
    return evidence.texts[first:last]


_LAST_TIME = frozenset(
    ("last", thing) for thing in ("flare", "episode", "attack", "bout", "seizure", "crisis", "exacerbation", "relapse")
)


def _is_last_time(at: int, evidence: Evidence) -> bool:
    """`Last flare in March, right knee`: the one before what is told elsewhere."""
    number = evidence.sentences[at]
    own = [text for text, sentence in zip(evidence.texts, evidence.sentences, strict=True) if sentence == number]
    return any(pair in _LAST_TIME for pair in pairwise(own))


@lru_cache(maxsize=1)
def _times() -> dict[str, str]:
    return {fold(word): time for time, words in read_rows(DATA, "times.tsv") for word in words.split("|")}


def _by_date(here: int, there: int, evidence: Evidence) -> bool | None:
    first, second = date_of(here, evidence), date_of(there, evidence)
    if first is None or second is None or first == second:
        return None
    when = {m.at: m.quantity.when for m in evidence.measures if m.at in (first, second)}
    return compare_dates(when[first], when[second])


def date_of(at: int, evidence: Evidence) -> int | None:
    """The date that holds for a token: that of its segment or before it, else the only one in its sentence."""
    if evidence.dates[at] is not None:
        return evidence.dates[at]
    number = evidence.sentences[at]
    found = [m.at for m in evidence.measures if m.quantity.kind == "date" and evidence.sentences[m.at] == number]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=4096)
def compare_dates(first: str, second: str) -> bool | None:
    """Whether a date is before another; None when one of them leaves that open.

    Of two dates such as `5/2/24` and `5/4/24` both are read with the month first, and both with the day first.
    """
    ones, others = readings(first), readings(second)
    pairs = zip(ones, others, strict=True) if len(ones) == len(others) else product(ones, others)
    found = {_is_before(one, other) for one, other in pairs}
    return found.pop() if len(found) == 1 else None


def _is_before(first: str, second: str) -> bool | None:
    ones, others = _parts(first), _parts(second)
    for a, b in zip(ones, others, strict=True):
        if a is None or b is None:
            if a is not b:
                return None
        elif a != b:
            return a < b
    return None


def _parts(when: str) -> tuple[str | None, ...]:
    if ":" in when and len(when) <= 5:
        return None, None, None, when
    if when.startswith("--"):
        month, _, day = when[2:].partition("-")
        return None, month, day or None, None
    found = _DATE.fullmatch(when)
    return tuple(found.group("year", "month", "day", "clock")) if found else (None, None, None, None)
