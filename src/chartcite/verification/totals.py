"""Totals that the evidence gives in parts: `8 g in all` from `16 x 500 mg`, `1.2 mg` from `800 mcg, then 400 mcg`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from chartcite.facts.lexicon import word_set
from chartcite.facts.units import parse_unit
from chartcite.verification.analysis import Analysed, Measure
from chartcite.verification.evidence import Evidence

_TOTAL = word_set("total totals totalled totaled altogether overall cumulative combined together sum all")
_TIMES = frozenset(("x", "×", "of", "*"))
_NEXT = word_set("then plus followed later")
_DOSED = frozenset(("mass", "volume", "unit"))


def told_totals(claim: Analysed, found: Mapping[Measure, Sequence[Measure]], evidence: Evidence) -> frozenset[Measure]:
    """The claim's totals that the amounts of one cited sentence add up to."""
    if _TOTAL.isdisjoint(token.text for token in claim.tokens):
        return frozenset()
    totals = (m for m in claim.measures if not found[m] and _is_amount(m) and not m.quantity.comparator)
    return frozenset(m for m in totals if any(_adds_up(m, parts) for parts in _sums(m, evidence)))


def total_words(claim: Analysed) -> frozenset[int]:
    """The tokens that say that something is a total."""
    return frozenset(i for i, token in enumerate(claim.tokens) if token.text in _TOTAL)


def _is_amount(measure: Measure) -> bool:
    quantity = measure.quantity
    return quantity.kind == "value" and quantity.unit.dimension in _DOSED and quantity.low == quantity.high


def _adds_up(measure: Measure, total: Fraction) -> bool:
    return measure.quantity.low * measure.quantity.unit.factor == total


def _sums(measure: Measure, evidence: Evidence) -> Iterator[Fraction]:
    """What the amounts of each sentence come to: one amount times its count or days, or those of one thing together."""
    dimension = measure.quantity.unit.dimension
    alike = [m for m in evidence.measures if _is_amount(m) and m.quantity.unit.dimension == dimension]
    for one in alike:
        yield from (one.quantity.low * one.quantity.unit.factor * times for times in _multiples(one, evidence))
        others = [o for o in alike if o is not one and _is_of_one_thing(one, o, evidence)]
        if others:
            yield sum((m.quantity.low * m.quantity.unit.factor for m in (one, *others)), Fraction(0))


def _is_of_one_thing(first: Measure, second: Measure, evidence: Evidence) -> bool:
    between = evidence.texts[min(first.at, second.at) : max(first.at, second.at)]
    shared = {w.at for w in first.owners[-1:]} & {w.at for w in second.owners} or not _NEXT.isdisjoint(between)
    return bool(shared) and evidence.sentences[first.at] == evidence.sentences[second.at]


def _multiples(amount: Measure, evidence: Evidence) -> Iterator[Fraction]:
    """How many times an amount is given: `16 x 500 mg`, `500 mg x2`, `30 mg BID x 5 d`."""
    for other in evidence.measures:
        theirs = other.quantity
        if other is amount or theirs.low != theirs.high or not 0 < abs(other.at - amount.at) <= _REACH:
            continue
        between = evidence.texts[min(other.at, amount.at) + 1 : max(other.at, amount.at)]
        is_times = theirs.kind == "value" and not theirs.unit.name and other.at < amount.at and set(between) <= _TIMES
        if is_times or (theirs.kind == "count" and other.at > amount.at):
            yield theirs.low
        elif theirs.kind == "duration" and other.at > amount.at:
            days = theirs.low * theirs.unit.factor / parse_unit("d").factor
            yield days * (amount.quantity.rate or 1)


_REACH = 5
