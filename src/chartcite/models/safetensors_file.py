"""Reads a `.safetensors` file: eight bytes of length, a JSON header, raw little-endian arrays. No code can be in it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import ModelRefused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}
_MAX_HEADER_BYTES = 100_000_000  # the format's own limit


def read_tensors(path: Path, wanted: tuple[str, ...]) -> dict[str, NDArray[np.generic]]:
    """The arrays of those names that the file holds; numeric types of numpy only (no bfloat16).

    Raises:
        ModelRefused: it is not such a file, or a wanted array has another type.
    """
    import numpy as np  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if not 2 <= size <= _MAX_HEADER_BYTES:
                raise ValueError("no header")
            header: dict[str, Any] = json.loads(file.read(size))
            if not isinstance(header, dict):
                raise TypeError("not an object")
            found = {}
            for name in wanted:
                if name not in header:
                    continue
                kind, shape, (start, end) = (header[name][key] for key in ("dtype", "shape", "data_offsets"))
                dtype = np.dtype(_TYPES[kind])
                if end - start != math.prod(shape) * dtype.itemsize or start < 0:
                    raise ValueError("sizes differ")
                file.seek(8 + size + start)
                found[name] = np.frombuffer(file.read(end - start), dtype).reshape(shape)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelRefused(f"{path.name} is not a safetensors file that can be read.", "Export it again.") from error
    return found
