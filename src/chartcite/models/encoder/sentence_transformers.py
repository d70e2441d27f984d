"""A sentence-transformers folder with safetensors weights, run by torch (extra `torch`).

Prompts named `query` and `document` (or `passage`) go in front; `chartcite.json` may name others. One text at a time
under a lock: the tokenizers of that library keep a state, and torch uses all cores for one text by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import ModelRefused
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.models.folder_settings import read_prompts, read_settings
from chartcite.models.token_counter import TokenizerCounter
from chartcite.models.torch_folder import SAFE, digest, require, stay_offline
from chartcite.models.vectors import no_tokens, unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

stay_offline()
from sentence_transformers import SentenceTransformer  # noqa: E402  (after the hub's library was told)


class TorchEncoder:
    """One model of sentence-transformers."""

    token_dims = 0

    def __init__(self, name: str, folder: Path, query_prefix: str, passage_prefix: str) -> None:
        self.name = name
        self._query_prefix, self._passage_prefix = query_prefix, passage_prefix
        self._lock = Lock()
        self._counter = TokenizerCounter(folder / "tokenizer.json")
        try:
            self._model: Any = SentenceTransformer(str(folder), **SAFE)
        except Exception as error:  # the library raises what it likes
            raise ModelRefused(
                f"{name} cannot be loaded by sentence-transformers ({type(error).__name__}).", "Save it again."
            ) from error
        self._window = int(self._model.max_seq_length or 512)
        prefix = len(self._counter.offsets([passage_prefix])[0])
        self.max_tokens = self._window - self._counter.special_tokens - prefix
        self.fingerprint = digest(folder, query_prefix, passage_prefix)
        self.dims = len(self._vector("a"))

    def encode_passage(self, text: str) -> EncodedPassage:
        """One passage, one run."""
        whole = self._passage_prefix + text
        return EncodedPassage(self._vector(whole), no_tokens(), self._cut(whole))

    def encode_query(self, text: str) -> EncodedQuery:
        """One query with the model's prompt."""
        import numpy as np  # noqa: PLC0415

        whole = self._query_prefix + text
        return EncodedQuery(self._vector(whole), np.zeros((0, 0), np.float32), self._cut(whole))

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text, special tokens left out."""
        return self._counter.offsets(texts)

    def _vector(self, text: str) -> NDArray[np.float32]:
        with self._lock:
            # An empty prompt keeps the library from putting its default one in front once more.
            found = self._model.encode([text], prompt="", show_progress_bar=False, convert_to_numpy=True)
        return unit(found[0], self.name)

    def _cut(self, text: str) -> int:
        room = self._window - self._counter.special_tokens
        return max(0, len(self._counter.offsets([text])[0]) - room) if len(text) > room else 0


def load(folder: Path) -> TorchEncoder:
    """The model in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights, code of the model's own, or files that cannot be read.
    """
    require(folder)
    if (folder / "chartcite.json").is_file():
        own = read_settings(folder)
        query, passage = own.query_prefix, own.passage_prefix
    else:
        query, passage = read_prompts(folder)
    return TorchEncoder(f"st:{folder.name.replace('@', '-')}", folder, query, passage)
