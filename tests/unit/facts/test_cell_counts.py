"""A point before three digits of a cell count marks thousands: there is no thousandth of a cell."""

from __future__ import annotations

import pytest

from chartcite.facts.read import read_facts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Leucócitos 12.300/mm3", 12300),
        ("Leucócitos de 12.300 células/mm3.", 12300),
        ("Plaquetas 150.000/mm3", 150000),
        ("Plaquetas 150.000 por mm3", 150000),
        ("Hemácias 4.500.000/mm³", 4500000),
        ("Platelets 150.000/uL", 150000),
        ("WBC 12.300 /mm3.", 12300),
        ("ANC 1.500 cells/µL", 1500),
        ("WBC 12.3 K/uL", 12.3),
        ("RBC 4.512 10^6/uL", 4.512),
        ("WBC 12.300 10^3/uL", 12.3),
    ],
)
def test_a_cell_count_has_no_thousandths(text: str, value: float) -> None:
    (one,) = read_facts(text, 0, len(text)).measurements
    assert float(one.values[0].quantity.low) == value
