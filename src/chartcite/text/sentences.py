"""Cuts a text into its units of citation: sentences, headers, list items and table rows.

Works in three steps, each in its own file: lines and headers, blocks of lines that belong together, sentence ends
inside a block. Every unit is a slice of the text; every character that is not white space is in exactly one unit.
Linear in the size of the text.
"""

from __future__ import annotations

from chartcite.core.documents import Sentence, SentenceKind
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
