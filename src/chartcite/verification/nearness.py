"""What belongs to what, by nearness: which of several candidates in the evidence a claim's item must mean.

A value, a side, a verb of change, a denial: when the evidence says one thing of A and another of B, a claim about A must be
given A's. The words of the claim around the item vote: each for the candidate or for its rival, whichever stands nearer
to it in the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chartcite.verification.evidence import Evidence

_SEGMENT = 8
_SENTENCE = 40
_MARGIN = 2


class Context(NamedTuple):
    """A part of the claim that was found in the evidence: its place in the claim and its possible places there."""

    at: int
    segment: int
    places: tuple[int, ...]


def belongs_elsewhere(
    item: tuple[int, int], candidates: Sequence[int], rivals: Sequence[int], context: Iterable[Context],
    evidence: Evidence, is_strict: bool = False,
) -> bool:  # fmt: skip
    """Whether the claim's own words put the item with a rival.

    Args:
        item: token and segment of the item in the claim.
        candidates: tokens of the evidence that say the same as the item.
        rivals: tokens that say something else of the same sort.
        context: the other parts of the claim that were found.
        evidence: where they were found.
        is_strict: whether the words of the item's own segment must all agree that it is the rival.
    """
    if not candidates or not rivals:
        return False
    at, segment = item
    against = in_favour = 0.0
    taken = set(candidates) | set(rivals)
    for part in context:
        places = [p for p in part.places if not evidence.is_header[p]]
        if part.at == at or not places or set(places) & taken or (is_strict and part.segment != segment):
            continue
        own, other = _nearest(places, candidates, evidence), _nearest(places, rivals, evidence)
        if abs(own - other) < (_SEGMENT if is_strict else _MARGIN):
            continue
        apart = abs(part.at - at) + (_SEGMENT if part.segment != segment else 0)
        if other < own:
            against += 1 / (1 + apart)
        else:
            in_favour += 1 / (1 + apart)
    return against > 0 and in_favour == 0 if is_strict else against > in_favour


def _nearest(places: Iterable[int], targets: Iterable[int], evidence: Evidence) -> int:
    targets = tuple(targets)
    return min(distance(p, t, evidence) for p in places for t in targets)


def distance(here: int, there: int, evidence: Evidence) -> int:
    """How far apart two tokens of the evidence are: by sentence, segment, then words."""
    apart = min(abs(here - there), _SEGMENT - 1)
    if evidence.sentences[here] != evidence.sentences[there]:
        return _SENTENCE + apart
    return _SEGMENT * min(abs(evidence.segments[here] - evidence.segments[there]), 4) + apart
