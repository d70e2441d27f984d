"""Sides of a claim against those of one source sentence."""

from __future__ import annotations

from typing import NamedTuple

from chartcite.core.documents import Span
from chartcite.facts.sides import Side
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.verdicts import Veto


class SideScope(NamedTuple):
    """The claim's tokens that are checked; for each of its clauses the source's clauses that hold its words."""

    tokens: frozenset[int]
    homes: dict[int, set[int]]


def check_sides(claim: Analysed, source: Analysed, source_id: str, scope: SideScope) -> tuple[list[Veto], list[str]]:
    """Vetoes, and the claim's side words that nothing accounts for.

    Args:
        claim: the claim.
        source: one sentence of the source.
        source_id: where it comes from.
        scope: which of the claim's sides are checked, and where the source must say them.
    """
    vetoes: list[Veto] = []
    uncovered: list[str] = []
    for side in claim.sides:
        if side.at not in scope.tokens:
            continue
        token = claim.tokens[side.at]
        span = Span(claim.span.start + token.start, claim.span.start + token.end)
        same, other = _sides_of(side, claim, source, scope.homes.get(claim.layout.clauses[side.at], set()))
        if same:
            continue
        if other is None:
            uncovered.append(token.text)
        else:
            there = source.tokens[other.at]
            where = Span(source.span.start + there.start, source.span.start + there.end)
            vetoes.append(Veto("side", span, token.text, source_id, where, "the source has another side"))
    return vetoes, uncovered


def _target(side: Side, sentence: Analysed) -> list[Word]:
    return [word for word in sentence.content if side.first <= word.at < side.last]


def _sides_of(side: Side, claim: Analysed, source: Analysed, homes: set[int]) -> tuple[bool, Side | None]:
    """Whether the source says this side of the same thing; else the side it says, if any."""
    wanted = _target(side, claim)
    other = None
    for stated in source.sides:
        keys = frozenset[str]().union(*(word.keys.union(*word.parts) for word in _target(stated, source)))
        # The nearest word is the part of the body, the rest says what is wrong with it.
        is_same_thing = not wanted or bool(wanted[0].keys & keys) or bool(wanted[-1].keys & keys and len(wanted) == 1)
        is_home = not homes or source.layout.clauses[stated.at] in homes
        if is_same_thing and is_home and stated.name == side.name:
            return True, None
        if is_same_thing or stated.name != side.name:
            other = stated
    return False, other
