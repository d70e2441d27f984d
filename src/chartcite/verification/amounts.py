"""Quantities of a claim against those of one source sentence: equal in value, unit, comparator, owner and direction."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from chartcite.core.documents import Span
from chartcite.facts.dates import covers
from chartcite.facts.lexicon import word_set
from chartcite.facts.quantities import Quantity
from chartcite.verification.analysis import Analysed, Measure
from chartcite.verification.verdicts import Veto, VetoKind

_HALF_PERCENT = Fraction(1, 200)
_OTHER_SYSTEM = frozenset(("[lb_av]", "[in_i]", "[ft_i]"))


def check_amounts(
    measures: Sequence[Measure], source: Analysed, claim: Analysed, source_id: str
) -> tuple[list[Veto], list[Measure]]:
    """Vetoes, and the quantities that the source says nothing like."""
    texts = (claim, source)
    vetoes: list[Veto] = []
    uncovered: list[Measure] = []
    for measure in measures:
        equal = [other for other in source.measures if _equal(measure, other, source)]
        owned = [other for other in equal if _same_owner(measure, other, source)]
        if any(_same_role(measure, other) for other in owned):
            continue
        if owned:
            vetoes.append(
                _veto("order", "the source gives it another part in a change", (measure, owned[0]), texts, source_id)
            )
        elif equal:
            why = "the source says this value of something else"
            vetoes.append(_veto("binding", why, (measure, equal[0]), texts, source_id))
        else:
            found = _explain(measure, source)
            if found is None:
                uncovered.append(measure)
            else:
                kind, why, other = found
                vetoes.append(_veto(kind, why, (measure, other), texts, source_id))
    return vetoes or _pairs(measures, source, texts, source_id), uncovered


def _pairs(
    measures: Sequence[Measure], source: Analysed, texts: tuple[Analysed, Analysed], source_id: str
) -> list[Veto]:
    """Amounts that the claim says side by side (a dose, a duration) must stand so in a source that has several."""
    for first, second in pairwise(measures):
        if first.segment != second.segment or first.quantity.kind == "date" or second.quantity.kind == "date":
            continue
        ones = [m for m in source.measures if _equal(first, m, source)]
        others = [m for m in source.measures if _equal(second, m, source)]
        has_choice = any(_rivals(m, source) for m in (*ones, *others))
        if ones and others and has_choice and not {m.segment for m in ones} & {m.segment for m in others}:
            why = "the source says these amounts of different things"
            return [_veto("binding", why, (second, others[0]), texts, source_id)]
    return []


def _veto(
    kind: VetoKind, why: str, pair: tuple[Measure, Measure], texts: tuple[Analysed, Analysed], source_id: str
) -> Veto:
    claim, source = texts
    here, there = (measure.quantity.span for measure in pair)
    at, to = claim.span.start, source.span.start
    span = Span(at + here.start, at + here.end)
    return Veto(kind, span, claim.text[span.start : span.end], source_id, Span(to + there.start, to + there.end), why)


def _equal(measure: Measure, other: Measure, source: Analysed) -> bool:
    claimed, stated = measure.quantity, other.quantity
    if claimed.kind != stated.kind:
        return False
    if claimed.kind == "date":
        return covers(claimed.when, stated.when)
    if not _same_unit_kind(measure, other):
        return False
    if claimed.comparator == stated.comparator:
        return _same_value(claimed, stated, source)
    return claimed.comparator == "~" and not stated.comparator and _rounds_to(claimed, stated)


def _same_unit_kind(measure: Measure, other: Measure) -> bool:
    claimed, stated = measure.quantity.unit, other.quantity.unit
    if claimed.name == stated.name:
        return True
    if not claimed.name:
        # "creatinine 1.2" may be cited from "1.2 mg/dL"; "3 falls" may not be cited from "3 mg".
        return measure.next_word is None and not measure.quantity.is_word
    return claimed.dimension == stated.dimension or {claimed.name, stated.name} == {"Cel", "[degF]"}


def _same_value(claimed: Quantity, stated: Quantity, source: Analysed) -> bool:
    if claimed.unit.name == stated.unit.name or not claimed.unit.name:
        return (claimed.low, claimed.high) == (stated.low, stated.high)
    if any(m.quantity.unit.name == claimed.unit.name for m in source.measures):
        # The source has a value in the claim's own unit: that one must be equal.
        return False
    pairs = (
        (_base(claimed, claimed.low), _base(stated, stated.low)),
        (_base(claimed, claimed.high), _base(stated, stated.high)),
    )
    names = {claimed.unit.name, stated.unit.name}
    if names == {"Cel", "[degF]"}:
        return all(abs(a - b) <= Fraction(6, 100) for a, b in pairs)
    tolerance = _HALF_PERCENT if names & _OTHER_SYSTEM else Fraction(0)
    return all(abs(a - b) <= tolerance * abs(b) for a, b in pairs)


def _base(quantity: Quantity, value: Fraction) -> Fraction:
    if quantity.unit.name == "[degF]":
        return (value - 32) * Fraction(5, 9)
    return value * quantity.unit.factor


def _rounds_to(claimed: Quantity, stated: Quantity) -> bool:
    """Whether "about 70" is 69.8 rounded to whole numbers."""
    if claimed.unit.name != stated.unit.name or claimed.low != claimed.high or stated.low != stated.high:
        return False
    if claimed.low == stated.low:
        return True
    return claimed.low.denominator == 1 and claimed.low >= 10 and abs(claimed.low - stated.low) < Fraction(1, 2)


def _same_role(measure: Measure, other: Measure) -> bool:
    if {measure.role, other.role} & {"by", "ago", "aside"}:
        # "Raised by 10 mg" is not "raised to 10 mg", "for 3 days" is not "3 days ago".
        return measure.role == other.role
    return not measure.role or not other.role or measure.role == other.role


def _rivals(other: Measure, source: Analysed) -> list[Measure]:
    """Quantities of the same sort and another value, which could have been confused with it."""
    mine = other.quantity
    return [
        m
        for m in source.measures
        if m is not other
        and m.quantity.kind == mine.kind
        and (m.quantity.unit.dimension == mine.unit.dimension or not (m.quantity.unit.name and mine.unit.name))
    ]


_NOT_MEASURED = word_set(
    "goal goals target targets ref reference threshold cutoff limit maximum max minimum min baseline predicted expected"
)


def _same_sense(measure: Measure, other: Measure) -> bool:
    """A goal or a limit is no result: the claim must say which it is."""
    claimed = {word.text for word in measure.owners}
    return all(word.text in claimed for word in other.owners if word.text in _NOT_MEASURED)


def _same_owner(measure: Measure, other: Measure, source: Analysed) -> bool:
    if not _same_sense(measure, other):
        return False
    if not measure.owners:
        return True
    mine = frozenset().union(*(word.keys for word in other.owners), *(p for w in other.owners for p in w.parts))
    theirs: set[str] = set()
    for rival in _rivals(other, source):
        theirs.update(*(word.keys for word in rival.owners), *(p for w in rival.owners for p in w.parts))
    if any(word.keys & theirs and not word.keys & mine for word in measure.owners):
        return False
    everywhere = frozenset().union(*(word.keys.union(*word.parts) for word in source.content))
    named = [word for word in measure.owners if word.keys & everywhere]
    if not named or not other.owners:
        return not theirs or not named
    return bool(named[-1].keys & mine) or (not theirs and any(word.keys & mine for word in named))


def _explain(measure: Measure, source: Analysed) -> tuple[VetoKind, str, Measure] | None:
    """Which quantity of the source the claim's one seems to be about, and how the two differ."""
    claimed = measure.quantity
    alike = [m for m in source.measures if m.quantity.kind == claimed.kind]
    if claimed.kind in ("date", "frequency"):
        kind: VetoKind = "date" if claimed.kind == "date" else "frequency"
        return (kind, f"the source has another {kind}", alike[0]) if alike else None
    same_value = [m for m in alike if (m.quantity.low, m.quantity.high) == (claimed.low, claimed.high)]
    for other in same_value:
        if other.quantity.unit.name == claimed.unit.name and other.quantity.comparator != claimed.comparator:
            return "comparator", "the source compares otherwise", other
    for other in same_value:
        if other.quantity.unit.name and claimed.unit.name and other.quantity.unit.name != claimed.unit.name:
            return "unit", "the source has another unit", other
    for other in alike:
        stated = other.quantity.unit
        is_comparable = stated.dimension == claimed.unit.dimension or not (claimed.unit.name and stated.name)
        if is_comparable and other not in same_value:
            return "number", "the source has another value", other
    return None
