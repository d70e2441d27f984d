"""Quantities of a claim against those of the evidence: entailed by one that belongs to the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from chartcite.core.documents import Span
from chartcite.facts.lexicon import word_set
from chartcite.verification.analysis import Analysed, Measure
from chartcite.verification.equality import entails, in_thousands
from chartcite.verification.evidence import Evidence
from chartcite.verification.nearness import Context, belongs_elsewhere
from chartcite.verification.verdicts import Veto, VetoKind


@dataclass(frozen=True, slots=True)
class Amounts:
    """What became of a claim's quantities.

    Attributes:
        missing: those that the evidence says nothing like.
        context: those found, with their places.
    """

    vetoes: tuple[Veto, ...]
    missing: tuple[Measure, ...]
    context: tuple[Context, ...]


def check_amounts(claim: Analysed, evidence: Evidence, around: Sequence[Context]) -> Amounts:
    """Account for each quantity of the claim."""
    found = {m: [o for o in evidence.measures if _says(m, o)] for m in claim.measures}
    places = tuple(
        Context(m.at, m.segment, tuple(o.at for o in others)) for m, others in found.items() if others
    )  # fmt: skip
    vetoes: list[Veto] = []
    missing: list[Measure] = []
    for measure, equal in found.items():
        fitting = [o for o in equal if _same_role(measure, o) and _same_sense(measure, o)]
        if fitting:
            rivals = _rivals(fitting, evidence)
            spots = [o.at for o in fitting]
            is_told_apart = measure.role in ("from", "to") and any(o.role == measure.role for o in fitting)
            if not is_told_apart and belongs_elsewhere(
                (measure.at, measure.segment), spots, [r.at for r in rivals], (*around, *places), evidence
            ):
                vetoes.append(
                    _veto(
                        "binding", "the source says this value of something else", measure, fitting[0], claim, evidence
                    )
                )
        elif equal:
            vetoes.append(
                _veto("order", "the source gives it another part in a change", measure, equal[0], claim, evidence)
            )
        else:
            explained = _explain(measure, evidence)
            if explained is None:
                missing.append(measure)
            else:
                kind, why, other = explained
                vetoes.append(_veto(kind, why, measure, other, claim, evidence))
    return Amounts(tuple(vetoes), tuple(missing), places)


def _says(measure: Measure, other: Measure) -> bool:
    if entails(measure, other):
        return True
    # "Platelets 250,000" from "Plt 250".
    ours, theirs = measure.quantity, other.quantity
    return (
        ours.kind == "value" == theirs.kind and not theirs.unit.name and in_thousands(other)
        and ours.low == ours.high == theirs.low * 1000 == theirs.high * 1000
    )  # fmt: skip


def _veto(kind: VetoKind, why: str, measure: Measure, other: Measure, claim: Analysed, evidence: Evidence) -> Veto:
    here = measure.quantity.span
    span = Span(claim.span.start + here.start, claim.span.start + here.end)
    place = evidence.span(other)
    return Veto(kind, span, claim.text[span.start : span.end], place.source_id, place.span, why)


def _same_role(measure: Measure, other: Measure) -> bool:
    if {measure.role, other.role} & {"by", "ago", "aside"}:
        # "Raised by 10 mg" is not "raised to 10 mg", "for 3 days" is not "3 days ago".
        return measure.role == other.role
    return not measure.role or not other.role or measure.role == other.role


def _rivals(equal: Sequence[Measure], evidence: Evidence) -> list[Measure]:
    """Quantities of the same sort and another value, which could have been confused with it."""
    mine = equal[0].quantity

    def is_alike(other: Measure) -> bool:
        theirs = other.quantity.unit
        return theirs.dimension == mine.unit.dimension if mine.unit.name else True

    return [
        m
        for m in evidence.measures
        if m not in equal and m.quantity.kind == mine.kind and m.quantity != mine and is_alike(m)
    ]


_NOT_MEASURED = word_set(
    "goal goals target targets ref reference threshold cutoff limit maximum max minimum min baseline predicted expected"
)


def _same_sense(measure: Measure, other: Measure) -> bool:
    """A goal or a limit is no result: the claim must say which it is."""
    claimed = {word.text for word in measure.owners}
    return all(word.text in claimed for word in other.owners if word.text in _NOT_MEASURED)


def _explain(measure: Measure, evidence: Evidence) -> tuple[VetoKind, str, Measure] | None:
    """Which quantity of the evidence the claim's one seems to be about, and how the two differ."""
    claimed = measure.quantity
    alike = [m for m in evidence.measures if m.quantity.kind == claimed.kind]
    if claimed.kind in ("date", "frequency"):
        kind: VetoKind = "date" if claimed.kind == "date" else "frequency"
        return (kind, f"the source has another {kind}", alike[0]) if alike else None
    same_value = [m for m in alike if _value(m) == _value(measure)]
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


def _value(measure: Measure) -> tuple[Fraction, Fraction]:
    return measure.quantity.low, measure.quantity.high
