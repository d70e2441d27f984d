"""Any BERT-like encoder as a folder: `model.onnx`, `tokenizer.json` and, optionally, `chartcite.json`.

`chartcite.json` may set `query_prefix`, `passage_prefix`, `pooling` (`cls` or `mean`) and `max_tokens`. With a
`projection.npz` (see `projection.py`) the encoder has token vectors too; without it late interaction is off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from chartcite.core.errors import ModelRefused
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.models.files import require_files, sha256_of
from chartcite.models.onnx_session import OnnxSession, load_tokenizer
from chartcite.models.projection import Projection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SPECIAL_TOKENS = 2  # [CLS] and [SEP]


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """What a model expects around its text. `max_tokens` counts the special tokens."""

    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: Literal["cls", "mean"] = "cls"
    max_tokens: int = 512


class OnnxEncoder:
    """An encoder that runs one text at a time (see `onnx_session`)."""

    def __init__(self, name: str, folder: Path, settings: EncoderSettings, projection: Projection | None) -> None:
        self.name = name
        self.settings = settings
        self.max_tokens = settings.max_tokens - _SPECIAL_TOKENS
        self._projection = projection
        self._session = OnnxSession(folder / "model.onnx")
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", settings.max_tokens)
        self._counter = load_tokenizer(folder / "tokenizer.json", None)
        self._prefix_tokens = len(self._counter.encode(settings.passage_prefix, add_special_tokens=False).ids)
        self.fingerprint = _fingerprint(folder, settings, projection)
        self.token_dims = projection.dims if projection else 0
        self.dims = self._try()

    def encode_passage(self, text: str) -> EncodedPassage:
        """One passage, one run."""
        import numpy as np  # noqa: PLC0415

        hidden = self._hidden(self.settings.passage_prefix + text)
        if self._projection is None:
            return EncodedPassage(self._pool(hidden), np.zeros((0, 0), np.int8))
        codes = self._projection.encode(hidden)
        # Rows are the text's own tokens between the special ones, as `offsets` counts them.
        codes = np.delete(codes, slice(1, 1 + self._prefix_tokens), axis=0)
        return EncodedPassage(self._pool(hidden), codes)

    def encode_query(self, text: str) -> EncodedQuery:
        """One query with the model's instruction; its token vectors are those of the query without instruction."""
        import numpy as np  # noqa: PLC0415

        vector = self._pool(self._hidden(self.settings.query_prefix + text))
        if self._projection is None:
            return EncodedQuery(vector, np.zeros((0, 0), np.float32))
        return EncodedQuery(vector, self._projection.for_query(self._hidden(text)))

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text, special tokens left out."""
        return [e.offsets for e in self._counter.encode_batch(list(texts), add_special_tokens=False)]

    def _try(self) -> int:
        """Run the model once, so that a wrong one is refused now and not in the middle of an ingest; its width."""
        try:
            hidden = self._hidden("a")
        except Exception as error:  # the runtime's own exception types are not public
            raise ModelRefused(f"{self.name} does not run on token ids.", "Use a BERT-like text encoder.") from error
        if hidden.ndim != 2:
            raise ModelRefused(f"The first output of {self.name} has no token axis.", "Export last_hidden_state first.")
        if self._projection is not None and self._projection.axes.shape[0] != hidden.shape[1]:
            raise ModelRefused(f"The projection does not fit {self.name}.", "Fit it again for this model.")
        return int(hidden.shape[1])

    def _hidden(self, text: str) -> NDArray[np.float32]:
        return self._session.run(self._tokenizer.encode(text))

    def _pool(self, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415

        pooled = hidden[0] if self.settings.pooling == "cls" else hidden.mean(axis=0)
        unit: NDArray[np.float32] = (pooled / max(float(np.linalg.norm(pooled)), 1e-12)).astype(np.float32)
        return unit


def load(folder: Path) -> OnnxEncoder:
    """The encoder in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights, or settings that cannot be read.
    """
    require_files(folder, ("model.onnx", "tokenizer.json"))
    projection = folder / "projection.npz"
    return OnnxEncoder(
        f"onnx:{folder.name}",
        folder,
        _settings(folder / "chartcite.json"),
        Projection.load(projection) if projection.is_file() else None,
    )


def _settings(path: Path) -> EncoderSettings:
    if not path.is_file():
        return EncoderSettings()
    try:
        settings = EncoderSettings(**json.loads(path.read_text("utf-8")))
    except (ValueError, TypeError) as error:
        raise ModelRefused(
            f"{path} cannot be used.", "Known keys: query_prefix, passage_prefix, pooling, max_tokens."
        ) from error
    texts = isinstance(settings.query_prefix, str) and isinstance(settings.passage_prefix, str)
    tokens = type(settings.max_tokens) is int and settings.max_tokens > _SPECIAL_TOKENS
    if not texts or not tokens or settings.pooling not in ("cls", "mean"):
        raise ModelRefused(
            f"{path}: prefixes must be text, pooling cls or mean, max_tokens a number above 2.", "Correct the file."
        )
    return settings


def _fingerprint(folder: Path, settings: EncoderSettings, projection: Projection | None) -> str:
    parts = [
        *(sha256_of(path) for path in sorted(folder.glob("model.onnx*")) if path.is_file()),  # large models: more files
        sha256_of(folder / "tokenizer.json"),
        json.dumps(asdict(settings), sort_keys=True),
        projection.sha256 if projection else "",
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
