"""Any BERT-like encoder as a folder: `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and how to use them.

See `folder_settings` for pooling, prefixes and window. With a `projection.npz` (see `projection`) the encoder has token
vectors too; without it late interaction is off. Weights in other files are read only from inside the folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.errors import ModelRefused
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.models.files import require_files, sha256_of
from chartcite.models.folder_settings import EncoderSettings, read_settings
from chartcite.models.onnx_session import OnnxSession, load_tokenizer
from chartcite.models.projection import Projection
from chartcite.models.vectors import no_tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding


class OnnxEncoder:
    """An encoder that runs one text at a time (see `onnx_session`). `languages`: those it knows; none: not known."""

    languages: tuple[str, ...] = ()

    def __init__(
        self,
        name: str,
        folder: Path,
        settings: EncoderSettings,
        projection: Projection | None,
        model: str = "model.onnx",
    ) -> None:
        self.name = name
        self.settings = settings
        self._projection = projection
        self._session = OnnxSession(folder / model)
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", settings.max_tokens)
        self._counter = load_tokenizer(folder / "tokenizer.json", None)
        self._special_tokens = self._counter.num_special_tokens_to_add(False)
        self._prefix_tokens = len(self._counter.encode(settings.passage_prefix, add_special_tokens=False).ids)
        self.max_tokens = settings.max_tokens - self._special_tokens - self._prefix_tokens
        if self.max_tokens < 1:
            raise ModelRefused(f"{name} has no room for text beside its prefix.", "Correct max_tokens or the prefix.")
        self.fingerprint = _fingerprint([folder / model, *self._session.weights], folder, settings, projection)
        self.token_dims = projection.dims if projection else 0
        self.dims = self._try()

    def encode_passage(self, text: str) -> EncodedPassage:
        """One passage, one run."""
        import numpy as np  # noqa: PLC0415

        encoding = self._tokenizer.encode(self.settings.passage_prefix + text)
        hidden = self._session.run(encoding)
        if self._projection is None:
            return EncodedPassage(self._pool(hidden), no_tokens(), self._cut(encoding))
        codes = self._projection.encode(hidden)
        # Rows are the text's own tokens between the special ones, as `offsets` counts them.
        codes = np.delete(codes, slice(1, 1 + self._prefix_tokens), axis=0)
        return EncodedPassage(self._pool(hidden), codes, self._cut(encoding))

    def encode_query(self, text: str) -> EncodedQuery:
        """One query with the model's instruction; its token vectors are those of the query without instruction."""
        import numpy as np  # noqa: PLC0415

        encoding = self._tokenizer.encode(self.settings.query_prefix + text)
        vector = self._pool(self._session.run(encoding))
        if self._projection is None:
            return EncodedQuery(vector, np.zeros((0, 0), np.float32), self._cut(encoding))
        return EncodedQuery(vector, self._projection.for_query(self.hidden(text)), self._cut(encoding))

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text, special tokens left out."""
        return [e.offsets for e in self._counter.encode_batch(list(texts), add_special_tokens=False)]

    def hidden(self, text: str) -> NDArray[np.float32]:
        """The last hidden states of a text as it is, float32 [n_tokens, hidden], special tokens among them."""
        return self._session.run(self._tokenizer.encode(text))

    def _cut(self, encoding: Encoding) -> int:
        return sum(len(more) - self._special_tokens for more in encoding.overflowing)

    def _try(self) -> int:
        """Run the model once, so that a wrong one is refused now and not in the middle of an ingest; its width."""
        try:
            hidden = self.hidden("a")
        except Exception as error:  # the runtime's own exception types are not public
            raise ModelRefused(f"{self.name} does not run on token ids.", "Use a BERT-like text encoder.") from error
        if hidden.ndim != 2:
            raise ModelRefused(f"The first output of {self.name} has no token axis.", "Export last_hidden_state first.")
        if self._projection is not None and self._projection.axes.shape[0] != hidden.shape[1]:
            raise ModelRefused(f"The projection does not fit {self.name}.", "Fit it again for this model.")
        return int(hidden.shape[1])

    def _pool(self, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415

        pooling = self.settings.pooling
        pooled = hidden[0] if pooling == "cls" else hidden.mean(axis=0) if pooling == "mean" else hidden.max(axis=0)
        unit: NDArray[np.float32] = (pooled / max(float(np.linalg.norm(pooled)), 1e-12)).astype(np.float32)
        return unit


def load(folder: Path) -> OnnxEncoder:
    """The encoder in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights, weights outside the folder, or settings that cannot be read.
    """
    model = "model.onnx" if (folder / "model.onnx").is_file() else "onnx/model.onnx"
    require_files(folder, (model if (folder / model).is_file() else "model.onnx", "tokenizer.json"))
    projection = folder / "projection.npz"
    return OnnxEncoder(
        f"onnx:{folder.name.replace('@', '-')}",
        folder,
        read_settings(folder),
        Projection.load(projection) if projection.is_file() else None,
        model,
    )


def _fingerprint(
    weights: Sequence[Path], folder: Path, settings: EncoderSettings, projection: Projection | None
) -> str:
    parts = [
        *(sha256_of(path) for path in weights),  # large models keep theirs in more files
        sha256_of(folder / "tokenizer.json"),
        json.dumps(asdict(settings), sort_keys=True),
        projection.sha256 if projection else "",
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
