"""Packs whole sentences of one section into passages of at most so many tokens.

A passage never crosses a header, so that a section copied forward from note to note stays the same text and is
encoded once. Headers with nothing under them go with what follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chartcite.core.documents import Passage, Sentence
from chartcite.text.cutting import cut_long
from chartcite.text.splitters import TokenCounter

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
        """Return the passages of a document. One call to `tokens` for its sentences, mostly one more to check."""
        if not sentences:
            return ()
        counted = map(len, tokens.offsets([text[unit.start : unit.end] for unit in sentences]))
        counts = dict(enumerate(counted))
        packed = [part for section in _sections(sentences) for part in self._pack(sentences, counts, section)]
        spans: list[_Span] = []
        over = self._too_long(text, sentences, counts, packed, tokens)
        for part in packed:
            if part in over:
                spans.extend(self._refit(text, sentences, counts, part, tokens))
            else:
                spans.append(_span(sentences, part))
        return tuple(Passage(n, start, end) for n, (start, end) in enumerate(spans, start=1))

    def _pack(self, sentences: Sequence[Sentence], counts: Mapping[int, int], part: range) -> Iterator[range]:
        """Yield ranges of sentences that fit; a header never stays alone if something follows it."""
        first, total, only_headers = part.start, 0, True
        for index in part:
            if not only_headers and total + counts[index] > self.max_tokens:
                yield range(first, index)
                first, total, only_headers = index, 0, True
            total += counts[index]
            only_headers = only_headers and sentences[index].kind == "header"
        yield range(first, part.stop)

    def _too_long(
        self,
        text: str,
        sentences: Sequence[Sentence],
        counts: Mapping[int, int],
        packed: Sequence[range],
        tokens: TokenCounter,
    ) -> set[range]:
        """Which parts are over the limit as one text. Only parts near it are counted again, all in one call."""
        near = [
            part for part in packed if sum(counts[at] for at in part) + sum(_gaps(sentences, part)) > self.max_tokens
        ]
        if not near:
            return set()
        found = tokens.offsets([text[slice(*_span(sentences, part))] for part in near])
        return {part for part, offsets in zip(near, found, strict=True) if len(offsets) > self.max_tokens}

    def _refit(
        self, text: str, sentences: Sequence[Sentence], counts: Mapping[int, int], part: range, tokens: TokenCounter
    ) -> Iterator[_Span]:
        """Pack one part again, counting what lies between its sentences; cut only what is still too long."""
        padded = {at: counts[at] + gap for at, gap in zip(part, _gaps(sentences, part), strict=True)}
        for smaller in self._pack(sentences, padded, part):
            start, end = _span(sentences, smaller)
            offsets = tokens.offsets([text[start:end]])[0]
            if len(offsets) <= self.max_tokens:
                yield start, end
            else:
                yield from cut_long(text, (start, end), offsets, self.max_tokens, tokens)


def _span(sentences: Sequence[Sentence], part: range) -> _Span:
    return sentences[part.start].start, sentences[part.stop - 1].end


def _gaps(sentences: Sequence[Sentence], part: range) -> list[int]:
    """The most tokens that joining can add before each sentence of a part: one for each character between."""
    return [0, *(max(1, sentences[at].start - sentences[at - 1].end) for at in part[1:])]


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
