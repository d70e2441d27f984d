"""Any BERT-like cross-encoder with one logit, as a folder with `model.onnx` and `tokenizer.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chartcite.core.cores import cores
from chartcite.core.errors import ModelRefused
from chartcite.models.files import require_files, sha256_of
from chartcite.models.onnx_session import OnnxSession, load_tokenizer

_MAX_TOKENS = 512


class OnnxReranker:
    """Scores pairs one by one, on as many threads as there are cores."""

    def __init__(self, name: str, folder: Path, workers: int | None = None) -> None:
        self.name = name
        self._session = OnnxSession(folder / "model.onnx")
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", _MAX_TOKENS)
        self._workers = workers or cores()
        digests = sha256_of(folder / "model.onnx") + sha256_of(folder / "tokenizer.json")
        self.fingerprint = hashlib.sha256(digests.encode()).hexdigest()[:16]

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One logit a text."""
        if not texts:
            return []
        with ThreadPoolExecutor(min(self._workers, len(texts))) as pool:
            return list(pool.map(lambda text: self._score(query, text), texts))

    def _score(self, query: str, text: str) -> float:
        output = self._session.run(self._tokenizer.encode(query, text))
        if output.size != 1:
            raise ModelRefused(f"{self.name} has {output.size} outputs a pair, not one.", "Use a relevance model.")
        return float(output.reshape(-1)[0])


def load(folder: Path) -> OnnxReranker:
    """The cross-encoder in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights.
    """
    require_files(folder, ("model.onnx", "tokenizer.json"))
    return OnnxReranker(f"onnx:{folder.name}", folder)
