"""Cuts a text into windows of a fixed number of tokens that overlap, without looking at sentences.

Windows start and end between words. The overlap is exact in tokens where a word starts at that token; else it grows
to the start of that word. A word longer than a whole window is cut between its tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chartcite.core.documents import Passage, Sentence
from chartcite.core.errors import UsageError
from chartcite.text.splitters import TokenCounter

_SIZES = re.compile(r"([1-9]\d{0,4})-(\d{1,5})", re.ASCII)


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

    def split(self, text: str, sentences: Sequence[Sentence], tokens: TokenCounter) -> tuple[Passage, ...]:
        """Return the windows from the first sentence to the last, in order. One call to `tokens`."""
        if not sentences:
            return ()
        # Only what the sentences span: text that a reader of the page cannot see is left out by the caller.
        base, part = sentences[0].start, text[sentences[0].start : sentences[-1].end]
        starts = [start for start, _ in tokens.offsets([part])[0]] or [0]
        edges = [0, *starts[1:], len(part)]  # what stands before the first token belongs to the first window
        spans = [_trim(part, edges[first], edges[last]) for first, last in self._windows(part, starts)]
        return tuple(Passage(n, base + start, base + end) for n, (start, end) in enumerate(spans, start=1))

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


def _word_start(text: str, starts: Sequence[int], token: int, floor: int) -> int:
    """The last token at or before `token`, but after `floor`, that starts a word; `token` itself if there is none."""
    at = token
    while at > floor + 1 and not text[starts[at] - 1].isspace():
        at -= 1
    return at if at > floor and (starts[at] == 0 or text[starts[at] - 1].isspace()) else token


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def load(sizes: str = "") -> FixedSplitter:
    """The splitter for the registry; `sizes` are tokens and overlap, as `510-0`, and 300-60 when empty.

    Raises:
        UsageError: not two numbers, or an overlap that is not smaller than the window.
    """
    if not sizes:
        return FixedSplitter()
    found = _SIZES.fullmatch(sizes)
    if found is None or int(found[2]) >= int(found[1]):
        raise UsageError(
            "The sizes of the fixed splitter are not tokens and a smaller overlap.", "For example fixed:510-0."
        )
    return FixedSplitter(int(found[1]), int(found[2]))
