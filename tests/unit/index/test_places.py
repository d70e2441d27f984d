"""Places by passage and by document, against the plain loop."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chartcite.index.places import Places

ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(0, 30)), max_size=30, unique=True)


@given(ROWS, st.lists(st.integers(0, 6), max_size=3))
def test_equal_to_the_plain_loop(found: list[tuple[int, int, int]], keys: list[int]) -> None:
    rows = [(passage, document, start, start + 2) for passage, document, start in found]
    rows.sort(key=lambda row: row[0])
    places = Places(np.array(rows, dtype=np.int64).reshape(-1, 4), 6)
    for passage in range(6):
        assert places.of_passage(passage) == [row[1:] for row in rows if row[0] == passage]
    for key in range(6):
        own = sorted((row[2], n, row[0]) for n, row in enumerate(rows) if row[1] == key)
        assert places.of_document(key) == list(dict.fromkeys(passage for _, _, passage in own))
    expected = [any(row[0] == passage and row[1] in keys for row in rows) for passage in range(6)]
    assert places.in_documents(keys).tolist() == expected
