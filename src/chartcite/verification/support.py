"""Accounting: everything that a claim says must be found in what it cites, and nothing there may speak against it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.facts.tokens import QUANTITY, fold
from chartcite.verification.agents import agent_vetoes
from chartcite.verification.amounts import check_amounts
from chartcite.verification.analysis import Analysed, Word
from chartcite.verification.compounds import compound_vetoes
from chartcite.verification.conflicts import opposite_vetoes
from chartcite.verification.crossing import crossed_vetoes
from chartcite.verification.evidence import Evidence
from chartcite.verification.laterality import check_sides
from chartcite.verification.matching import Matched, look_up, match_words
from chartcite.verification.nearness import Context
from chartcite.verification.objects import object_vetoes
from chartcite.verification.omissions import omission_vetoes
from chartcite.verification.predicates import owner_vetoes, predicate_vetoes
from chartcite.verification.reactions import reaction_vetoes, tolerance_vetoes
from chartcite.verification.relations import check_order, is_same_order, order_words, role_vetoes
from chartcite.verification.restating import borne_out_words
from chartcite.verification.sexes import sex_vetoes
from chartcite.verification.statuses import dropped_vetoes, status_vetoes
from chartcite.verification.trends import FACTORS, same_way, told_by_values
from chartcite.verification.verdicts import Veto


@dataclass(frozen=True, slots=True)
class Uncovered:
    """Something of the claim that nothing in the evidence accounts for."""

    at: int
    text: str
    span: Span
    kind: str
    """`word`, `amount`, `side` or `cue`."""


@dataclass(frozen=True, slots=True)
class Account:
    """How some cited sentences account for one sentence of a claim."""

    claim: Analysed
    evidence: Evidence
    matched: tuple[Matched, ...]
    covered: int
    uncovered: tuple[Uncovered, ...]
    vetoes: tuple[Veto, ...]

    @property
    def holds(self) -> bool:
        """Whether everything is found and nothing speaks against it."""
        return self.covered > 0 and not self.uncovered and not self.vetoes

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Higher is the better evidence."""
        return self.holds, self.covered - len(self.uncovered), -len(self.vetoes)


def account(claim: Analysed, evidence: Evidence) -> Account:
    """Account for a sentence of a claim by these cited sentences."""
    matched = _strict(match_words(claim, look_up(evidence)), claim, evidence)
    amounts = check_amounts(claim, evidence, context(matched, claim))
    around = context(matched, claim) + amounts.context
    borne_out = told_by_values(claim, evidence, around) | borne_out_words(claim, evidence, around)
    sides = check_sides(claim, evidence, _asserted(matched, claim) + amounts.context)
    order_vetoes, restated = check_order(claim, evidence, around)
    said = restated | amounts.said | _taken(claim, evidence)
    uncovered = [
        Uncovered(m.word.at, _said(m.word, claim), m.word.span, "word")
        for m in matched
        if not m.hits and m.word.at not in said | borne_out
    ]
    uncovered += [
        _uncovered(claim, m.quantity.span.start, m.quantity.span.end, m.at, "amount")
        for m in amounts.missing
        if m.at not in borne_out
    ]
    uncovered += [_token(claim, at, "side") for at in sides.missing]
    uncovered += [_token(claim, cue_at, "cue") for cue_at in _idle_cues(claim, evidence)]
    vetoes = [*status_vetoes(matched, claim, evidence, around), *amounts.vetoes, *sides.vetoes]
    vetoes += opposite_vetoes(matched, claim, evidence, around, borne_out)
    if not vetoes:
        vetoes += (
            order_vetoes
            + role_vetoes(claim, evidence)
            + crossed_vetoes([c for c in around if c.at not in borne_out], claim, evidence)
        )
        vetoes += predicate_vetoes(matched, claim, evidence) + owner_vetoes(matched, evidence)
        vetoes += object_vetoes(matched, claim, evidence) + agent_vetoes(matched, claim, evidence, around)
        vetoes += dropped_vetoes(matched, claim, evidence)
        vetoes += omission_vetoes(matched, claim, evidence)
        vetoes += reaction_vetoes(matched, evidence) + tolerance_vetoes(matched, claim, evidence)
        vetoes += sex_vetoes(claim, evidence) + compound_vetoes(matched, evidence)
    covered = sum(bool(m.hits) for m in matched) + len(claim.measures) - len(amounts.missing)
    return Account(claim, evidence, matched, covered, tuple(uncovered), tuple(vetoes))


