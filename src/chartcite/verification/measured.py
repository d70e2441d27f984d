"""Findings that a measured value entails: a temperature of 38.5 C is a fever, a potassium of 2.9 is low."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import read_rows, word_set
from chartcite.verification.analysis import Analysed, Measure, Word
from chartcite.verification.concepts import DATA, loose_keys
from chartcite.verification.evidence import Evidence

_BARE = word_set("low high elevated raised normal fast rapid slow")
"""These say nothing by themselves: the claim has to name what is measured."""
_CHILDREN = word_set(
    "child children child's infant infant's baby newborn neonate neonatal toddler pediatric peds boy girl teen "
    "adolescent teenager fetal picu nicu kid"
)
_NO_RESULT = word_set("goal target goals targets ref reference threshold limit baseline max maximum min minimum")
_MONTHS_OF_AN_ADULT = 18 * 12


class _Threshold(NamedTuple):
    names: frozenset[str]
    units: frozenset[str]
    is_for_adults: bool
    low: Fraction | None
    high: Fraction | None

    def fits(self, measure: Measure) -> bool:
        return bool({"*", measure.quantity.unit.name or "-"} & self.units)

    def holds(self, measure: Measure) -> bool:
        quantity = measure.quantity
        if quantity.comparator:
            return False
        # Of a pressure the systolic counts, of a range both ends.
        ends = (quantity.low,) if quantity.kind == "pressure" else (quantity.low, quantity.high)
        return all((self.low is None or self.low <= v) and (self.high is None or v <= self.high) for v in ends)


@lru_cache(maxsize=1)
def _thresholds() -> dict[str, tuple[_Threshold, ...]]:
    table: dict[str, list[_Threshold]] = {}
    for names, units, whom, low, high, findings, _ in read_rows(DATA, "thresholds.tsv"):
        row = _Threshold(
            frozenset(names.split("|")),
            frozenset(units.split("|")),
            whom == "adult",
            None if low == "*" else Fraction(low),
            None if high == "*" else Fraction(high),
        )
        for finding in findings.split("|"):
            for key in loose_keys(finding):
                table.setdefault(key, []).append(row)
    return {key: tuple(rows) for key, rows in table.items()}


def measured(word: Word, groups: Iterable[str], claim: Analysed, evidence: Evidence) -> tuple[Word, ...]:
    """The names of the values in the evidence that entail a finding of the claim.

    `word` is a word of the claim that nothing in the evidence says, `groups` are those that the claim's phrase around
    it names.
    """
    table = _thresholds()
    rows = {row for key in (*word.keys, *groups) for row in table.get(key, ())}
    if not rows:
        return ()
    is_bare = bool(word.keys & _BARE)
    for row in sorted(rows, key=lambda r: (sorted(r.names), str(r.low))):
        if row.is_for_adults and _is_of_a_child(claim, evidence):
            continue
        if is_bare and not _names(claim.words, row):
            continue
        found = [(m, name) for m in evidence.measures if (name := _owner(m, row)) is not None]
        chosen = [pair for pair in found if _is_claimed(pair[0], claim)] or found
        if chosen and all(row.holds(m) for m, _ in chosen):
            return tuple(name for _, name in chosen)
    return ()


def _names(words: Sequence[Word], row: _Threshold) -> bool:
    wanted = frozenset[str]().union(*(loose_keys(name) for name in row.names))
    return any(word.keys & wanted for word in words)


def _owner(measure: Measure, row: _Threshold) -> Word | None:
    """The word that names what was measured, when it is the row's and the value is a result."""
    if measure.role == "aside" or measure.quantity.kind not in ("value", "pressure") or not row.fits(measure):
        return None
    if any(word.text in _NO_RESULT for word in measure.owners):
        return None
    return next((word for word in reversed(measure.owners[-2:]) if word.text in row.names), None)


def _is_claimed(measure: Measure, claim: Analysed) -> bool:
    return any(m.quantity.low == measure.quantity.low for m in claim.measures)


def _is_of_a_child(claim: Analysed, evidence: Evidence) -> bool:
    words = (*claim.words, *evidence.words)
    measures = (*claim.measures, *evidence.measures)
    return any(word.text in _CHILDREN for word in words) or any(_is_young(m) for m in measures)


def _is_young(measure: Measure) -> bool:
    quantity = measure.quantity
    if quantity.kind != "age":
        return False
    if quantity.unit.dimension == "calendar":
        return quantity.low * quantity.unit.factor < _MONTHS_OF_AN_ADULT
    return quantity.unit.dimension == "time"
