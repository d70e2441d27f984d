"""Any SPLADE-like masked language model as a folder: `model.onnx` with logits [1, n, vocabulary], and `tokenizer.json`.

The weight of a term is the maximum over the text's tokens of log(1 + relu(logit)) (Formal et al., 2021, *SPLADE v2*,
max pooling). Special tokens are read as positions, but are no terms here. `chartcite.json` may set `query_prefix`,
`passage_prefix`, `max_tokens` (512) and `max_terms` (256): so many of the heaviest terms are kept, ties by number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.errors import ModelRefused
from chartcite.core.neural import SparseText
from chartcite.models.files import require_files, sha256_of
from chartcite.models.folder_settings import LEAST_TOKENS, read_json
from chartcite.models.onnx_session import OnnxSession, load_tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SparseSettings:
    """What a sparse model expects around its text, and how many terms are kept of it."""

    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = 512
    max_terms: int = 256


class OnnxSparseEncoder:
    """Runs one text at a time (see `onnx_session`); safe to call from several threads."""

    def __init__(self, name: str, folder: Path, settings: SparseSettings) -> None:
        import numpy as np  # noqa: PLC0415

        self.name = name
        self.settings = settings
        self._session = OnnxSession(folder / "model.onnx")
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", settings.max_tokens)
        self._counter = load_tokenizer(folder / "tokenizer.json", None)
        self._special_tokens = self._counter.num_special_tokens_to_add(False)
        prefix = self._counter.encode(settings.passage_prefix, add_special_tokens=False)
        self.max_tokens = settings.max_tokens - self._special_tokens - len(prefix)
        if self.max_tokens < 1:
            raise ModelRefused(f"{name} has no room for text beside its prefix.", "Correct max_tokens or the prefix.")
        # Around nothing a tokenizer puts its special tokens alone.
        self._silent = np.unique(np.array(self._counter.encode("").ids, dtype=np.int64))
        self.vocabulary = self._try()
        parts = [
            *(sha256_of(path) for path in (folder / "model.onnx", *self._session.weights)),
            sha256_of(folder / "tokenizer.json"), json.dumps(asdict(settings), sort_keys=True),
        ]  # fmt: skip
        self.fingerprint = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def encode_passage(self, text: str) -> SparseText:
        """The heaviest terms of a passage."""
        return self._encode(self.settings.passage_prefix + text)

    def encode_query(self, text: str) -> SparseText:
        """The heaviest terms of a query."""
        return self._encode(self.settings.query_prefix + text)

    def term(self, number: int) -> str:
        """The token of a term number; empty where the tokenizer has none."""
        return self._counter.id_to_token(number) or ""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text, special tokens left out."""
        return [e.offsets for e in self._counter.encode_batch(list(texts), add_special_tokens=False)]

    def _encode(self, text: str) -> SparseText:
        import numpy as np  # noqa: PLC0415

        encoding = self._tokenizer.encode(text)
        weights = _weights(self._session.run(encoding))
        weights[self._silent] = 0
        terms = np.flatnonzero(weights > 0)
        if len(terms) > self.settings.max_terms:
            heaviest = np.lexsort((terms, -weights[terms]))[: self.settings.max_terms]
            terms = np.sort(terms[heaviest])
        cut = sum(len(more) - self._special_tokens for more in encoding.overflowing)
        return SparseText(terms.astype(np.int64), weights[terms], cut)

    def _try(self) -> int:
        """Run the model once, so that a wrong one is refused now; the width of its output."""
        try:
            logits = self._session.run(self._tokenizer.encode("a"))
        except Exception as error:  # the runtime's own exception types are not public
            raise ModelRefused(f"{self.name} does not run on token ids.", "Use a BERT-like model.") from error
        known = self._counter.get_vocab_size()
        if logits.ndim != 2 or logits.shape[1] < known:
            raise ModelRefused(
                f"The first output of {self.name} has no logit for each token of its tokenizer.",
                "Export the logits of the masked language model.",
            )
        return int(logits.shape[1])


def _weights(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32 [vocabulary] of logits [n_tokens, vocabulary]; the maximum first, as log(1 + relu(x)) rises with x."""
    import numpy as np  # noqa: PLC0415

    weights: NDArray[np.float32] = np.log1p(np.maximum(logits.max(axis=0), 0)).astype(np.float32)
    return weights


def load(folder: Path) -> OnnxSparseEncoder:
    """The sparse encoder in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights, weights outside the folder, or settings that cannot be read.
    """
    require_files(folder, ("model.onnx", "tokenizer.json"))
    return OnnxSparseEncoder(f"sparse:{folder.name.replace('@', '-')}", folder, _settings(folder / "chartcite.json"))


def _settings(path: Path) -> SparseSettings:
    if not path.is_file():
        return SparseSettings()
    advice = "Known keys: query_prefix, passage_prefix, max_tokens (above 2), max_terms (above 0)."
    try:
        settings = SparseSettings(**read_json(path))
    except TypeError as error:
        raise ModelRefused(f"{path} cannot be used.", advice) from error
    texts = isinstance(settings.query_prefix, str) and isinstance(settings.passage_prefix, str)
    numbers = type(settings.max_tokens) is int and type(settings.max_terms) is int
    if not texts or not numbers or settings.max_tokens <= LEAST_TOKENS or settings.max_terms < 1:
        raise ModelRefused(f"{path} cannot be used.", advice)
    return settings
