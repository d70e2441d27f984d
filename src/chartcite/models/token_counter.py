"""Counts tokens for splitters where a model's own tokenizer is at hand, and a careful guess where it is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from chartcite.models.onnx_session import load_tokenizer

_PIECE = re.compile(r"\w{1,4}|[^\w\s]")


class Counter(Protocol):
    """What an encoder needs to serve as a splitter's `TokenCounter`."""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text, special tokens left out, nothing cut."""
        ...


class TokenizerCounter:
    """Counts with a `tokenizer.json`. `special_tokens`: how many the model puts around a text."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = load_tokenizer(path, None)
        self.special_tokens: int = self._tokenizer.num_special_tokens_to_add(False)

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """As the port says."""
        return [e.offsets for e in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]


class GuessingCounter:
    """Takes up to four letters or digits, or one other sign, for a token: in Latin script rather too many than too few.

    >>> len(GuessingCounter().offsets(["warfarin 5 mg"])[0])
    4
    """

    special_tokens = 2

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """As the port says."""
        return [[m.span() for m in _PIECE.finditer(text)] for text in texts]


def fit(text: str, max_tokens: int, counter: Counter) -> tuple[str, int]:
    """The text up to so many tokens, and how many were cut: for engines that do not cut by themselves."""
    if len(text) <= max_tokens:  # a token has at least one character
        return text, 0
    offsets = counter.offsets([text])[0]
    if len(offsets) <= max_tokens:
        return text, 0
    return text[: offsets[max_tokens - 1][1]], len(offsets) - max_tokens
