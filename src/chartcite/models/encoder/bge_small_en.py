"""The bundled encoder: bge-small-en (v1.5 by its notice, int8 ONNX), 384 dimensions, with 96-dimension token vectors.

See `docs/model-card.md` for what is and is not known about this file.
"""

from __future__ import annotations

from pathlib import Path

from chartcite.models.encoder.onnx_folder import OnnxEncoder
from chartcite.models.files import bundled_folder, verify_hashes
from chartcite.models.folder_settings import EncoderSettings
from chartcite.models.projection import Projection

SHA256 = {
    "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
}
PROJECTION = "bge_small_en.tokens.npz"
PROJECTION_SHA256 = "6b6efff31333343ae7a2b69f13d8f33885fb1c89ac44b97266017998f60590c4"
SETTINGS = EncoderSettings(
    query_prefix="Represent this sentence for searching relevant passages: ", pooling="cls", max_tokens=512
)


def load(folder: Path | None = None) -> OnnxEncoder:
    """Load the model from the installed package, or from a folder that holds the same files.

    Raises:
        ModelMissing: the package is not installed, or a file is not there.
        ModelRefused: a file has another hash than the pinned one.
    """
    place = folder or bundled_folder("bge_small_en")
    verify_hashes(place, SHA256)
    projection = Projection.load(Path(__file__).with_name(PROJECTION), PROJECTION_SHA256)
    encoder = OnnxEncoder("bge_small_en", place, SETTINGS, projection)
    encoder.languages = ("en",)
    return encoder
