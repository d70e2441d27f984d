"""Packs whole sentences of one section into passages of at most so many tokens.

A passage never crosses a header, so that a section copied forward from note to note stays the same text and is
encoded once. Headers with nothing under them go with what follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chartcite.core.documents import Passage, Sentence
from chartcite.text.splitters import TokenCounter
from chartcite.text.splitters.cutting import cut_long

_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SentenceSplitter:
    """The default splitter.

    Attributes:
        max_tokens: most tokens of a passage, special tokens not counted.
    """

    max_tokens: int = 256

    @property
    def name(self) -> str:
        """`sentences-256`."""
        return f"sentences-{self.max_tokens}"

    def split(self, text: str, sentences: Sequence[Sentence], tokens: TokenCounter) -> tuple[Passage, ...]:
        """Return the passages of a document. One call to `tokens` for its sentences, at most one more to check."""
        if not sentences:
            return ()
        counts = list(map(len, tokens.offsets([text[unit.start : unit.end] for unit in sentences])))
        spans: list[_Span] = []
        doubtful: list[int] = []
        for group in _sections(sentences):
            for first, last in self._pack(sentences, counts, group):
                if sum(counts[first:last]) + _between(sentences[first:last]) > self.max_tokens:
                    doubtful.append(len(spans))
                spans.append((sentences[first].start, sentences[last - 1].end))
        return self._number(self._checked(text, spans, doubtful, tokens))

    def _pack(self, sentences: Sequence[Sentence], counts: Sequence[int], group: range) -> Iterator[tuple[int, int]]:
        """Yield half-open ranges of sentences that fit; a header never stays alone if something follows it."""
        first, total, only_headers = group.start, 0, True
        for index in group:
            if index > first and total + counts[index] > self.max_tokens and not only_headers:
                yield first, index
                first, total, only_headers = index, 0, True
            total += counts[index]
            only_headers = only_headers and sentences[index].kind == "header"
        yield first, group.stop

    def _checked(self, text: str, spans: list[_Span], doubtful: list[int], tokens: TokenCounter) -> list[_Span]:
        """Count passages near the limit as a whole, since a tokeniser may count a line end too; cut what is over."""
        if not doubtful:
            return spans
        offsets = tokens.offsets([text[slice(*spans[index])] for index in doubtful])
        over = {index: found for index, found in zip(doubtful, offsets, strict=True) if len(found) > self.max_tokens}
        checked: list[_Span] = []
        for index, span in enumerate(spans):
            if index in over:
                checked.extend(cut_long(text, span, over[index], self.max_tokens, tokens))
            else:
                checked.append(span)
        return checked

    @staticmethod
    def _number(spans: Sequence[_Span]) -> tuple[Passage, ...]:
        return tuple(Passage(n, start, end) for n, (start, end) in enumerate(spans, start=1))


def _between(sentences: Sequence[Sentence]) -> int:
    """Most tokens that joining sentences can add: one for each character between them."""
    return sum(max(1, after.start - before.end) for before, after in pairwise(sentences))


def _sections(sentences: Sequence[Sentence]) -> Iterator[range]:
    """Yield the ranges of sentences between headers; headers in a row start one range together."""
    first = 0
    for index in range(1, len(sentences)):
        if sentences[index].kind == "header" and sentences[index - 1].kind != "header":
            yield range(first, index)
            first = index
    yield range(first, len(sentences))


def load() -> SentenceSplitter:
    """The splitter with its default settings."""
    return SentenceSplitter()
