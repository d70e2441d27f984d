"""Spans of a note to the ids of the data set's sentences, by overlap: the unit that is cited need not be theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chartcite.core.documents import Span
from chartcite.readers.archehr_xml import StatedSentence

SHARE = 0.5
"""A sentence is meant if half of it, or of what is cited, is in both."""
_HEADER_WORDS = 6


def ids_of(spans: Iterable[Span], text: str, sentences: Sequence[StatedSentence]) -> tuple[str, ...]:
    """The sentences that some spans mean, in the order of the note.

    A header in front of a cited sentence is not meant by it; it is where nothing but the header is cited.
    """
    found = {s.id for span in spans for s in _meant(span, text, sentences)}
    return tuple(s.id for s in sentences if s.id in found)


def _meant(span: Span, text: str, sentences: Sequence[StatedSentence]) -> list[StatedSentence]:
    touched = [s for s in sentences if _is_meant(span, text, s.span)]
    return [s for s in touched if not _is_header(text[slice(*s.span)])] or touched


def _is_meant(span: Span, text: str, sentence: Span) -> bool:
    shared = _size(text, max(span.start, sentence.start), min(span.end, sentence.end))
    return shared > 0 and shared >= SHARE * min(_size(text, *span), _size(text, *sentence))


def _size(text: str, start: int, end: int) -> int:
    """Characters that are no white space."""
    return sum(not c.isspace() for c in text[start:end]) if start < end else 0


def _is_header(text: str) -> bool:
    return text.rstrip().endswith(":") and len(text.split()) <= _HEADER_WORDS
