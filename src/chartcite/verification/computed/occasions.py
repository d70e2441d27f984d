"""How often something was done, with a list of its days: `upper endoscopy is recorded 2 times: D, D`.

Each day must have a cited sentence that tells of it; that the record has no other day is not for a citation to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed
from chartcite.verification.computed.atoms import Atom
from chartcite.verification.computed.days import bounds
from chartcite.verification.computed.findings import OPEN, Finding, wrong
from chartcite.verification.computed.stated import Cited
from chartcite.verification.computed.told import told_on

_FRAME = word_set("recorded is was done performed time times consta registrado registrada foi em in vez vezes")


@dataclass(frozen=True, slots=True)
class Occasions:
    """Something named by the atoms before its count, and the days behind the colon; `period` is an atom or -1."""

    what: range
    count: int
    days: tuple[int, ...]
    period: int = -1


def read_occasions(atoms: Sequence[Atom]) -> Occasions | None:
    """A name, a number of times, a colon, a list of days and nothing else; None for any other sentence."""
    counts = [i for i, atom in enumerate(atoms) if atom.kind == "count" or _is_number_of_times(atoms, i)]
    colon = next((i for i, atom in enumerate(atoms) if atom.text == ":"), 0)
    if len(counts) != 1 or not 0 < counts[0] < colon:
        return None
    tail = atoms[colon + 1 :]
    if not all(a.kind == "date" or a.text in (",", ".", "and", "e") for a in tail):
        return None
    listed = tuple(i for i in range(colon + 1, len(atoms)) if atoms[i].kind == "date")
    head = [i for i in range(colon) if i not in counts and atoms[i].kind not in ("word", "mark")]
    if not listed or any(atoms[i].kind != "date" for i in head) or len(head) > 1:
        return None
    end = next((i for i in range(colon) if atoms[i].text in _FRAME or i in (*head, *counts)), counts[0])
    return Occasions(range(end), counts[0], listed, head[0] if head else -1) if end else None


def _is_number_of_times(atoms: Sequence[Atom], i: int) -> bool:
    is_plain = atoms[i].kind == "value" and not atoms[i].quantity.unit.name and not atoms[i].quantity.comparator
    return is_plain and i + 1 < len(atoms) and atoms[i + 1].text in ("time", "times", "vez", "vezes")


def check_occasions(found: Occasions, atoms: Sequence[Atom], claim: Analysed, cited: Cited) -> Finding:
    """Say whether each listed day has a sentence that tells of it, and their number is right."""
    start = claim.span.start
    span = Span(start + atoms[0].start, start + atoms[found.what[-1]].end)
    forms = [atoms[i].quantity.when for i in found.days]
    sources = [set(told_on(span, form, claim, cited)) for form in forms]
    if not all(sources):
        return OPEN
    at = (atoms[found.count].start, atoms[found.count].end)
    if len(set(forms)) != atoms[found.count].quantity.low:
        return wrong("number", "so many are not listed", at, None)
    if found.period >= 0 and not all(_is_within(form, atoms[found.period].quantity.when) for form in forms):
        return OPEN
    return Finding(True, sources=frozenset().union(*sources))


def _is_within(form: str, period: str) -> bool:
    day, whole = bounds(form), bounds(period)
    return day is not None and whole is not None and whole[0] <= day[0] and day[1] <= whole[1]


def spans_of(found: Occasions, atoms: Sequence[Atom]) -> tuple[tuple[int, int], ...]:
    """All of the sentence: what is named is told by the sources, the frame says how often."""
    used = [*found.what, found.count, *found.days, *([found.period] if found.period >= 0 else [])]
    used += [i for i, atom in enumerate(atoms) if atom.text in _FRAME]
    return tuple((atoms[i].start, atoms[i].end) for i in sorted(set(used)))
