"""Token vectors made small: projected, normalised and coded as int8 with one scale a channel.

Late interaction after Khattab & Zaharia (2020), *ColBERT*, eq. 3, over the encoder's own last hidden states instead of
a trained head. A scale a channel keeps a cosine of .995 where one scale for all keeps .93.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.errors import ModelRefused
from chartcite.models.files import sha256_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_PRODUCTS = 200_000  # of one call; OpenBLAS goes to several threads above 262,144


@dataclass(frozen=True, slots=True)
class Projection:
    """Principal axes of token vectors, measured once by `scripts/fit_token_projection.py`.

    Attributes:
        axes: float32 [hidden, token_dims].
        scale: float32 [token_dims], the value of one int8 step in each channel.
        sha256: of the file, part of the encoder's fingerprint.
    """

    axes: NDArray[np.float32]
    scale: NDArray[np.float32]
    sha256: str

    @classmethod
    def load(cls, path: Path, expected_sha256: str | None = None) -> Projection:
        """Read the arrays of an `.npz` file; pickled content is refused.

        Raises:
            ModelRefused: another hash than the pinned one, or not the arrays of a projection.
        """
        import numpy as np  # noqa: PLC0415

        digest = sha256_of(path)
        if expected_sha256 is not None and digest != expected_sha256:
            raise ModelRefused(f"{path.name} is not the file chartcite was tested with.", "Reinstall chartcite.")
        try:
            with np.load(path, allow_pickle=False) as arrays:
                axes, scale = (arrays[name].astype(np.float32) for name in ("axes", "scale"))
        except Exception as error:  # numpy and zipfile raise many kinds
            raise ModelRefused(f"{path.name} does not hold the arrays axes and scale.", "Fit it again.") from error
        if axes.ndim != 2 or scale.shape != axes.shape[1:] or not (scale > 0).all():
            raise ModelRefused(f"{path.name} holds arrays of the wrong shape.", "Fit it again.")
        return cls(axes, scale, digest)

    @property
    def dims(self) -> int:
        """Width of a projected token vector."""
        return int(self.axes.shape[1])

    def project(self, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit-length float32 [n_tokens, token_dims] of hidden states [n_tokens, hidden]."""
        return _unit(_product(_unit(hidden), self.axes))

    def encode(self, hidden: NDArray[np.float32]) -> NDArray[np.int8]:
        """The int8 codes of a passage's tokens."""
        import numpy as np  # noqa: PLC0415

        codes: NDArray[np.int8] = np.clip(np.rint(self.project(hidden) / self.scale), -127, 127).astype(np.int8)
        return codes

    def for_query(self, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        """Query tokens scaled so that a dot product with int8 codes estimates the cosine."""
        return self.project(hidden) * self.scale


def _product(rows: NDArray[np.float32], axes: NDArray[np.float32]) -> NDArray[np.float32]:
    """`rows @ axes`, a few rows at a time.

    A BLAS library splits a product of some size among threads of its own, which then wait for more work by spinning;
    beside the encoder's threads that cost three times the CPU time on short texts (400 texts of 42 tokens on two cores:
    3.5 s against 10.7 s). Small products stay on the thread that asks for them.
    """
    import numpy as np  # noqa: PLC0415

    step = max(1, _MOST_PRODUCTS // axes.size)
    padded = np.zeros((-(-len(rows) // step) * step, rows.shape[1]), np.float32)
    padded[: len(rows)] = rows
    parts: NDArray[np.float32] = np.matmul(padded.reshape(-1, step, rows.shape[1]), axes)
    return parts.reshape(len(padded), -1)[: len(rows)]


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np  # noqa: PLC0415

    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = rows / np.maximum(norms, 1e-12)
    return unit
