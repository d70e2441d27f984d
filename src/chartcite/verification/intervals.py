"""Spans of time that two dates of the evidence tell: `two weeks after A, B` from A on 3/1 and B on 3/15."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chartcite.facts.dates import seconds_between
from chartcite.verification.analysis import Analysed, Measure
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import Context
from chartcite.verification.relations import Relation, find_relations


def told_spans(
    claim: Analysed, found: Mapping[Measure, Sequence[Measure]], evidence: Evidence, around: Sequence[Context]
) -> dict[Measure, range]:
    """The claim's spans between two things that lie so far apart by their dates, with the word that orders the two."""
    spans = [m for m in claim.measures if m.quantity.kind == "duration" and not found[m] and not m.quantity.comparator]
    if not spans:
        return {}
    relations = [r for r in find_relations(claim) if r.kind == "time"]
    return {
        m: range(r.pivot, r.last)
        for m in spans
        for r in relations
        if r.pivot == m.at + 1 and _is_told(m, r, claim, around, evidence)
    }


def _is_told(
    measure: Measure, relation: Relation, claim: Analysed, around: Sequence[Context], evidence: Evidence
) -> bool:
    """Whether the two sides stand under dates that are so far apart; a subject of both may stand under either."""
    unit = measure.quantity.unit
    if unit.dimension != "time" or measure.quantity.low != measure.quantity.high:
        return False
    sides = _sides(measure, relation, claim)
    firsts, seconds = (set(_dates(side, around, evidence)) for side in sides)
    wanted = measure.quantity.low * unit.factor
    return any(seconds_between(first, second) == wanted for first in firsts for second in seconds)


def _sides(measure: Measure, relation: Relation, claim: Analysed) -> tuple[range, range]:
    """What comes first and what second; in `two weeks after A, B` both stand behind the relation's word."""
    length = len(claim.tokens)
    comma = next((i for i in range(relation.last, length) if claim.tokens[i].text == ","), None)
    if measure.at > 0 or comma is None:
        return relation.first, relation.second
    near, far = range(relation.last, comma), range(comma + 1, length)
    return (near, far) if relation.first.start >= relation.last else (far, near)


def _dates(side: range, around: Sequence[Context], evidence: Evidence) -> Iterator[str]:
    """The dates that the parts of a side stand under: that of the segment, else the only one in the sentence."""
    dates = [m for m in evidence.measures if m.quantity.kind == "date"]
    when = {m.at: m.quantity.when for m in dates}
    for part in around:
        if part.at not in side or len(part.places) != 1:
            continue
        at = part.places[0]
        same = [m.at for m in dates if evidence.sentences[m.at] == evidence.sentences[at]]
        date = evidence.dates[at] if evidence.dates[at] is not None else same[0] if len(same) == 1 else None
        if date in when:
            yield when[date]
