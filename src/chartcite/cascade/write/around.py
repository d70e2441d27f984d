"""The notes around the evidence: what a writer may read to understand it, and what else of them bears a sentence out.

A safety net, never a source: the answer is checked against its evidence. A sentence that only the notes bear out is no
part of the answer; it is told apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from chartcite.cascade.describe import described
from chartcite.cascade.inquiry import Inquiry
from chartcite.core.answer import Evidence
from chartcite.core.unseen import seen

LEAST_SHARE = 0.5
MOST_SOURCES = 3


def notes_around(evidence: Sequence[Evidence], inquiry: Inquiry) -> list[str]:
    """The sentences of all notes that hold evidence, line by line under date and type, the best note first."""
    lines: list[str] = []
    shown: set[int] = set()
    for first in evidence:
        if first.key in shown:
            continue
        shown.add(first.key)
        lines.append(f"[{described(first, inquiry)}]")
        text = inquiry.shelf.document(first.key).text
        lines += [" ".join(seen(text[unit.start : unit.end]).split()) for unit in inquiry.shelf.sentences(first.key)]
    return lines


def sources_around(texts: Sequence[str], evidence: Sequence[Evidence], inquiry: Inquiry) -> list[tuple[Evidence, ...]]:
    """For each sentence those of the notes that have most of its words, at most three, best first."""
    analyse = inquiry.tools.analyse
    notes = [item for key in dict.fromkeys(e.key for e in evidence) for item in _sentences(key, inquiry)]
    terms = [set(analyse(item.quote)) for item in notes]

    def nearest(text: str) -> tuple[Evidence, ...]:
        own = set(analyse(text))
        shares = [(len(own & held) / max(1, len(own)), n) for n, held in enumerate(terms)]
        best = sorted((s for s in shares if s[0] >= LEAST_SHARE), key=lambda s: (-s[0], s[1]))
        return tuple(notes[n] for _, n in best[:MOST_SOURCES])

    return [nearest(text) for text in texts]


def _sentences(key: int, inquiry: Inquiry) -> list[Evidence]:
    document = inquiry.shelf.document(key)
    return [
        Evidence(
            key=key, doc_id=document.doc_id, sentence=unit.n, start=unit.start, end=unit.end,
            quote=seen(document.text[unit.start : unit.end]), sort_key=document.time.sort_key if document.time else "",
            relevance=1, probability=0.0, section=unit.section, is_item=unit.kind == "item",
        )
        for unit in inquiry.shelf.sentences(key)
        if unit.kind != "header"
    ]  # fmt: skip
