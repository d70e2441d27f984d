"""Static embeddings as a model2vec folder: `model.safetensors`, `tokenizer.json`, `config.json`. No neural run at all.

A text is the mean of the rows of its tokens (Tulkens & van Dongen, 2024, *Model2Vec*). The format is read here, so that
neither the package of that name nor its downloads are needed. Unknown tokens are left out, as its makers do; the whole
text counts, where they stop at 512 tokens. A text without a known token gets the mean of the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import ModelRefused
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.models.files import require_safetensors, sha256_of
from chartcite.models.onnx_session import load_tokenizer
from chartcite.models.safetensors_file import read_tensors
from chartcite.models.vectors import no_tokens, unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TABLES = ("embeddings", "embedding.weight")


class StaticEncoder:
    """Rows of a table, summed. Safe to call from several threads."""

    token_dims = 0
    max_tokens = 1 << 20  # there is no window

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._tokenizer: Any = load_tokenizer(folder / "tokenizer.json", None)
        self._table, self._mapping, self._weights = _tensors(folder / "model.safetensors", name)
        self._unknown = _unknown_token(self._tokenizer)
        self._check(self._tokenizer.get_vocab_size())
        self._neutral = unit(self._table.mean(axis=0), name)
        self.dims = int(self._table.shape[1])
        parts = [sha256_of(folder / "model.safetensors"), sha256_of(folder / "tokenizer.json"), "mean-1"]
        self.fingerprint = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def encode_passage(self, text: str) -> EncodedPassage:
        """The mean of the rows."""
        return EncodedPassage(self._vector(text), no_tokens())

    def encode_query(self, text: str) -> EncodedQuery:
        """The same as for a passage."""
        import numpy as np  # noqa: PLC0415

        return EncodedQuery(self._vector(text), np.zeros((0, 0), np.float32))

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text."""
        return [e.offsets for e in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def _vector(self, text: str) -> NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415

        ids = np.array(self._tokenizer.encode(text, add_special_tokens=False).ids, dtype=np.int64)
        ids = ids[ids != self._unknown]
        rows = self._table[ids if self._mapping is None else self._mapping[ids]]
        if self._weights is not None:
            rows = rows * self._weights[ids, None]
        total = rows.sum(axis=0, dtype=np.float64)
        return unit(total, self.name) if float(np.abs(total).max(initial=0.0)) > 1e-9 else self._neutral

    def _check(self, vocabulary: int) -> None:
        rows = len(self._table)
        mapping, weights = self._mapping, self._weights
        fits = rows >= vocabulary if mapping is None else len(mapping) >= vocabulary
        if mapping is not None and fits:
            fits = bool(mapping.min() >= 0 and mapping.max() < rows)
        if not fits or (weights is not None and len(weights) < vocabulary):
            raise ModelRefused(f"The table of {self.name} does not fit its tokenizer.", "Export the model again.")


def _tensors(path: Path, name: str) -> tuple[NDArray[np.float32], NDArray[np.int64] | None, NDArray[np.float32] | None]:
    import numpy as np  # noqa: PLC0415

    found = read_tensors(path, (*_TABLES, "mapping", "weights"))
    tables = [found[key] for key in _TABLES if key in found]
    if not tables or tables[0].ndim != 2 or not tables[0].size or not np.isfinite(tables[0]).all():
        raise ModelRefused(f"{name} holds no table of embeddings.", "Use a folder that model2vec saved.")
    mapping = found["mapping"].astype(np.int64) if "mapping" in found else None
    weights = found["weights"].astype(np.float32) if "weights" in found else None
    return tables[0].astype(np.float32), mapping, weights


def _unknown_token(tokenizer: Any) -> int:
    """The number of the token for unknown words; -1 where there is none."""
    model = tokenizer.model
    named = getattr(model, "unk_token", None)
    number = tokenizer.token_to_id(named) if isinstance(named, str) else getattr(model, "unk_id", None)
    return -1 if number is None else int(number)


def load(folder: Path) -> StaticEncoder:
    """The model in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights, or a table that does not fit.
    """
    require_safetensors(folder, ("model.safetensors", "tokenizer.json"))
    return StaticEncoder(f"model2vec:{folder.name.replace('@', '-')}", folder)
