"""`benchmarks/dates.py`: the marked cases hold. The part that was held out is asserted in total, never shown."""

from __future__ import annotations

from collections import Counter

from dates import outcome, read_cases


def test_marked_days() -> None:
    cases = read_cases()
    assert len(cases) >= 300
    assert len({case.name for case in cases}) == len(cases)
    counts = Counter((case.part, outcome(case)[0]) for case in cases)
    assert counts["dev", "wrong"] == 0
    assert counts["dev", "unresolved"] <= 1
    assert counts["test", "wrong"] <= 2
    assert counts["test", "right"] >= 151
