"""Evidence sentences as the cascade grades them, mapped to a data set's own sentences, and their micro F1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartcite import pipeline
from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.score.rules import load_grades, score
from chartcite.cascade.selection import LENIENT, STRICT
from chartcite.core.retrieval import Hit, Place
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.retrieval.candidates import Bookshelf, candidates
from chartcite.retrieval.probe import Probe
from verification.figures import Figure
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
    """What is picked of documents that are given: strictly (grade 4), leniently (3), weakly (2), or everything.

    Args:
        book: holds the documents, named by their ids, in the collection.
        collection: its name.
        cases: by case, the claim and the ids of its documents.
        lines: by document, its own sentences.
    """
    found: dict[str, Picked] = {"strict": {}, "lenient": {}, "weak": {}, "all": {}}
    for case, (claim, documents) in cases.items():
        graded = list(_graded(book, collection, claim, documents))
        for name, least in (("strict", STRICT), ("lenient", LENIENT), ("weak", WEAK)):
            found[name][case] = {
                (doc, n) for doc, start, end, grade in graded if grade >= least for n in lines[doc].hit(start, end)
            }
        found["all"][case] = {(doc, n) for doc in documents for n in range(len(lines[doc].spans))}
    return found


def _graded(book: Book, collection: str, claim: str, documents: Sequence[str]) -> Iterator[tuple[str, int, int, int]]:
    """Every sentence of these documents with its grade: document, start, end, relevance."""
    with book._open(Scope.collection(collection), None) as (reader, index):
        tools, asked, shelf = book._tools(), interpret(claim), Bookshelf(reader, index.documents)
        probe = Probe(asked.query, index, reader, tools.encoder, tools.query_terms)
        keys = {d.key for d in index.documents if d.doc_id in documents}
        places = {p: [Place(*place) for place in index.places(p) if place[0] in keys] for p in range(index.size)}
        hits = [Hit(p, rank, 0.0, tuple(own)) for rank, (p, own) in enumerate(places.items(), start=1) if own]
        coverage = pipeline._focus(asked, probe, tools).coverage
        found = candidates(hits, shelf, probe, tools.encoder, coverage, lambda _: "")
        for one in score(asked.query, found, tools.reranker(), load_grades())[0]:
            candidate = one.candidate
            yield shelf.document(candidate.document).doc_id, candidate.start, candidate.end, one.relevance


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
