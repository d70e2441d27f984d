"""Events that only the history tells of: procedures without a note of their own, diagnoses with a stated begin."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.records.reading import Notes

from chartcite.cascade.over_time.events import event_of
from chartcite.text.analyser import Analyser

ANALYSE = Analyser("en").terms
OPERATIONS = "Operations:\nRight knee injection 2011-04-25.\nLeft knee injection 2014-12-19.\nThyroidectomy 1985.\n"
PROBLEMS = "Problems:\nAtrial fibrillation, diagnosed 2011-01-10.\nGout since 2004.\n"


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("the right knee injection", "2011-04-25"),
        ("the knee injection", None),  # two days
        ("the thyroidectomy", None),  # only a year
        ("the diagnosis of atrial fibrillation", "2011-01-10"),
        ("the diagnosis of gout", None),
        ("the appendectomy", None),
        ("the diagnosis", None),
    ],
)
def test_the_only_whole_day_that_the_history_gives(words: str, day: str | None) -> None:
    reader: Any = Notes([("2020-01-01", f"{OPERATIONS}\n{PROBLEMS}")])
    found = event_of(words, reader, ANALYSE)
    assert (found and found.first) == day
    if found is not None and found.source is not None:
        assert found.source.quote in f"{OPERATIONS}\n{PROBLEMS}"
