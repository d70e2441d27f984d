"""Evidence within documents that are given: which of their sentences bear on a claim.

Not a search: that the documents are the right ones is taken for granted. In each of them the sentences that are likely
enough are taken; where none is, the set with the greatest expected F1, which is everything when nothing stands out, as
for a claim of what is not there. Numbered blocks are taken whole, and a chosen sentence brings the header above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from chartcite.cascade.score.blocks import Path, block_of, numbered_blocks
from chartcite.cascade.score.grades import Grades
from chartcite.cascade.score.rules import Scored
from chartcite.cascade.score.sets import best_set
from chartcite.core.documents import Document, Sentence
from chartcite.core.unseen import seen
from chartcite.retrieval.candidates import Bookshelf


class Line(NamedTuple):
    """A sentence chosen: the store's number of its document, and its span."""

    document: int
    start: int
    end: int


def within(scored: Sequence[Scored], grades: Grades, shelf: Bookshelf) -> list[Line]:
    """The sentences of each document that are its evidence, in the order of the documents and of their text.

    Args:
        scored: every sentence of the given documents, graded; those the cross-encoder did not see count as unlikely.
        grades: the fitted model.
        shelf: for headers and for the lines of blocks.
    """
    by_document: dict[int, list[Scored]] = {}
    for one in scored:
        by_document.setdefault(one.candidate.document, []).append(one)
    return sorted({line for key, group in by_document.items() for line in _chosen(key, group, grades, shelf)})


def _chosen(key: int, group: Sequence[Scored], grades: Grades, shelf: Bookshelf) -> Iterator[Line]:
    document, sentences = shelf.document(key), shelf.sentences(key)
    blocks = numbered_blocks((s.section, seen(document.text[s.start : s.end])) for s in sentences)
    ordered = sorted(group, key=lambda one: one.candidate.start)
    best = max((one.logit for one in ordered if one.logit is not None), default=0.0)
    found = [grades.within(one.logit, best) if one.logit is not None else 0.0 for one in ordered]
    probabilities = _levelled(ordered, found, blocks)
    taken = [one for one, p in zip(ordered, probabilities, strict=True) if p >= grades.given_least]
    taken = taken or [ordered[i] for i in best_set(probabilities)]
    whole = {block_of(one.candidate.sentence.section) for one in taken} & blocks
    for one in taken:
        yield Line(key, one.candidate.start, one.candidate.end)
    for header in _headers(taken, sentences, document):
        yield Line(key, header.start, header.end)
    for sentence in sentences:
        if block_of(sentence.section) in whole:
            yield Line(key, sentence.start, sentence.end)


def _levelled(ordered: Sequence[Scored], p: Sequence[float], blocks: frozenset[Path]) -> list[float]:
    """The lines of a block have the probability of its best."""
    paths = [block_of(one.candidate.sentence.section) for one in ordered]
    best: Mapping[Path, float] = {b: max(x for x, path in zip(p, paths, strict=True) if path == b) for b in {*paths}}
    return [best[path] if path in blocks else x for x, path in zip(p, paths, strict=True)]


def _headers(taken: Sequence[Scored], sentences: Sequence[Sentence], document: Document) -> Iterator[Sentence]:
    """The headers that the chosen sentences stand under, nearest first, as far as they are lines of the text."""
    for one in taken:
        above = [s for s in sentences if s.kind == "header" and s.start < one.candidate.start]
        for name in reversed(one.candidate.sentence.section):
            found = next((s for s in reversed(above) if _says(seen(document.text[s.start : s.end]), name)), None)
            if found is not None:
                yield found


def _says(line: str, name: str) -> bool:
    return line.strip().rstrip(":").strip() == name
