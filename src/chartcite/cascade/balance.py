"""Balance over the documents of a collection: no article fills an answer while others have strict evidence too.

Two places, both deterministic. Of the passages found, one document may take a share of the depth before the passages
of others get their turn. Of the evidence kept, each document speaks once, in order of relevance, before any speaks
again; the best sentence stays first, with what corrects it or stands with it under the header that was asked for. A
title is quoted only where its document says nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from chartcite.core.answer import AnswerSentence, Evidence, SourceShare
from chartcite.core.retrieval import Hit, SearchSettings
from chartcite.retrieval.candidates import Bookshelf

_Item = TypeVar("_Item")
PASSAGE_SHARE = 4
"""One document takes at most a quarter of the passages at first."""


def deeper(settings: SearchSettings) -> SearchSettings:
    """Search settings that find further documents' passages too, as far as the ranking stays as it is."""
    return replace(settings, top_k=max(settings.top_k, settings.rerank_depth // 2))


def spread(hits: Sequence[Hit], top_k: int) -> list[Hit]:
    """The `top_k` hits to look at: in their order, but those of a document beyond its share come after all others.

    A passage that stands in several documents counts for the first of them. Ranks are given anew.
    """
    most = max(1, top_k // PASSAGE_SHARE)
    ordered = _in_turns(hits, lambda hit: hit.places[0].document, most)
    return [replace(hit, rank=rank) for rank, hit in enumerate(ordered[:top_k], start=1)]


def balance(evidence: Sequence[Evidence], per_document: int) -> list[Evidence]:
    """The same evidence, each document's sentences in turns of `per_document`; 0 leaves the order as it is.

    Only strict evidence takes turns: a weaker sentence of another article is no reason to hold back a good one.
    """
    if not per_document or len(evidence) < 2:
        return list(evidence)
    front = [e for n, e in enumerate(evidence) if n == 0 or e.kept in ("correction", "neighbour")]
    ids = {id(e) for e in front}
    rest = [e for e in evidence if id(e) not in ids]
    if any(e.kept != "strict" for e in rest):
        return list(evidence)
    spoken = Counter(e.key for e in front)
    return [*front, *_in_turns(rest, lambda e: e.key, per_document, spoken)]


def titles_last(evidence: Sequence[Evidence], title_of: Callable[[int], str]) -> list[Evidence]:
    """The same evidence; a document's bare title goes behind all else where the document has other evidence.

    A title names what is asked for and says nothing that could be quoted for it.
    """
    bare = [_folded(e.quote) == _folded(title_of(e.key)) for e in evidence]
    speaks = {e.key for e, is_title in zip(evidence, bare, strict=True) if not is_title}
    last = [is_title and e.key in speaks for e, is_title in zip(evidence, bare, strict=True)]
    return [evidence[n] for n in sorted(range(len(evidence)), key=lambda n: last[n])]


def _folded(text: str) -> str:
    return " ".join(text.strip().lstrip("#").rstrip(".").casefold().split())


def _in_turns(
    items: Sequence[_Item], owner: Callable[[_Item], int], size: int, before: Counter[int] | None = None
) -> list[_Item]:
    """Stable: the first `size` items of each owner, then the next `size`, and so on."""
    seen = Counter(before or {})
    turns = []
    for item in items:
        turns.append(seen[owner(item)] // size)
        seen[owner(item)] += 1
    return [items[n] for n in sorted(range(len(items)), key=lambda n: turns[n])]


def shares(
    hits: Sequence[Hit], evidence: Sequence[Evidence], sentences: Sequence[AnswerSentence], shelf: Bookshelf
) -> tuple[SourceShare, ...]:
    """What each document gave to an answer, most cited first, then most evidence, most passages, and the id.

    A passage or sentence with equal text in several documents counts for the one that is shown.
    """
    passages = Counter(hit.places[0].document for hit in hits)
    kept = Counter(e.key for e in evidence)
    cited = Counter(doc_id for s in sentences for doc_id in {c.doc_id for c in s.citations})
    made = [_share(shelf, key, passages[key], kept[key], cited) for key in passages.keys() | kept.keys()]
    return tuple(sorted(made, key=lambda s: (-s.cited, -s.evidence, -s.passages, s.doc_id)))


def _share(shelf: Bookshelf, key: int, passages: int, evidence: int, cited: Counter[str]) -> SourceShare:
    document = shelf.document(key)
    cited_here = cited[document.doc_id]
    return SourceShare(document.doc_id, document.title, document.bibliography, passages, evidence, cited_here)
