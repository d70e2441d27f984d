"""Doses written without a unit: `Plaquenil 200 mg` from `HCQ 200 BID`. Only right behind a drug, in its usual unit."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from chartcite.facts.lexicon import FACTS, read_rows, word_set
from chartcite.facts.units import NO_UNIT, Unit, parse_unit
from chartcite.verification.analysis import Measure, Word
from chartcite.verification.concepts import name_keys
from chartcite.verification.kinds import kinds_of

_REACH = 3
_REACH_OVER = 8
# Behind the name of a drug these numbers are no dose.
_NO_DOSE = word_set("level trough peak conc concentration puffs puff tabs tablets tablet drops gtts units")


def dose_without_unit(claimed: Measure, stated: Measure) -> tuple[Fraction, Fraction] | None:
    """The stated dose in the claim's unit, or None where no unit can be taken for granted."""
    ours, theirs = claimed.quantity, stated.quantity
    is_plain = theirs.kind == "value" == ours.kind and not theirs.unit.name and not theirs.comparator
    if not is_plain or theirs.is_word or not ours.unit.name or not stated.owners:
        return None
    drug = stated.owners[-1]
    # "20 qd -> 40 qd": behind an arrow the drug is that of the first dose.
    reach = _REACH_OVER if stated.role == "to" else _REACH
    is_beside = 0 < stated.at - drug.at <= reach and "drug" in kinds_of(drug)
    if not is_beside or (stated.next_word is not None and stated.next_word.text in _NO_DOSE):
        return None
    unit = _usual(drug, theirs.high)
    if ours.unit.name.endswith("/d") and theirs.rate == 1:
        unit = parse_unit(f"{unit.name}/d")
    if unit.dimension != ours.unit.dimension:
        return None
    share = unit.factor / ours.unit.factor
    return theirs.low * share, theirs.high * share


def _usual(drug: Word, amount: Fraction) -> Unit:
    """What a dose of this drug is in; a drug of micrograms is below one only in milligrams (`digoxin 0.125`)."""
    known = next((unit for key, unit in _units().items() if key in drug.keys), NO_UNIT)
    if not known.name or (known.name == "ug" and amount < 1):
        return parse_unit("mg")
    return known


@lru_cache(maxsize=1)
def _units() -> dict[str, Unit]:
    rows = read_rows(FACTS, "dose_units.tsv")
    return {key: parse_unit(unit) for unit, names in rows for name in names.split("|") for key in name_keys(name)}
