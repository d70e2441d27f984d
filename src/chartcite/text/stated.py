"""A text's units when its source states its own sentences: those are the units of citation, ours fill what is between.

Some data sets number the sentences of a note, and an answer must name those numbers. A stated unit that is nothing but
headers is left to our own cut, so that a header stays context and never evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from chartcite.core.documents import Sentence, Span
from chartcite.core.errors import CorruptSource
from chartcite.text.sentences import split_sentences


def units_of(text: str, stated: Sequence[Span] = ()) -> tuple[Sentence, ...]:
    r"""Return the units of `text` in order, numbered from 1: the stated ones, and our own of all that is outside them.

    Raises:
        CorruptSource: a stated unit is empty, outside the text, or begins inside the one before it.

    >>> text = "PLAN: Seen by Dr. Po. Warfarin was\nstopped.\nHome."
    >>> [(u.kind, text[u.start : u.end]) for u in units_of(text, [Span(6, 43)])]
    [('header', 'PLAN:'), ('stated', 'Seen by Dr. Po. Warfarin was\nstopped.'), ('sentence', 'Home.')]
    """
    own = split_sentences(text)
    if not stated:
        return own
    _checked(text, stated)
    kept = [span for span in stated if not _is_header(text, span, own)]
    found = [*(_stated(span, own) for span in kept), *_outside(text, kept, own)]
    return tuple(
        Sentence(n, unit.start, unit.end, unit.kind, unit.section)
        for n, unit in enumerate(sorted(found, key=lambda u: u.start), start=1)
    )


def _checked(text: str, stated: Sequence[Span]) -> None:
    inside = all(0 <= s.start < s.end <= len(text) and text[s.start : s.end].strip() for s in stated)
    if not inside or any(a.end > b.start for a, b in pairwise(stated)):
        raise CorruptSource("the stated sentences do not lie in the text one after the other")


def _is_header(text: str, span: Span, own: Sequence[Sentence]) -> bool:
    """Whether all that the span holds are headers."""
    touched = [u for u in own if u.start < span.end and span.start < u.end and _shared(text, span, u)]
    return all(u.kind == "header" for u in touched)


def _shared(text: str, span: Span, unit: Sentence) -> bool:
    return bool(text[max(span.start, unit.start) : min(span.end, unit.end)].strip())


def _stated(span: Span, own: Sequence[Sentence]) -> Sentence:
    """The span under the headers of the unit of ours that it shares most with."""
    most = max(own, key=lambda u: (u.kind != "header", min(span.end, u.end) - max(span.start, u.start)))
    return Sentence(0, span.start, span.end, "stated", most.section)


def _outside(text: str, stated: Sequence[Span], own: Sequence[Sentence]) -> Iterator[Sentence]:
    """What stands in no stated unit, cut as we cut."""
    ends = [0, *(s.end for s in stated)]
    starts = [*(s.start for s in stated), len(text)]
    gaps = [(a, b) for a, b in zip(ends, starts, strict=True) if text[a:b].strip()]
    for unit in own:
        for start, end in gaps:
            at, to = max(start, unit.start), min(end, unit.end)
            piece = text[at:to].strip() if at < to else ""
            if piece:
                first = text.index(piece, at)
                yield Sentence(0, first, first + len(piece), unit.kind, unit.section)
