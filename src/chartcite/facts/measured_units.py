"""Whether a number can be a value of what was measured: by kind and unit."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from chartcite.facts.quantities import Quantity
from chartcite.facts.units import parse_unit

Kind = Literal["lab", "vital", "measure", "score"]

# Laboratories change between these: mg/dL, mmol/L, mEq/L.
_CONCENTRATIONS = frozenset(
    ("mass/volume", "amount/volume", "equivalent/volume", "unit/volume", "cellcount", "copies/volume")
)
# Below these a bare number is something else: `P = 0.03`.
_LEAST = {"heart rate": 20, "respiratory rate": 4, "temperature": 30, "systolic blood pressure": 40}
_PRESSURES = ("blood pressure",)


def fits(kind: Kind, name: str, units: tuple[str, ...], quantity: Quantity, text: str) -> bool:
    """Whether a quantity can be a value of an analyte.

    Args:
        kind: kind of the analyte.
        name: its canonical name.
        units: its usual units; none for a pure number.
        quantity: what may be its value.
        text: the sentence that the quantity's span counts from.
    """
    if quantity.kind in ("pressure", "ratio"):
        # "24/30" may read like a pressure.
        is_whole = quantity.kind == "pressure" and name in _PRESSURES
        return is_whole or (kind == "score" and not units) or name == "visual acuity"
    if is_flag_letter(quantity, text):
        return name not in _PRESSURES
    if quantity.kind == "duration":
        return any(parse_unit(unit).dimension == quantity.unit.dimension for unit in units)
    if quantity.kind != "value" or (name in _PRESSURES and not quantity.low >= 40):
        return False
    if not quantity.unit.name and (quantity.is_word or quantity.high < _LEAST.get(name, 0)):
        return False
    is_usual = not quantity.unit.name or _is_usual(quantity.unit.dimension, units)
    return is_usual or (kind == "score" and quantity.unit.name == "%")


def _is_usual(dimension: str, units: tuple[str, ...]) -> bool:
    usual = _dimensions(units)
    return dimension in usual or (dimension in _CONCENTRATIONS and bool(usual & _CONCENTRATIONS))


@lru_cache(maxsize=512)
def _dimensions(units: tuple[str, ...]) -> frozenset[str]:
    return frozenset(parse_unit(unit).dimension for unit in units)


_FLAG = re.compile(r"\s+[HL]$")


def is_flag_letter(quantity: Quantity, text: str) -> bool:
    """`Na 128 L` and `K 5.9 H`: a flag that reads like litres or hours."""
    return quantity.unit.name in ("L", "h") and _FLAG.search(text[slice(*quantity.span)]) is not None
