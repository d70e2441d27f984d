"""Cuts a text into windows of a fixed number of tokens that overlap, without looking at sentences.

Windows start and end between words. The overlap is exact in tokens where a word starts at that token; else it grows
to the start of that word. A word longer than a whole window is cut between its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.documents import Passage, Sentence
from chartcite.text.splitters import TokenCounter


@dataclass(frozen=True, slots=True)
class FixedSplitter:
    """Token windows with a stride of `max_tokens - overlap`.

    Attributes:
        max_tokens: most tokens of a window, special tokens not counted.
        overlap: tokens that a window shares with the one before it.
    """

    max_tokens: int = 300
    overlap: int = 60

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.max_tokens:
            raise ValueError("overlap must be at least 0 and smaller than max_tokens")

    @property
    def name(self) -> str:
        """`fixed-300-60`."""
        return f"fixed-{self.max_tokens}-{self.overlap}"

    def split(self, text: str, sentences: Sequence[Sentence], tokens: TokenCounter) -> tuple[Passage, ...]:  # noqa: ARG002
        """Return the windows in order. `sentences` is not used. One call to `tokens`, for the whole text."""
        if not text or text.isspace():
            return ()
        starts = _starts(tokens.offsets([text])[0])
        if not starts:
            return (Passage(1, *_trim(text, 0, len(text))),)
        edges = [0, *starts[1:]]  # what stands before the first token belongs to the first window
        spans: list[tuple[int, int]] = []
        for first, last in self._windows(text, starts):
            spans.append(_trim(text, edges[first], edges[last] if last < len(edges) else len(text)))
        return tuple(Passage(n, start, end) for n, (start, end) in enumerate(spans, start=1))

    def _windows(self, text: str, starts: Sequence[int]) -> list[tuple[int, int]]:
        """Return half-open ranges of tokens."""
        total = len(starts)
        windows: list[tuple[int, int]] = []
        first = 0
        while True:
            last = min(first + self.max_tokens, total)
            if last < total:
                last = _word_start(text, starts, last, first)
            windows.append((first, last))
            if last >= total:
                return windows
            first = max(first + 1, _word_start(text, starts, last - self.overlap, first)) if self.overlap else last


def _starts(offsets: Sequence[tuple[int, int]]) -> list[int]:
    return [start for start, _ in offsets]


def _word_start(text: str, starts: Sequence[int], token: int, floor: int) -> int:
    """The last token at or before `token`, but after `floor`, that starts a word; `token` itself if there is none."""
    at = token
    while at > floor + 1 and not text[starts[at] - 1].isspace():
        at -= 1
    return at if at > floor and (starts[at] == 0 or text[starts[at] - 1].isspace()) else token


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
