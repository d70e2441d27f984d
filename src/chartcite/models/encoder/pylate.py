"""A late-interaction model (ColBERT) as PyLate saves it, with safetensors weights, run by torch (extra `torch`).

Token vectors are the model's own, int8 with one step for all channels (they have length one, so their values lie in
a known range). The marker token's row is dropped and those of punctuation are zero, so that rows and `offsets` agree.
The model has no vector for a whole text; `dense` gets the mean of the rows, which is a makeshift: use `hybrid` or the
late-interaction rerank with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import ModelRefused
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.models.token_counter import TokenizerCounter
from chartcite.models.torch_folder import SAFE, digest, require, stay_offline
from chartcite.models.vectors import unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

stay_offline()
import torch  # noqa: E402  (after the hub's library was told)
from pylate.models import ColBERT  # noqa: E402

_STEP = 1 / 256  # values beyond +-.496 are clipped; a unit vector of 128 channels hardly has any


class ColbertEncoder:
    """One ColBERT model. Under a lock, as torch uses all cores for one text by itself."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._lock = Lock()
        self._counter = TokenizerCounter(folder / "tokenizer.json")
        try:
            self._model: Any = ColBERT(str(folder), **SAFE)
        except Exception as error:  # the library raises what it likes
            raise ModelRefused(
                f"{name} cannot be loaded by PyLate ({type(error).__name__}).", "Save it again."
            ) from error
        self._model.eval()
        self._marked = self._model.document_prefix_id is not None
        self._room = int(self._model.document_length) - self._counter.special_tokens - int(self._marked)
        self.max_tokens = self._room
        self.fingerprint = digest(folder, f"int8 {_STEP}")
        self.dims = self.token_dims = int(self._rows("a", is_query=True).shape[1])

    def encode_passage(self, text: str) -> EncodedPassage:
        """One passage, one run."""
        import numpy as np  # noqa: PLC0415

        rows = self._rows(text, is_query=False)
        codes = np.clip(np.rint(rows / _STEP), -127, 127).astype(np.int8)
        tokens = len(self._counter.offsets([text])[0]) if len(text) > self._room else 0
        return EncodedPassage(unit(rows.mean(axis=0), self.name), codes, max(0, tokens - self._room))

    def encode_query(self, text: str) -> EncodedQuery:
        """One query, with the expansion that the model was trained for."""
        import numpy as np  # noqa: PLC0415

        rows = self._rows(text, is_query=True)
        room = int(self._model.query_length) - self._counter.special_tokens - 1
        tokens = len(self._counter.offsets([text])[0]) if len(text) > room else 0
        return EncodedQuery(
            unit(rows.mean(axis=0), self.name), (rows * _STEP).astype(np.float32), max(0, tokens - room)
        )

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text, special tokens left out."""
        return self._counter.offsets(texts)

    def _rows(self, text: str, *, is_query: bool) -> NDArray[np.float32]:
        """Unit-length token vectors, float32 [n_tokens, token_dims]."""
        with self._lock, torch.no_grad():
            features = self._model.tokenize([text], is_query=is_query)
            ids = features["input_ids"][0]
            out = self._model(features)
            rows = torch.nn.functional.normalize(out["token_embeddings"][0], p=2, dim=1)
            if is_query:
                if not self._model.do_query_expansion:
                    rows = rows[out["attention_mask"][0].bool()]
            else:
                kept = self._model.skiplist_mask(input_ids=ids[None], skiplist=self._model.skiplist)[0]
                rows = rows * kept[:, None]
                if self._marked:
                    rows = torch.cat([rows[:1], rows[2:]])
        found: NDArray[np.float32] = rows.float().numpy()
        return found


def load(folder: Path) -> ColbertEncoder:
    """The model in a user's folder.

    Raises:
        ModelMissing: the folder or a file is not there.
        ModelRefused: pickled weights, code of the model's own, or files that cannot be read.
    """
    require(folder)
    return ColbertEncoder(f"pylate:{folder.name.replace('@', '-')}", folder)
