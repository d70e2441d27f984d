"""Statements: sentences that give the patient's own value or dose of what was asked, and the day they speak of.

Deterministic; used to answer what was latest, first, or so on a day. A goal, a plan, a refused prescription and another
person's drug are no statements, however they are worded; a value retold later belongs to the day it is told of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chartcite.core.documents import Span
from chartcite.facts.dates import find_dates
from chartcite.facts.doses import Dose
from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import Measurement, find_names
from chartcite.facts.quantities import Quantity
from chartcite.facts.read import SentenceFacts, read_facts
from chartcite.records.refused import is_not_taken, is_of_another

_AMBIGUOUS = re.compile(r"\?(\d\d)/(\d\d)/(\d{4})")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_DATED = re.compile(r"[^;,.\d]{0,28}")
"""What may stand between a value and its own date."""
_DOSE = re.compile(r"\b(?:doses?|dosage|taken?|taking|prescribed|tom\w+)\b", re.IGNORECASE)
_LEADER = re.compile(r"\.{4,}")
"""`Calcium ........ 8.5 mg/dL`"""
_ORDERED = re.compile(
    r"\A\s*(?:assessment(?: and plan)?|a/p|plan|impression|orders?|plano|conduta)\s*:\s*", re.IGNORECASE
)
"""`Plan: warfarin is raised to 5 mg` is an order, no possibility."""
_AT_THE_HEAD = 12
_STARTS = re.compile(r"\b(?:will|to) (?:start|begin|take|continue)\b", re.IGNORECASE)
_DOUBTS = re.compile(r"\b(?:if|consider|may|might|could|would|unless|should)\b", re.IGNORECASE)
_OTHERS = frozenset(("family", "hypothetical", "absent"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question wants a value of: names of the fact lists, and the question's words for them, lower case."""

    analytes: frozenset[str]
    drugs: frozenset[str]
    words: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.analytes or self.drugs)


NOTHING = Wanted(frozenset(), frozenset())


def wanted(query: str) -> Wanted:
    """The measured things and the drugs that a question names."""
    line = read_line(query)
    drugs, names = find_drugs(line), find_names(line)
    if not _DOSE.search(query):
        drugs = tuple(d for d in drugs if not any(overlap(m.span, d.span) for m in names))  # potassium, vitamin B12
    else:
        names = [m for m in names if not any(overlap(m.span, d.span) for d in drugs)]
    spans = [*(m.span for m in names), *(d.span for d in drugs)]
    words = frozenset(word for span in spans for word in query[slice(*span)].lower().split())
    return Wanted(frozenset(v.name for m in names for v in m.values), frozenset(d.name for d in drugs), words)


def stated_on(text: str, written: str, want: Wanted) -> str | None:
    """The day for which a sentence states the patient's value or dose; None if it states none.

    Args:
        text: one sentence.
        written: ISO date of its note, which is the day unless the sentence names an earlier one.
        want: what is asked for.
    """
    if is_of_another(text):
        return None
    text = _LEADER.sub(lambda dots: " " * len(dots[0]), _ORDERED.sub("", text, count=1))
    facts = read_facts(text, 0, len(text))
    days = [*_measured(text, facts, want, written), *_dosed(text, facts, want, written)]
    return max(days) if days else None


def _measured(text: str, facts: SentenceFacts, want: Wanted, written: str) -> Iterator[str]:
    dates = list(_days(text))
    for one in facts.measurements:
        if one.name in want.analytes and not _is_of_others(one.span, facts):
            yield from _of_values(text, one, dates, written)


def _of_values(text: str, one: Measurement, dates: Sequence[tuple[int, int, str]], written: str) -> Iterator[str]:
    for value in one.values:
        if value.role != "result" or _is_range(value.quantity):
            continue
        start, end = value.quantity.span
        between = [day for at, to, day in dates if one.span.end <= at and to <= start]
        own = [day for start, _, day in dates if start >= end and _DATED.fullmatch(text[end:start])]
        head = [day for start, _, day in dates if start <= _AT_THE_HEAD and len(dates) == 1]
        yield min([written, *(own or between or head)[:1]])


def _is_range(quantity: Quantity) -> bool:
    return quantity.low != quantity.high and quantity.kind != "pressure"


def _dosed(text: str, facts: SentenceFacts, want: Wanted, written: str) -> Iterator[str]:
    if not want.drugs or is_not_taken(text):
        return
    dates = list(_days(text))
    for dose in facts.doses:
        if dose.strength is not None and dose.drug.name in want.drugs and not _is_refused(text, dose, facts):
            yield min([written, *([dates[0][2]] if len(dates) == 1 else [])])


def _is_refused(text: str, dose: Dose, facts: SentenceFacts) -> bool:
    """`He will start` is a prescription, `would start` and `consider` are none."""
    is_order = bool(_STARTS.search(text)) and not _DOUBTS.search(text)
    return _is_of_others(dose.drug.span, facts, _OTHERS - {"hypothetical"} if is_order else _OTHERS)


def _is_of_others(span: Span, facts: SentenceFacts, others: frozenset[str] = _OTHERS) -> bool:
    return any(overlap(span, s.span) and others & set(s.names) for s in facts.standings)


def _days(text: str) -> Iterator[tuple[int, int, str]]:
    """Whole dates; of one that can be read two ways the earlier reading, since what is retold is never the news."""
    for start, end, form in find_dates(text):
        if _ISO.fullmatch(form):
            yield start, end, form
        elif found := _AMBIGUOUS.fullmatch(form):
            a, b, year = found.groups()
            yield start, end, f"{year}-{min(a, b)}-{max(a, b)}"
