"""Third corridor, questions x documents: one retrieval a question, then for each document its best verified sentence.

A cell is what `ask` would say if the document were the whole record, with the partition's own statistics: the same
interpretation, grades, selection and check. What a document costs is bounded: of its best passages (`PASSAGES`) the
best sentences by the quick score (`SENTENCES`) go through the cross-encoder, so a question over n documents costs at
most n * SENTENCES runs of it. Evidence below `lenient` fills no cell: in a table the nearest of nothing is noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chartcite.cascade.align.rules import align
from chartcite.cascade.focus import Focus
from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.score.rules import Grades, Scored, cheap_score, load_grades, score
from chartcite.cascade.selection import ENOUGH_WORDS, LENIENT, Pool, select
from chartcite.cascade.write.rules import write
from chartcite.core.answer import AnswerSentence, Evidence, Interpretation, Reason
from chartcite.core.retrieval import Hit
from chartcite.core.stored import DocumentInfo
from chartcite.core.table import Asked, Cell, QuestionRow, TableDocument
from chartcite.index.port import SearchIndex
from chartcite.pipeline import Tools, Trace
from chartcite.retrieval.akin import akin
from chartcite.retrieval.candidates import Bookshelf, candidates
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import rank
from chartcite.store.reader import PartitionReader
from chartcite.verification.answers import verify

PASSAGES = 4
"""Best passages of a document that are read for one question."""
MOST_RANKED = 20_000
"""Passages of the one ranking; a document without any among them is `not_retrieved`, unless it is chosen by name."""
SENTENCES = 8
"""Sentences of a document that the cross-encoder sees for one question."""


@dataclass(slots=True)
class Desk:
    """What all questions of a table share: one snapshot of the partition, and the documents chosen."""

    reader: PartitionReader
    index: SearchIndex
    tools: Tools
    documents: Sequence[DocumentInfo]
    _terms: dict[int, frozenset[str]] = field(default_factory=dict)

    def shelf(self) -> Bookshelf:
        """The documents, for one question."""
        return Bookshelf(self.reader, self.index.documents)

    def described(self) -> tuple[TableDocument, ...]:
        """The documents as the table shows them."""
        shelf = self.shelf()
        found = [shelf.document(d.key) for d in self.documents]
        return tuple(TableDocument(d.doc_id, d.title, d.time.text if d.time else None, d.bibliography) for d in found)

    def terms(self, key: int, shelf: Bookshelf) -> frozenset[str]:
        """The index terms of one document, analysed once a table."""
        if key not in self._terms:
            self._terms[key] = frozenset(self.tools.analyse(shelf.document(key).text))
        return self._terms[key]


def row(asked_for: Asked, desk: Desk) -> QuestionRow:
    """One question over all documents of the desk."""
    asked, shelf = interpret(asked_for.question, ""), desk.shelf()
    probe = Probe(asked.query, desk.index, desk.reader, desk.tools.encoder, desk.tools.query_terms)
    found = _by_document(probe, shelf, desk)
    cells, pairs = [], 0
    for document in desk.documents:
        cell, seen = _cell(asked, found.get(document.key, ()), document, probe, shelf, desk)
        cells.append(cell)
        pairs += seen
    return QuestionRow(asked_for, asked.query, asked.kind, tuple(cells), pairs)


def _by_document(probe: Probe, shelf: Bookshelf, desk: Desk) -> Mapping[int, Sequence[Hit]]:
    """The best passages of each document, from one ranking of all of them."""
    wanted = {d.key for d in desk.documents}
    if len(wanted) < len(desk.index.documents):
        probe = probe.restricted(desk.index.of_documents(sorted(wanted)))

    def text_of(passage: int) -> str:
        return shelf.text(shelf.place(desk.index, passage))

    settings = replace(desk.tools.search, rerank="none", top_k=max(1, min(desk.index.size, MOST_RANKED)))
    hits = rank(probe, desk.tools.method, settings, desk.tools.reranker, text_of)
    found: dict[int, list[Hit]] = {}
    for hit in hits:
        for key in dict.fromkeys(place.document for place in hit.places):
            own = found.setdefault(key, []) if key in wanted else None
            if own is not None and len(own) < PASSAGES:
                own.append(replace(hit, places=tuple(p for p in hit.places if p.document == key)))
    return found


def _cell(
    asked: Interpretation, hits: Sequence[Hit], document: DocumentInfo, probe: Probe, shelf: Bookshelf, desk: Desk
) -> tuple[Cell, int]:
    """What one document says, and how many runs of the cross-encoder it took."""
    tools, trace, terms = desk.tools, Trace(), desk.terms(document.key, shelf)
    words = asked.focus or tuple(asked.query.lower().split())
    focus = Focus(words, tools.analyse, probe.idf, lambda term: akin(term, terms))
    scored = _scored(asked, hits, focus, probe, shelf, desk)
    pool = Pool([s for s in scored if focus.names_the_right_one(s.candidate.said)], focus.missing, focus.has)
    evidence = [e for e in select(asked, pool, shelf, trace.fallback) if e.kept != "neighbour"]
    checked = _checked(asked, evidence, shelf, tools, trace) if evidence and _fills(asked, evidence[0], pool) else []
    kept = [s for s in checked if s.verified]
    reason = None if kept else _reason(asked, focus, verified=not checked)
    best = evidence[0].relevance if evidence else max((s.relevance for s in scored), default=None)
    if not hits:
        trace.fallback("not_retrieved")
    names = tuple(dict.fromkeys(str(f["name"]) for f in trace.fallbacks))
    first, correction = (*kept, None, None)[:2]
    return Cell(document.doc_id, first, correction, best, reason, names if kept or not hits else ()), len(scored)


def _scored(
    asked: Interpretation, hits: Sequence[Hit], focus: Focus, probe: Probe, shelf: Bookshelf, desk: Desk
) -> list[Scored]:
    found = candidates(hits, shelf, probe, desk.tools.encoder, focus.coverage, lambda _: "")
    grades: Grades = load_grades()
    best = sorted(found, key=lambda c: (-cheap_score(c, grades), c.start))[:SENTENCES]
    return score(asked.query, best, desk.tools.reranker(), grades)[0] if best else []


def _fills(asked: Interpretation, best: Evidence, pool: Pool) -> bool:
    """Whether the best sentence may fill a cell. Denials go by their words: a relevance model thinks little of them."""
    if best.relevance >= LENIENT:
        return True
    coverage = next(s.candidate.coverage for s in pool.scored if s.candidate.start == best.start)
    return asked.kind == "absence" and not pool.missing and coverage >= ENOUGH_WORDS


def _checked(
    asked: Interpretation, evidence: Sequence[Evidence], shelf: Bookshelf, tools: Tools, trace: Trace
) -> list[AnswerSentence]:
    """The best sentence and what corrects it, quoted and checked; the best first."""
    chosen = [evidence[0], *(e for e in evidence[1:] if e.kept == "correction")]
    drafts = write(asked, chosen, tools.answer_words, "rank", trace.fallback)
    return verify(align(drafts, chosen, shelf))


def _reason(asked: Interpretation, focus: Focus, *, verified: bool) -> Reason:
    if not verified:
        return "not_verified"
    known = [word for word in asked.focus if word not in focus.missing]
    return "weak_evidence" if known or not asked.focus else "not_mentioned"


def rows(questions: Sequence[Asked], desk: Desk) -> Iterator[QuestionRow]:
    """The rows one by one, in the order of the questions."""
    for asked in questions:
        yield row(asked, desk)