def _said(word: Word, claim: Analysed) -> str:
    return fold(claim.text[word.span.start : word.span.end])


def _strict(matched: tuple[Matched, ...], claim: Analysed, evidence: Evidence) -> tuple[Matched, ...]:
    """Words such as `after` or `grown` are found only in what has the same order or direction, whatever is listed."""
    words = order_words(claim)
    sides = {side.at for side in evidence.sides}
    # What is left over is not found in a left leg; a side of the claim is none of its words.
    matched = tuple(
        replace(m, hits=tuple(h for h in m.hits if h.at not in sides)) if m.word.text == "left" else m for m in matched
    )
    # By how much something rose is not found in that it rose.
    matched = tuple(
        replace(m, hits=tuple(h for h in m.hits if h.keys & m.word.keys)) if m.word.text in FACTORS else m
        for m in matched
    )
    return tuple(
        replace(m, hits=tuple(h for h in m.hits if is_same_order(m.word.text, h.text)))
        if m.word.at in words
        else (replace(m, hits=same_way(m.word, m.hits, evidence)) if not m.is_complement else m)
        for m in matched
    )


def context(matched: tuple[Matched, ...], claim: Analysed) -> tuple[Context, ...]:
    """The claim's words that were found, with their places."""
    return tuple(
        Context(m.word.at, claim.layout.segments[m.word.at], tuple(h.at for h in m.hits)) for m in matched if m.hits
    )


def _asserted(matched: tuple[Matched, ...], claim: Analysed) -> tuple[Context, ...]:
    """The same, of each word only the occurrences that are asserted as in the claim, when there are any."""
    alike = (
        replace(m, hits=tuple(h for h in m.hits if h.status.polarity == m.word.status.polarity) or m.hits)
        for m in matched
    )
    return context(tuple(alike), claim)


def _token(claim: Analysed, at: int, kind: str) -> Uncovered:
    token = claim.tokens[at]
    return _uncovered(claim, token.start, token.end, at, kind)


def _uncovered(claim: Analysed, start: int, end: int, at: int, kind: str) -> Uncovered:
    span = Span(claim.span.start + start, claim.span.start + end)
    return Uncovered(at, claim.text[span.start : span.end], span, kind)


_TAKES = word_set("takes take taking took uses using receives receiving toma")


def _taken(claim: Analysed, evidence: Evidence) -> frozenset[int]:
    """A drug that is listed with how often it is given is one that the patient takes; degrees are a temperature."""
    if any(measure.quantity.unit.name in ("Cel", "[degF]") for measure in evidence.measures):
        return frozenset(word.at for word in claim.content if word.text == "temperature")
    if not any(measure.quantity.kind == "frequency" for measure in evidence.measures):
        return frozenset()
    return frozenset(word.at for word in claim.content if word.text in _TAKES)


def _idle_cues(claim: Analysed, evidence: Evidence) -> list[int]:
    """Cues of the claim that govern no word: what they deny or put off cannot be checked.

    A denial that reaches only figures or words without content of their own (`was not given to 12 patients`) is checked
    by the word that it begins with: the source must deny that one too.
    """
    content = {word.at for word in claim.content}
    figures = {i for i, token in enumerate(claim.tokens) if token.text == QUANTITY}
    denied = {word.at for word in claim.content if word.status.polarity == "negated"}
    out = []
    for cue, scope in zip(claim.assertions.cues, claim.assertions.scopes, strict=True):
        if cue.kind in ("end", "affirm") or cue.speaks:
            continue
        if cue.kind == "negation" and not denied.intersection(scope):
            if not scope or claim.tokens[min(scope)].text not in _denied_texts(evidence):
                out.append(cue.first)
        elif not (content | figures).intersection(scope):
            out.append(cue.first)
    return out


def _denied_texts(evidence: Evidence) -> set[str]:
    return {evidence.texts[at] for cue, scope in evidence.cues if cue.kind == "negation" for at in scope}
