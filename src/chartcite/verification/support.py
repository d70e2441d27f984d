"""Accounting: everything that a claim, or one clause of it, says must be found in one sentence of a source."""

from __future__ import annotations

from dataclasses import dataclass

from chartcite.facts.lexicon import word_set
from chartcite.verification.amounts import check_amounts
from chartcite.verification.analysis import QUANTITY, Analysed
from chartcite.verification.bonds import clause_vetoes, pair_vetoes, shared_clauses
from chartcite.verification.laterality import SideScope, check_sides
from chartcite.verification.omissions import omission_vetoes
from chartcite.verification.relations import check_order, role_vetoes
from chartcite.verification.verdicts import Veto
from chartcite.verification.words import Matched, dropped_vetoes, match_words, status_vetoes


@dataclass(frozen=True, slots=True)
class Account:
    """How one source sentence accounts for a claim.

    Attributes:
        covered: content words and quantities found.
        uncovered: those not found, as written in the claim.
    """

    source_id: str
    covered: int
    uncovered: tuple[str, ...]
    vetoes: tuple[Veto, ...]

    @property
    def holds(self) -> bool:
        """Whether everything is found and nothing speaks against it."""
        return self.covered > 0 and not self.uncovered and not self.vetoes

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Higher is the better source."""
        return self.holds, self.covered - len(self.uncovered), -len(self.vetoes)


def account(claim: Analysed, source: Analysed, source_id: str, segments: frozenset[int] | None = None) -> Account:
    """Account for a claim, or for some of its segments, by one source sentence."""
    inside = frozenset(i for i in range(len(claim.tokens)) if segments is None or claim.layout.segments[i] in segments)
    matched = match_words((word for word in claim.content if word.at in inside), source)
    measures = [m for m in claim.measures if m.at in inside]
    amount_vetoes, missing = check_amounts(measures, source, claim, source_id)
    homes = shared_clauses(matched, claim)
    side_vetoes, missing_sides = check_sides(claim, source, source_id, SideScope(inside, homes))
    order_vetoes, restated = check_order(claim, source, source_id)
    said = restated | _taken(claim, source)
    uncovered = [item.word.text for item in matched if not item.hits and item.word.at not in said]
    at = claim.span.start
    uncovered += [claim.text[at + m.quantity.span.start : at + m.quantity.span.end] for m in missing]
    uncovered += missing_sides + _idle_cues(claim, inside)
    vetoes = status_vetoes(matched, claim, source_id) + amount_vetoes + side_vetoes
    if not vetoes:
        vetoes = clause_vetoes(matched, claim, source, source_id)
        vetoes += pair_vetoes(matched, source, source_id)
        vetoes += order_vetoes + role_vetoes(claim, source, source_id)
        vetoes += dropped_vetoes(matched, claim, source, source_id)
        vetoes += omission_vetoes(matched, claim, source, source_id)
    return Account(source_id, _covered(matched) + len(measures) - len(missing), tuple(uncovered), tuple(vetoes))


_TAKES = word_set("takes take taking took uses using receives receiving toma")


def _taken(claim: Analysed, source: Analysed) -> frozenset[int]:
    """A drug that is listed with how often it is given is one that the patient takes."""
    if not any(measure.quantity.kind == "frequency" for measure in source.measures):
        return frozenset()
    return frozenset(word.at for word in claim.content if word.text in _TAKES)


def _covered(matched: tuple[Matched, ...]) -> int:
    return sum(bool(item.hits) for item in matched)


def _idle_cues(claim: Analysed, inside: frozenset[int]) -> list[str]:
    """Cues of the claim that govern no word: what they deny or put off cannot be checked."""
    content = {word.at for word in claim.content}
    content |= {i for i, token in enumerate(claim.tokens) if token.text == QUANTITY}
    out = []
    for cue, scope in zip(claim.assertions.cues, claim.assertions.scopes, strict=True):
        if cue.kind in ("end", "affirm") or cue.speaks or cue.first not in inside:
            continue
        if not content.intersection(scope):
            out.append(cue.words)
    return out
