"""Stays in hospital that a claim dates: `the hospital stay began on D and ended on D, 7 days later`, or a list of them.

Borne out by a sentence that names both days of a stay, or by one that tells the admission and one that tells the
discharge. A discharge without a date is of the day of its note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from chartcite.facts.dates import covers
from chartcite.facts.lexicon import word_set
from chartcite.records.days import days as days_named
from chartcite.verification.computed import words as w
from chartcite.verification.computed.atoms import Atom
from chartcite.verification.computed.days import days_between, is_before, is_so_long
from chartcite.verification.computed.findings import OPEN, Finding, wrong
from chartcite.verification.computed.stated import Cited

_STAY = word_set(
    "stay stays hospital hospitalized hospitalization hospitalizations internacao internacoes internado internada"
)
_TOLD = re.compile(r"\b(?:in\s+hospital|hospital\w*|admi(?:t|ss)\w*|stay|interna\w*|admiss\w*)\b", re.IGNORECASE)
_LEFT = re.compile(r"\b(?:discharg\w*|went\s+home|alta)\b", re.IGNORECASE)
_NOT_YET = re.compile(
    r"\b(?:planned|plan|anticipat\w*|expected|will|if|once|pending|before|after|prior|previous\w*|previst[ao]|prov[áa]vel|"
    r"antes|ap[óo]s|anterior)\b",
    re.IGNORECASE,
)
_WORDS = frozenset(("hospital", "there", "were", "was", "began", "ended", "houve", "comecou", "terminou"))


@dataclass(frozen=True, slots=True)
class Stays:
    """The first and last days of stays, as atoms; the counts and the length that are told; what is understood."""

    ends: tuple[tuple[int, int], ...]
    counts: tuple[int, ...]
    spans: tuple[int, ...]
    used: frozenset[int]


def read_stays(atoms: Sequence[Atom]) -> Stays | None:
    """The stays of a sentence that says nothing else; None for any other."""
    if not any(atom.kind == "word" and atom.text in _STAY for atom in atoms):
        return None
    if any(atom.kind in ("analyte", "drug", "factor", "frequency") for atom in atoms):
        return None
    dates = [i for i, atom in enumerate(atoms) if atom.kind == "date"]
    ends = [
        (a, b) for a, b in pairwise(dates)
        if (b == a + 2 and atoms[a + 1].text in w.JOINS)
        or {"start", "stop"} <= {atom.name for atom in atoms[:b]}
    ]  # fmt: skip
    counts = [i for i, atom in enumerate(atoms) if atom.kind in ("count", "value")]
    spans = [i for i, atom in enumerate(atoms) if atom.kind == "span"]
    days = {day for pair in ends for day in pair}
    if len(days) != 2 * len(ends) or not ends or len(spans) > 1 or (spans and len(ends) != 1):
        return None
    used = {i for i, atom in enumerate(atoms) if atom.text in _STAY | _WORDS | w.PREPOSITIONS | w.BETWEEN}
    used |= {i for a, b in ends for i in range(a, b + 1)} | set(counts) | set(spans)
    used |= {i + 1 for i in (*spans, *counts) if i + 1 < len(atoms) and atoms[i + 1].name in ("after", "counted")}
    return None if len(dates) > len(days) + 1 else Stays(tuple(ends), tuple(counts), tuple(spans), frozenset(used))


def check_stays(stays: Stays, atoms: Sequence[Atom], cited: Cited) -> Finding:
    """Say whether each stay is told with both its days, and whether length and number are right."""
    for first, last in stays.ends:
        if not _is_told(atoms[first].quantity.when, atoms[last].quantity.when, cited):
            return OPEN
        if is_before(atoms[first].quantity.when, atoms[last].quantity.when) is False:
            return wrong("order", "the stay ends before it begins", _span(atoms, last), None)
    for at in stays.counts:
        if atoms[at].quantity.low != len(stays.ends):
            return wrong("number", "so many are not listed", _span(atoms, at), None)
    for at in stays.spans:
        first, last = stays.ends[0]
        length = days_between(atoms[first].quantity.when, atoms[last].quantity.when)
        holds = None if length is None else is_so_long(atoms[at].quantity, length)
        if not holds:
            why = "the cited days lie otherwise apart"
            return OPEN if holds is None else wrong("number", why, _span(atoms, at), None)
    return Finding(True)


def _is_told(first: str, last: str, cited: Cited) -> bool:
    begun, ended = False, False
    for source, text, order in cited.texts():
        if _NOT_YET.search(text):
            continue
        named = [day.iso for day in days_named(text, source.day, order)]
        has_first, has_last = (any(covers(form, day) for day in named) for form in (first, last))
        if has_first and has_last and len(named) == 2 and _TOLD.search(text):
            return True
        begun = begun or (has_first and len(named) == 1 and bool(_TOLD.search(text)))
        is_of_note = not named and bool(source.day) and covers(last, source.day)
        ended = ended or (bool(_LEFT.search(text)) and (is_of_note or (has_last and len(named) == 1)))
    return begun and ended


def _span(atoms: Sequence[Atom], at: int) -> tuple[int, int]:
    return atoms[at].start, atoms[at].end
