"""Passage splitters, one a file. The port through which they count tokens is here; they know no tokeniser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from chartcite.core.documents import Passage, Sentence


class TokenCounter(Protocol):
    """What a splitter needs of a tokeniser."""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Return for each text the character span of each token in order, without special tokens."""
        ...


class Splitter(Protocol):
    """Cuts a document into passages. `name` holds the settings, because passages are stored under it."""

    @property
    def name(self) -> str:
        """For example `sentences-256`."""
        ...

    def split(self, text: str, sentences: Sequence[Sentence], tokens: TokenCounter) -> tuple[Passage, ...]:
        """Return the passages in order: slices that together hold every character that is not white space."""
        ...
