"""Conversions of one analyte only: `mg/dL` of glucose to `mmol/L`, `mEq/L` of potassium, HbA1c in two units."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from chartcite.facts.lexicon import FACTS, read_rows
from chartcite.facts.units import Unit


class Analyte(NamedTuple):
    """Molar mass in g/mol and charge of the measured ion (0: none)."""

    molar_mass: Fraction
    charge: int


@lru_cache(maxsize=1)
def analytes() -> dict[str, Analyte]:
    """Analytes by folded name."""
    return {
        name: Analyte(Fraction(mass), int(charge))
        for mass, charge, names in read_rows(FACTS, "analytes.tsv")
        for name in names.split("|")
    }


def convert(value: Fraction, unit: Unit, to: Unit, names: Iterable[str]) -> Fraction | None:
    """A value in another unit, when the two are of one dimension or the analyte links them; else None.

    Args:
        value: in `unit`.
        unit: what it is given in.
        to: what it is wanted in.
        names: folded words that stand around the value, among them the analyte.
    """
    if {unit.name, to.name} == {"Cel", "[degF]"}:
        return (value - 32) * Fraction(5, 9) if unit.name == "[degF]" else value * Fraction(9, 5) + 32
    if unit.dimension == to.dimension:
        return value * unit.factor / to.factor
    around = set(names)
    if around & {"a1c", "hba1c", "glycated", "glycohemoglobin"} and {unit.name, to.name} == {"%", "mmol/mol"}:
        # IFCC and NGSP, the master equation: NGSP = 0.09148 IFCC + 2.152.
        if unit.name == "%":
            return (value - Fraction("2.152")) / Fraction("0.09148")
        return value * Fraction("0.09148") + Fraction("2.152")
    known = analytes()
    for name in sorted(around & set(known)):
        found = _link(value, unit, to, known[name])
        if found is not None:
            return found
    return None


def _link(value: Fraction, unit: Unit, to: Unit, analyte: Analyte) -> Fraction | None:
    mass, amount, equivalent = "mass/volume", "amount/volume", "equivalent/volume"
    moles = {
        mass: unit.factor / analyte.molar_mass,
        amount: unit.factor,
        equivalent: unit.factor / (1000 * analyte.charge) if analyte.charge else None,
    }.get(unit.dimension)
    back = {
        mass: analyte.molar_mass / to.factor,
        amount: 1 / to.factor,
        equivalent: 1000 * analyte.charge / to.factor if analyte.charge else None,
    }.get(to.dimension)
    return None if moles is None or back is None else value * moles * back
