"""Five sentences and the vectors they once had: finds a broken runtime, a wrong CPU path, and weights that changed.

For the bundled encoder the vectors come with chartcite. For another one they are kept in the store's folder the first
time the doctor looks at it, and compared from then on; no text of a record is in them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import StoreDamaged, StoreUnwritable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chartcite.core.neural import Encoder

FOLDER = "references"


def bundled() -> dict[str, Any]:
    """`{"encoder", "sentences": [{"text", "vector": base64 of little-endian float16}]}`."""
    reference: dict[str, Any] = json.loads(
        files("chartcite.app").joinpath("doctor_reference.json").read_text(encoding="utf-8")
    )
    return reference


def kept(encoder: Encoder, store: Path) -> dict[str, Any] | None:
    """The reference of an encoder in a store's folder, in the same form; None if there is none yet.

    Raises:
        StoreDamaged: the file cannot be read.
    """
    path = _path(encoder, store)
    if not path.is_file():
        return None
    try:
        reference: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if not [_stored(row) for row in reference["sentences"]]:
            raise ValueError("no sentences")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreDamaged(
            f"The reference vectors in {path} cannot be read.", "Remove the file; the doctor makes it again."
        ) from error
    return reference


def keep(encoder: Encoder, store: Path) -> None:
    """Write an encoder's reference into a store's folder, whole or not at all.

    Raises:
        StoreUnwritable: the folder cannot be written.
    """
    import numpy as np  # noqa: PLC0415

    texts = [row["text"] for row in bundled()["sentences"]]
    halves = [encoder.encode_passage(text).vector.astype(np.float16).tobytes() for text in texts]
    rows = [{"text": t, "vector": base64.b64encode(h).decode()} for t, h in zip(texts, halves, strict=True)]
    path = _path(encoder, store)
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        part.write_text(json.dumps({"encoder": encoder.name, "sentences": rows}) + "\n", "utf-8")
        part.chmod(0o600)
        part.replace(path)
    except OSError as error:
        raise StoreUnwritable(f"The reference vectors cannot be kept in {store}.", "Check its permissions.") from error


def lowest_cosine(encoder: Encoder, reference: dict[str, Any]) -> float:
    """The worst agreement of the encoder with its reference; 0 where the width is another."""
    import numpy as np  # noqa: PLC0415

    cosines = []
    for row in reference["sentences"]:
        stored, found = _stored(row), encoder.encode_passage(row["text"]).vector
        length = max(float(np.linalg.norm(stored)), 1e-12)
        cosines.append(float(stored @ found) / length if found.shape == stored.shape else 0.0)
    return min(cosines)


def _stored(row: dict[str, str]) -> NDArray[np.float32]:
    import numpy as np  # noqa: PLC0415

    return np.frombuffer(base64.b64decode(row["vector"], validate=True), "<f2").astype(np.float32)


def _path(encoder: Encoder, store: Path) -> Path:
    name = hashlib.sha256(f"{encoder.name}@{encoder.fingerprint}".encode()).hexdigest()[:16]
    return store / FOLDER / f"{name}.json"
