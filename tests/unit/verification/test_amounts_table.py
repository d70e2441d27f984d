"""Quantities of hand-written claims: converted, rounded, counted, dated, changed, and the wrong ones beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

TABLE = Path(__file__).parent / "data" / "pairs_amounts.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize(("kind", "expected", "claim", "cited"), ROWS)
def test_amount(kind: str, expected: str, claim: str, cited: str) -> None:
    assert check_claim(claim, [Source("1", cited)]).verified is (expected == "yes"), kind
