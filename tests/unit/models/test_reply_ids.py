"""Ids of a reply: none that was not given gets through, and what is dropped is counted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.models.reply_ids import read_ids


@pytest.mark.parametrize(
    ("value", "known", "unknown"),
    [
        (["E1", "E3"], (1, 3), 0),
        ([2, 3], (2, 3), 0),
        (["2-4"], (2, 3, 4), 0),
        ("7", (7,), 0),
        (["S8", "[9]"], (8, 9), 0),
        ("1, 3", (1, 3), 0),
        ("[1][2]", (), 1),
        (["2", "10", "0", "-1", "abc", "2"], (2,), 4),
        (["E8-E11"], (8, 9), 2),
        (["1-999999"], (), 1),
        (["source 4", "Sentence #5"], (4, 5), 0),
        (["d1", "p2", "2019"], (), 3),
        ([], (), 0),
        (None, (), 1),
        ([True, 1.0, {"id": 1}, ["1"]], (), 4),
        (["²", "１"], (1,), 1),
    ],
)
def test_table(value: Any, known: tuple[int, ...], unknown: int) -> None:
    assert read_ids(value, 9) == (known, unknown)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), st.lists, max_leaves=8))
def test_only_given_ids_come_out(value: Any) -> None:
    found = read_ids(value, 5)
    assert set(found.known) <= {1, 2, 3, 4, 5}
    assert len(set(found.known)) == len(found.known)
