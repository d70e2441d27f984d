"""The bundled cross-encoder: ms-marco-MiniLM-L-12-v2 (int8 ONNX). It knows relevance, not entailment."""

from __future__ import annotations

from pathlib import Path

from chartcite.models.files import bundled_folder, verify_hashes
from chartcite.models.reranker.onnx_folder import OnnxReranker

SHA256 = {
    "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
}


def load(folder: Path | None = None) -> OnnxReranker:
    """Load the model from the installed package, or from a folder that holds the same files.

    Raises:
        ModelMissing: the package is not installed, or a file is not there.
        ModelRefused: a file has another hash than the pinned one.
    """
    place = folder or bundled_folder("reranker_en")
    verify_hashes(place, SHA256)
    return OnnxReranker("minilm_l12", place)
