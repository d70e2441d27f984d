"""A product done a few rows at a time is the product."""

from __future__ import annotations

import numpy as np
import pytest

from chartcite.models.projection import Projection


@pytest.mark.parametrize("rows", [1, 2, 5, 6, 7, 255, 512])
@pytest.mark.parametrize(("hidden", "dims"), [(384, 96), (6, 4), (1024, 128), (4096, 128)])
def test_projecting_is_one_product(rows: int, hidden: int, dims: int) -> None:
    rng = np.random.default_rng(3)
    axes = rng.standard_normal((hidden, dims)).astype(np.float32)
    states = rng.standard_normal((rows, hidden)).astype(np.float32)
    found = Projection(axes, np.ones(dims, np.float32), "").project(states)
    whole = (states / np.linalg.norm(states, axis=1, keepdims=True)).astype(np.float64) @ axes
    assert found.shape == (rows, dims)
    assert np.allclose(found, whole / np.linalg.norm(whole, axis=1, keepdims=True), atol=1e-5)
    alone = Projection(axes, np.ones(dims, np.float32), "").project(states[:1])
    assert np.allclose(alone, found[:1], atol=1e-6)
