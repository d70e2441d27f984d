"""Ridge logistic regression by Newton's steps, for the small fitted models of the cascade."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def fitted(x: Floats, y: Floats, weight: Floats, penalty: float, rounds: int) -> tuple[float, ...]:
    """Intercept and slopes, of the features as they are.

    Args:
        x: float64 [n, features].
        y: float64 [n], 0 or 1.
        weight: float64 [n].
        penalty: on the slopes of standardised features.
        rounds: Newton's steps.
    """
    mean, deviation = x.mean(0), x.std(0)
    z = np.column_stack([np.ones(len(x)), (x - mean) / deviation])
    ridge = np.diag([0.0, *([penalty] * x.shape[1])])
    b = np.zeros(z.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-z @ b))
        gradient = z.T @ (weight * (y - p)) - ridge @ b
        b = b + np.linalg.solve((z * (weight * p * (1 - p))[:, None]).T @ z + ridge, gradient)
    slopes = b[1:] / deviation
    return (float(b[0] - slopes @ mean), *map(float, slopes))
