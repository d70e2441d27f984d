"""Cuts a text into its units of citation: sentences, headers, list items and table rows.

Works in three steps, each in its own file: lines and headers, blocks of lines that belong together, sentence ends
inside a block. Every unit is a slice of the text; every character that is seen, and is not white space, is in exactly
one unit. Linear in the size of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chartcite.core.documents import Sentence, SentenceKind, Span
from chartcite.core.unseen import Seen, look, seen
from chartcite.text.boundaries import cut_block
from chartcite.text.layout import find_blocks
from chartcite.text.lines import find_masks, split_lines
from chartcite.text.sections import SectionPath, find_headers


def split_sentences(text: str) -> tuple[Sentence, ...]:
    r"""Return the units of `text` in order, numbered from 1.

    The same text with other line ends gives the same units at mapped offsets.

    >>> text = "PLAN: Aspirin 81 mg q.d. for\nlife. Seen by Dr. Po.\n- call if worse"
    >>> [(unit.kind, text[unit.start : unit.end]) for unit in split_sentences(text)]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('header', 'PLAN:'), ('sentence', 'Aspirin 81 mg q.d. for\nlife.'), ('sentence', 'Seen by Dr. Po.'),
     ('item', '- call if worse')]
    """
    view = look(text)
    units = _split(view.text)
    return units if view.is_all or not units else tuple(_whole(view, units))


def _whole(view: Seen, units: Sequence[Sentence]) -> Iterator[Sentence]:
    """The units in the text itself. What is not seen belongs to the word before it, at the front of a unit to it."""
    text, before = view.source, 0
    starts = [view.span(Span(unit.start, unit.end)).start for unit in units]
    for unit, first, following in zip(units, starts, [*starts[1:], len(text)], strict=True):
        start, end = first, view.span(Span(unit.start, unit.end)).end
        while start > before and not seen(text[start - 1]):
            start -= 1
        while end < following and not seen(text[end]):
            end += 1
        yield replace(unit, start=start, end=end)
        before = end


def _split(text: str) -> tuple[Sentence, ...]:
    masks = find_masks(text)
    lines = split_lines(text, masks)
    sections = SectionPath()
    units: list[Sentence] = []
    for block in find_blocks(text, lines, find_headers(text, lines)):
        if block.header is not None:
            sections.enter(block.header)
            units.append(Sentence(len(units) + 1, block.start, block.end, "header", sections.path))
        elif block.kind == "row":
            units.append(Sentence(len(units) + 1, block.start, block.end, "row", sections.path))
        else:
            kind: SentenceKind = "item" if block.kind == "item" else "sentence"
            for start, end in cut_block(text, block.start, block.end, masks):
                units.append(Sentence(len(units) + 1, start, end, kind, sections.path))
                kind = "sentence"
    return tuple(units)
