"""Hand-written claims against hand-written sources: every wrong one refused, nearly every true one supported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

DATA = Path(__file__).parent / "data"
FIELD_CASE = Path(__file__).parent / "data" / "negation_note.json"


def rows(name: str) -> list[tuple[str, bool, str, str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    parts = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    # "refused": true, but known to be refused; a rule that learns to accept it changes the table.
    return [(kind, expected == "yes", claim, cited) for kind, expected, claim, cited in parts]


def is_verified(claim: str, cited: str) -> bool:
    return check_claim(claim, [Source(str(n), text) for n, text in enumerate(cited.split(" || "))]).verified


@pytest.mark.parametrize(("kind", "expected", "claim", "cited"), rows("pairs_tuned.tsv"))
def test_pair_the_rules_were_tuned_on(kind: str, expected: bool, claim: str, cited: str) -> None:
    assert is_verified(claim, cited) is expected, kind


@pytest.mark.parametrize("row", json.loads(FIELD_CASE.read_text(encoding="utf-8"))["claims"], ids=lambda r: r["claim"])
def test_negation_scope_in_one_note(row: dict[str, object]) -> None:
    note = json.loads(FIELD_CASE.read_text(encoding="utf-8"))["note"]
    assert check_claim(str(row["claim"]), [Source("note", note)]).verified is row["supported"]
