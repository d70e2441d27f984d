"""Cuts a stretch of text that has too many tokens at white space, and inside a word only if it must."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from chartcite.text.splitters import TokenCounter

_WORD = re.compile(r"\S+")


def cut_long(
    text: str, span: tuple[int, int], offsets: Sequence[tuple[int, int]], max_tokens: int, tokens: TokenCounter
) -> list[tuple[int, int]]:
    """Return spans that cover `span` with at most `max_tokens` tokens each.

    Args:
        text: the whole document.
        span: what to cut.
        offsets: its tokens, relative to the span's start.
        max_tokens: the limit.
        tokens: counts pieces again, because half a word may have more tokens than it had as part of the whole.
    """
    waiting = [(span[0] + start, span[0] + end) for start, end in _pieces(text[slice(*span)], offsets, max_tokens)]
    done: list[tuple[int, int]] = []
    while waiting:
        found = tokens.offsets([text[slice(*piece)] for piece in waiting])
        smaller: list[tuple[int, int]] = []
        for piece, count in zip(waiting, map(len, found), strict=True):
            if count <= max_tokens or piece[1] - piece[0] == 1:
                done.append(piece)
            else:
                smaller.extend(_halves(text, piece))
        waiting = smaller
    return sorted(done)


def _pieces(text: str, offsets: Sequence[tuple[int, int]], max_tokens: int) -> Iterator[tuple[int, int]]:
    """Yield runs of whole words that fit; a word that does not fit alone is cut between its tokens."""
    starts = [start for start, _ in offsets]
    begin, end, used = -1, 0, 0
    for word in _WORD.finditer(text):
        low, high = bisect_left(starts, word.start()), bisect_left(starts, word.end())
        if begin >= 0 and used + high - low > max_tokens:
            yield begin, end
            begin, used = -1, 0
        if high - low > max_tokens:
            cuts = [word.start(), *sorted(set(starts[low + max_tokens : high : max_tokens])), word.end()]
            yield from ((a, b) for a, b in pairwise(cuts) if a < b)
            continue
        begin = word.start() if begin < 0 else begin
        end, used = word.end(), used + high - low
    if begin >= 0:
        yield begin, end


def _halves(text: str, piece: tuple[int, int]) -> list[tuple[int, int]]:
    """Cut a piece in two, at the white space nearest before its middle if there is one."""
    start, end = piece
    middle = (start + end) // 2
    words = [match.start() for match in _WORD.finditer(text, start + 1, end) if text[match.start() - 1].isspace()]
    at = max((word for word in words if word <= middle), default=min(words, default=middle))
    first_end = at
    while first_end > start and text[first_end - 1].isspace():
        first_end -= 1
    return [(start, first_end), (at, end)]
