"""Which other values of the evidence a claim's value could have been taken for, and whether the claim does so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Measure
from chartcite.verification.clauses import binds
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import Context, belongs_elsewhere


def is_anothers(
    measure: Measure, fitting: Sequence[Measure], found: Mapping[Measure, Sequence[Measure]],
    context: Sequence[Context], evidence: Evidence,
) -> bool:  # fmt: skip
    """Whether the claim gives the value to something else than the evidence does."""
    rivals = [r.at for r in rivals_of(measure, fitting, evidence)]
    if not rivals:
        return False
    governors = frozenset(at for o in fitting for at in _governors(o, evidence))
    spots = [o.at for o in fitting]
    if _is_day(measure):
        governors |= {at for part in context for at in part.places if _date_of(at, evidence) in spots}
    claimed = [m for m, others in found.items() if m is not measure and {o.at for o in others} & set(rivals)]
    # A word that stands by another value of the claim speaks for that one, which is checked for itself.
    voters = [part for part in context if all(_apart(part, m) >= _apart(part, measure) for m in claimed)]
    item = (measure.at, measure.segment)
    own = [part for part in voters if part.segment == measure.segment]
    # What stands with the value in the claim has the first say, whatever else the sentence speaks of.
    if belongs_elsewhere(item, rivals, spots, own, evidence):
        return False
    return belongs_elsewhere(item, spots, rivals, voters, evidence, governors=governors)


def _apart(part: Context, measure: Measure) -> int:
    return abs(part.at - measure.at) + (_OTHER_SEGMENT if part.segment != measure.segment else 0)


_OTHER_SEGMENT = 8


def _governors(measure: Measure, evidence: Evidence) -> set[int]:
    """What holds for a value though it may stand nearer to another: its subject, the date it was said under.

    In `lesion 20 mm, previously 14 mm` the lesion is that of both.
    """
    goes_on = _goes_on(measure, evidence)
    # "Peaked at 2.8, then 1.8": what was done to the one value is not said of the next.
    out = {w.at for w in measure.owners if w.segment == measure.segment or (goes_on and not binds(w.text))}
    date = _date_of(measure.at, evidence)
    return out if date is None else out | {date}


def _is_day(measure: Measure) -> bool:
    return measure.quantity.kind == "date" and ":" not in measure.quantity.when


def _date_of(at: int, evidence: Evidence) -> int | None:
    """The date that a place of the evidence stands under: the last before it in the sentence, else the first behind."""
    dates = [m.at for m in evidence.measures if _is_day(m) and evidence.sentences[m.at] == evidence.sentences[at]]
    before = [date for date in dates if date < at]
    return before[-1] if before else next(iter(dates), None)


_BRIDGES = word_set(
    "was were is now then previously prev previous prior baseline at on in to from of and about up down last today"
)


def _goes_on(measure: Measure, evidence: Evidence) -> bool:
    """Whether its segment says nothing before it but when: `lesion 20 mm, previously 14 mm`."""
    at = measure.at - 1
    while at >= 0 and evidence.segments[at] == measure.segment and evidence.texts[at] in _BRIDGES:
        at -= 1
    return at < 0 or evidence.segments[at] != measure.segment or evidence.texts[at] in (",", "(", ";", "then", "and")


def rivals_of(measure: Measure, equal: Sequence[Measure], evidence: Evidence) -> list[Measure]:
    """Quantities of the same sort and another value, which could have been confused with it."""
    mine = equal[0].quantity
    is_bare = bool(mine.unit.name) and not measure.quantity.unit.name

    def is_alike(other: Measure) -> bool:
        theirs = other.quantity
        if mine.kind == "date" and (":" in mine.when) != (":" in theirs.when):
            return False
        if is_bare:
            return True
        # A body weight is never taken for a dose.
        size = theirs.unit.factor / mine.unit.factor
        return theirs.unit.dimension == mine.unit.dimension and Fraction(1, 1000) <= size <= 1000

    spots = {n for m in equal for n in _one_size(m, evidence)}
    return [
        m
        for m in evidence.measures
        if m not in equal and m.at not in spots and m.quantity.kind == mine.kind and m.quantity != mine and is_alike(m)
    ]


_LAST = word_set("last latest recent")


def is_last_time(measure: Measure, evidence: Evidence) -> bool:
    """Whether it says how long ago something was for the last time: `last used 4 months ago`."""
    start = measure.at
    while start > 0 and evidence.segments[start - 1] == measure.segment:
        start -= 1
    return measure.role == "ago" and not _LAST.isdisjoint(evidence.texts[start : measure.at])


_SIDES = frozenset(("x", "×", "by"))
_LISTING = frozenset(("and", ",", "or", "&"))


def _one_size(measure: Measure, evidence: Evidence) -> set[int]:
    """The places of the other sides of one size (`4.2 x 3.1 cm`), of the other dates of one list (`2019, 2022`)."""
    places = {m.at for m in evidence.measures if m.quantity.kind == measure.quantity.kind}
    links = _LISTING if measure.quantity.kind == "date" else _SIDES
    out = set()
    for step in (2, -2):
        at = measure.at
        while at + step in places and evidence.texts[at + step // 2] in links:
            at += step
            out.add(at)
    return out
