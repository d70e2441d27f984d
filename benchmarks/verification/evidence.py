"""Evidence sentences as the cascade grades them, mapped to a data set's own sentences, and their micro F1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.passages import ranked
from chartcite.cascade.score.grades import load_grades
from chartcite.cascade.score.rules import Scored, score
from chartcite.cascade.score.within import within
from chartcite.cascade.selection import LENIENT, STRICT
from chartcite.cascade.trace import Trace
from chartcite.core.retrieval import Hit, Place
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.retrieval.candidates import Bookshelf, candidates
from verification.figures import Figure
from verification.reliability import Judgement
from verification.resampled import f1, precision, recall, resampled, shown_ratio

WEAK = 2
Picked = dict[str, set[tuple[str, int]]]
"""By case, the document and the position of each sentence picked."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Where a data set's sentences stand in the text that was ingested: (start, end) of each."""

    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, sentences: Sequence[str], between: str, before: str = "") -> Lines:
        """Of a text made of `before` and the sentences, joined."""
        spans, at = [], len(before)
        for sentence in sentences:
            spans.append((at, at + len(sentence)))
            at += len(sentence) + len(between)
        return cls(tuple(spans))

    def hit(self, start: int, end: int) -> Iterator[int]:
        """The sentences of which half is in the span, or which hold half of it."""
        for n, (first, last) in enumerate(self.spans):
            shared = min(end, last) - max(start, first)
            if shared > 0 and 2 * shared >= min(end - start, last - first):
                yield n


def picks_within(
    book: Book, collection: str, cases: Mapping[str, tuple[str, Sequence[str]]], lines: Mapping[str, Lines]
) -> dict[str, Picked]:
    """What is picked of documents that are given: by `within`, by grade (strictly 4, leniently 3, weakly 2), or all.

    Args:
        book: holds the documents, named by their ids, in the collection.
        collection: its name.
        cases: by case, the claim and the ids of its documents.
        lines: by document, its own sentences.
    """
    found: dict[str, Picked] = {"given": {}, "strict": {}, "lenient": {}, "weak": {}, "all": {}}
    for case, (claim, documents) in cases.items():
        graded, shelf, taken = _graded(book, collection, claim, documents)
        found["given"][case] = _hit(shelf, lines, taken)
        for name, least in (("strict", STRICT), ("lenient", LENIENT), ("weak", WEAK)):
            kept = [s.candidate for s in graded if s.relevance >= least]
            found[name][case] = _hit(shelf, lines, [Place(c.document, c.start, c.end) for c in kept])
        found["all"][case] = {(doc, n) for doc in documents for n in range(len(lines[doc].spans))}
    return found


def _hit(shelf: Mapping[int, str], lines: Mapping[str, Lines], spans: Sequence[Place]) -> set[tuple[str, int]]:
    return {(shelf[key], n) for key, start, end in spans for n in lines[shelf[key]].hit(start, end)}


def _graded(
    book: Book, collection: str, claim: str, documents: Sequence[str]
) -> tuple[Sequence[Scored], Mapping[int, str], Sequence[Place]]:
    """Every sentence of these documents with its grade; their ids by number; and what `within` takes of them.

    The cross-encoder reads the whole claim, however long: nothing is searched for here.
    """
    with book._open(Scope.collection(collection), None) as (reader, index):
        tools, asked, shelf = book._tools(reader, index, claim), interpret(claim), Bookshelf(reader, index.documents)
        inquiry = Inquiry(reader, index, shelf, tools, Trace())
        probe = inquiry.probe(asked.query)
        keys = {d.key: d.doc_id for d in index.documents if d.doc_id in documents}
        passages = np.flatnonzero(index.of_documents(sorted(keys))).tolist()
        places = {p: tuple(Place(*place) for place in index.places(p) if place[0] in keys) for p in passages}
        hits = [Hit(p, 1, 0.0, own) for p, own in places.items()]
        coverage = inquiry.focus(asked, probe).coverage
        found = candidates(hits, shelf, probe, tools.encoder, coverage, lambda _: "")
        grades = load_grades()
        graded = score(claim, found, tools.reranker(), grades, reader.scope, most=len(found))[0]
        return graded, keys, [Place(*line) for line in within(graded, grades, shelf)]


def open_picks(book: Book, collection: str, claims: Mapping[str, str], lines: Mapping[str, Lines]) -> Picked:
    """What `ask` keeps as evidence when the whole collection is searched."""
    return {
        case: {
            (e.doc_id, n)
            for e in book.ask(claim, collection=collection).evidence
            for n in lines[e.doc_id].hit(e.start, e.end)
        }
        for case, claim in claims.items()
    }


def picks_in_the_open(
    book: Book, collection: str, claims: Mapping[str, str], lines: Mapping[str, Lines], gold: Picked
) -> tuple[dict[str, Picked], list[Judgement]]:
    """What is graded 4 and more, 3 and more, and kept of a search of everything; and each grade that was given."""
    found: dict[str, Picked] = {"strict": {}, "lenient": {}, "kept": {}}
    judged: list[Judgement] = []
    with book._open(Scope.collection(collection), None) as (reader, index):
        tools = book._tools(reader, index, " ".join(claims.values()))
        for case, claim in claims.items():
            asked, shelf = interpret(claim), Bookshelf(reader, index.documents)
            inquiry = Inquiry(reader, index, shelf, tools, Trace())
            probe = inquiry.probe(asked.query)
            hits = ranked(asked, probe, inquiry)
            coverage = inquiry.focus(asked, probe).coverage
            pool = candidates(hits, shelf, probe, tools.encoder, coverage, lambda _: "")
            graded = score(asked.query, pool, tools.reranker(), load_grades(), reader.scope)[0]
            for name, least in (("strict", STRICT), ("lenient", LENIENT)):
                found[name][case] = {one for s in graded if s.relevance >= least for one in _lines_of(s, shelf, lines)}
            found["kept"][case] = found["strict"][case] or found["lenient"][case]
            judged += [
                Judgement(case, s.relevance, s.probability, bool(_lines_of(s, shelf, lines) & gold[case]))
                for s in graded
                if s.logit is not None
            ]
    return found, judged


def _lines_of(scored: Scored, shelf: Bookshelf, lines: Mapping[str, Lines]) -> set[tuple[str, int]]:
    c = scored.candidate
    doc = shelf.document(c.document).doc_id
    return {(doc, n) for n in lines[doc].hit(c.start, c.end)}


def evidence_figures(picked: Picked, gold: Mapping[str, set[tuple[str, int]]], clusters: Mapping[str, str]) -> Figure:
    """Micro precision, recall and F1 over sentences, and how many sentences were picked and are gold."""
    counts = {
        case: (float(len(chosen & gold[case])), float(len(chosen)), float(len(gold[case])))
        for case, chosen in picked.items()
    }
    parts = (("precision", precision), ("recall", recall), ("f1", f1))
    return {name: resampled(counts, clusters, part) for name, part in parts} | {
        "picked": int(sum(c[1] for c in counts.values())), "gold": int(sum(c[2] for c in counts.values()))
    }  # fmt: skip


def evidence_lines(found: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A line for each way of picking, under where it picked."""
    for where, ways in found.items():
        yield f"\nevidence sentences, {where}"
        for how, figure in ways.items():
            parts = "  ".join(f"{name} {shown_ratio(figure[name])}" for name in ("precision", "recall", "f1"))
            yield f"    {how:8} {parts}  (cases {figure['f1']['n']}, picked {figure['picked']}, gold {figure['gold']})"
