"""MaxSim against loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from chartcite.index.late import maxsim

DIMS = 4
codes = st.integers(0, 6).flatmap(lambda n: arrays(np.int8, (n, DIMS), elements=st.integers(-127, 127)))
queries = st.integers(0, 5).flatmap(
    lambda n: arrays(np.float32, (n, DIMS), elements=st.floats(-1, 1, width=16))  # exact in sums
)


def naive(query: np.ndarray, passage: np.ndarray) -> float:
    if not len(query) or not len(passage):
        return 0.0
    return sum(
        max(sum(float(q) * float(p) for q, p in zip(row, code, strict=True)) for code in passage) for row in query
    ) / len(query)


@settings(max_examples=150, deadline=None)
@given(queries, st.lists(codes, max_size=6))
def test_equal_to_loops(query: np.ndarray, passages: list[np.ndarray]) -> None:
    assert maxsim(query, passages) == pytest.approx([naive(query, p) for p in passages], abs=1e-4, rel=1e-5)


def test_by_hand() -> None:
    query = np.array([[1, 0], [0, 1]], np.float32)
    passages = [np.array([[3, 0], [0, 4]], np.int8), np.zeros((0, 2), np.int8), np.array([[-1, -5]], np.int8)]
    assert maxsim(query, passages).tolist() == [3.5, 0.0, -3.0]


def test_a_score_does_not_depend_on_the_company() -> None:
    random = np.random.default_rng(3)
    query = random.standard_normal((9, 96)).astype(np.float32)
    passages = [random.integers(-127, 128, (n, 96)).astype(np.int8) for n in (7, 250, 1, 80, 33)]
    together = maxsim(query, passages)
    assert together == pytest.approx([maxsim(query, [p])[0] for p in passages], rel=1e-5)
    assert maxsim(query, passages[::-1])[::-1].argsort().tolist() == together.argsort().tolist()
