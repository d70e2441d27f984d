"""`benchmarks/lab_panels.py` on its own gold: no value of a table is wrong, and nearly none is lost."""

from __future__ import annotations

from collections import Counter

import pytest

from lab_panels import GOLD, Panel, read_gold, score

FILES = sorted(path.relative_to(GOLD).as_posix() for path in GOLD.rglob("*.txt"))


@pytest.mark.parametrize("name", FILES)
def test_no_value_of_a_table_is_wrong(name: str) -> None:
    counts: Counter[str] = Counter()
    for panel in read_gold(GOLD / name):
        counts += score(panel)[0]
    assert counts["wrong"] == 0
    assert counts["unit"] == 0
    assert counts["right"] + counts["free"] >= 0.85 * counts["gold"]


def test_what_counts_as_wrong() -> None:
    text = "      3/1   3/2\nNa    138   141\n"
    gold = (("2031-03-01", "138", "", "sodium"), ("2031-03-02", "140", "", "sodium"), ("?", "9", "", "potassium"))
    counts, _ = score(Panel("x", "2031-03-03", text, gold))
    assert counts == Counter(gold=3, right=1, wrong=1, lost=1)
