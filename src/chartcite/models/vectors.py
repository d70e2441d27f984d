"""Vectors as the ports want them: float32, unit length, finite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chartcite.core.errors import ModelRefused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def unit(vector: Any, model: str) -> NDArray[np.float32]:
    """A vector scaled to length one.

    Raises:
        ModelRefused: it holds no direction (all zero), or something that is no number.
    """
    import numpy as np  # noqa: PLC0415

    wide = np.asarray(vector, dtype=np.float64)
    length = float(np.sqrt((wide * wide).sum()))
    if not np.isfinite(length) or length < 1e-12:
        raise ModelRefused(f"{model} gave a vector without direction.", "Use another model.")
    return (wide / length).astype(np.float32)


def no_tokens() -> NDArray[np.int8]:
    """The token vectors of an encoder that has none."""
    import numpy as np  # noqa: PLC0415

    return np.zeros((0, 0), np.int8)
