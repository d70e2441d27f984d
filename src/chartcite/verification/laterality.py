"""Sides of a claim against those of the evidence."""

from __future__ import annotations

from collections.abc import Sequence
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
    for side in claim.sides:
        same = [s for s in evidence.sides if s.name == side.name]
        others = [s for s in evidence.sides if s.name != side.name]
        if not same:
            if others:
                vetoes.append(_veto(side, others[0], claim, evidence, "the source has another side"))
            else:
                missing.append(side.at)
            continue
        target = {word.at for word in claim.content if side.first <= word.at < side.last}
        near = [part for part in around if part.at in target] or list(around)
        item = (side.at, claim.layout.segments[side.at])
        if belongs_elsewhere(item, [s.at for s in same], [s.at for s in others], near, evidence):
            vetoes.append(_veto(side, others[0], claim, evidence, "the source says this side of something else"))
    return Sides(tuple(vetoes), tuple(missing))


def _veto(side: Side, other: Side, claim: Analysed, evidence: Evidence, why: str) -> Veto:
    token = claim.tokens[side.at]
    place = evidence.places[other.at]
    span = Span(claim.span.start + token.start, claim.span.start + token.end)
    return Veto("side", span, token.text, place.source_id, place.span, why)
