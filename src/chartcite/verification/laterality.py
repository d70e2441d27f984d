"""Sides of a claim against those of the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.sides import Side
from chartcite.verification.analysis import Analysed
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import Context, belongs_elsewhere
from chartcite.verification.verdicts import Veto


class Sides(NamedTuple):
    """Vetoes, and the tokens of the claim's side words that nothing accounts for."""

    vetoes: tuple[Veto, ...]
    missing: tuple[int, ...]


def check_sides(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> Sides:
    """Account for each side word of the claim."""
    vetoes: list[Veto] = []
    missing: list[int] = []
    stated = [*evidence.sides, *_in_phrases(evidence)] if claim.sides else []
    places = {side.at for side in evidence.sides}
    for side in claim.sides:
        same = [s for s in stated if s.name == side.name]
        others = [s for s in stated if s.name != side.name]
        if not same:
            if others:
                vetoes.append(_veto(side, others[0], claim, evidence, "the source has another side"))
            else:
                missing.append(side.at)
            continue
        spots, rivals = [s.at for s in same], [s.at for s in others]
        target = {word.at for word in claim.content if side.first <= word.at < side.last}
        # "OD" is the right eye: as the place of "eye" it tells nothing of what the eye has.
        telling = [part for part in around if places.isdisjoint(part.places)]
        near = [part for part in telling if part.at in target] or telling
        item = (side.at, claim.layout.segments[side.at])
        if belongs_elsewhere(item, spots, rivals, near, evidence) or _is_of_other_side(
            item, same, others, around, evidence
        ):
            vetoes.append(_veto(side, others[0], claim, evidence, "the source says this side of something else"))
    return Sides(tuple(vetoes), tuple(missing))


def _in_phrases(evidence: Evidence) -> Iterator[Side]:
    """The sides inside listed phrases, which are one token: `right atrium`."""
    for at, text in enumerate(evidence.texts):
        first, _, rest = text.partition(" ")
        if rest and first in ("left", "right"):
            yield Side("left" if first == "left" else "right", at, at, at + 1)


def _is_of_other_side(
    item: tuple[int, int], same: Sequence[Side], others: Sequence[Side], around: Sequence[Context], evidence: Evidence
) -> bool:
    """Whether something that the claim says of a side is only said of the other: `left kidney normal, right absent`."""
    at, segment = item
    own, other = {evidence.segments[s.at] for s in same}, {evidence.segments[s.at] for s in others}
    votes = set()
    for part in around:
        if part.at == at or part.segment != segment:
            continue
        near = {_nearest_side(p, own, other, evidence) for p in part.places}
        if len(near) == 1:
            votes |= near
    return votes == {"other"}


def _nearest_side(place: int, own: set[int], other: set[int], evidence: Evidence) -> str:
    """Which side a word is said of: that of its segment, else the last one before it in its sentence."""
    sentence = evidence.sentences[place]
    at = place
    while at >= 0 and evidence.sentences[at] == sentence:
        segment = evidence.segments[at]
        if segment in own and segment in other:
            return ""
        if segment in own:
            return "own"
        if segment in other:
            return "other"
        at -= 1
    return ""


def _veto(side: Side, other: Side, claim: Analysed, evidence: Evidence, why: str) -> Veto:
    token = claim.tokens[side.at]
    place = evidence.places[other.at]
    span = Span(claim.span.start + token.start, claim.span.start + token.end)
    return Veto("side", span, token.text, place.source_id, place.span, why)
