"""Statements: sentences that give the patient's own value or dose of what was asked, and the day they speak of.

They are read as the timeline reads them (`records`): a goal, a plan, a refused prescription and another person's drug
are no statements, however they are worded; a value retold later belongs to the day it is told of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chartcite.facts.drug_mentions import find_drugs
from chartcite.facts.line import overlap, read_line
from chartcite.facts.measurements import find_names
from chartcite.records.doses_stated import doses_stated
from chartcite.records.entries import Source
from chartcite.records.lines import Line
from chartcite.records.reading import FactsReader
from chartcite.records.values_stated import stated

_DOSE = re.compile(r"\b(?:doses?|dosage|taken?|taking|prescribed|tom\w+)\b", re.IGNORECASE)
_ORDERED = re.compile(
    r"\A\s*(?:assessment(?: and plan)?|a/p|plan|impression|orders?|plano|conduta)\s*:\s*", re.IGNORECASE
)
"""`Plan: warfarin is raised to 5 mg` is an order, no possibility."""


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


def stated_on(text: str, written: str, want: Wanted, head: str = "") -> str | None:
    """The last day for which a sentence states the patient's value or dose; None if it states none.

    Args:
        text: one sentence.
        written: ISO date of its note, which is the day unless the sentence names an earlier one.
        want: what is asked for.
        head: of the table that it is a row of.
    """
    said = _ORDERED.sub("", text, count=1)
    line = Line(said, Source(0, "", 0, 0, len(said), written, quote=said), written, head=head if said == text else "")
    facts_of = FactsReader()
    days = [one.day for one in stated(line, facts_of) if one.analyte in want.analytes] if want.analytes else []
    if want.drugs:
        doses = (one for one in doses_stated(line, facts_of) if one.amount is not None or one.varies)
        days += [one.day for one in doses if one.drug in want.drugs]
    return max(days, default=None)
