"""Which quantities are an amount of a drug, and which a laboratory's concentration: by unit alone."""

from __future__ import annotations

from chartcite.facts.quantities import Quantity

_DOSED = frozenset(("mass", "unit", "equivalent", "amount", "volume", "percent"))
_DOSED_PER = ("mass/", "unit/", "equivalent/", "amount/", "volume/")
# "5 mg/mL" is a strength, "5 mg/dL" a laboratory value; "18 g/L" and "140 mmol/L" too.
_CONCENTRATIONS = frozenset(("dL", "L", "uL", "fL"))


def is_dose(quantity: Quantity) -> bool:
    """Whether a quantity has the unit of a dose: `40 mg`, `10 units`, `0.1 mcg/kg/min`, `5-325 mg`."""
    if quantity.kind not in ("value", "ratio") or quantity.unit.dimension == "":
        return False
    if quantity.unit.name.rpartition("/")[2] in _CONCENTRATIONS and "/" in quantity.unit.name:
        return False
    return quantity.unit.dimension in _DOSED or quantity.unit.dimension.startswith(_DOSED_PER)


def is_bare(quantity: Quantity) -> bool:
    """Whether a quantity is a number without a unit: `Lasix 40`, `2 tablets`, `5-325`."""
    return quantity.kind in ("value", "ratio") and quantity.unit.dimension == "" and not quantity.comparator
