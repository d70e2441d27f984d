"""Third corridor, questions x documents: one retrieval a question, then for each document its best verified sentence.

A cell is what `ask` would say if the document were the whole record, with the partition's own statistics: the same
interpretation, grades, selection and check. What a document costs is bounded: of its best passages (`PASSAGES`) the
best sentences by the quick score (`SENTENCES`) go through the cross-encoder, so a question over n documents costs at
most n * SENTENCES runs of it. Evidence below `lenient` fills a cell only if it has all the words that were asked for:
in a table the nearest of nothing is noise. What a later note of a patient's record puts right is shown with its
correction, whichever notes were chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date

from chartcite.cascade.align.rules import align
from chartcite.cascade.balance import titles_last
from chartcite.cascade.focus import Focus
from chartcite.cascade.interpret.rules import interpret
from chartcite.cascade.score.grades import load_grades
from chartcite.cascade.score.rules import Scored, cheap_points, score
from chartcite.cascade.selection import ENOUGH_WORDS, LENIENT, Pool, corrections_elsewhere, select
from chartcite.cascade.standing import speaks_of_correction
from chartcite.cascade.statements import wanted
from chartcite.cascade.tools import Tools
from chartcite.cascade.trace import Trace
from chartcite.cascade.write.rules import write
from chartcite.core.answer import AnswerSentence, Evidence, Interpretation, Reason
from chartcite.core.retrieval import Hit
from chartcite.core.stored import DocumentInfo
from chartcite.core.table import Asked, Cell, QuestionRow, TableDocument
from chartcite.index.port import SearchIndex
from chartcite.retrieval.akin import akin
from chartcite.retrieval.candidates import Bookshelf, candidates
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import rank
from chartcite.store.reader import PartitionReader
from chartcite.verification.answers import verify

PASSAGES = 4
"""Best passages of a document that are read for one question."""
ALL_WORDS = 0.999
CORRECTION_DAYS = 92
CORRECTION_DEPTH = 200
"""Best passages of a patient's record in which corrections are looked for, whichever notes the table is of."""
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
    tools = desk.tools
    probe = Probe(asked.query, desk.index, desk.reader, tools.encoder, tools.query_terms, sparse=tools.sparse)
    is_record = desk.reader.scope.kind == "patient"
    question = _Question(asked, probe, shelf, desk)
    hits = question.ranked(all_documents=is_record)
    found = _by_document(hits, {d.key for d in desk.documents})
    corrections = question.corrections(hits[:CORRECTION_DEPTH]) if is_record else []
    cells = [question.cell(document, found.get(document.key, ()), corrections) for document in desk.documents]
    return QuestionRow(asked_for, asked.query, asked.kind, tuple(cells), question.pairs)


def _by_document(hits: Sequence[Hit], wanted: AbstractSet[int]) -> Mapping[int, Sequence[Hit]]:
    """The best passages of each document, from one ranking of all of them."""
    found: dict[int, list[Hit]] = {}
    for hit in hits:
        for key in dict.fromkeys(place.document for place in hit.places):
            own = found.setdefault(key, []) if key in wanted else None
            if own is not None and len(own) < PASSAGES:
                own.append(replace(hit, rank=len(own) + 1, places=tuple(p for p in hit.places if p.document == key)))
    return found


@dataclass(slots=True)
class _Question:
    """One question put to the desk. `pairs` counts runs of the cross-encoder."""

    asked: Interpretation
    probe: Probe
    shelf: Bookshelf
    desk: Desk
    pairs: int = 0

    def ranked(self, *, all_documents: bool) -> list[Hit]:
        """One ranking of the passages of the documents chosen, or of all documents."""
        desk, probe = self.desk, self.probe
        if len(desk.documents) < len(desk.index.documents) and not all_documents:
            probe = probe.restricted(desk.index.of_documents(sorted(d.key for d in desk.documents)))
        settings = replace(desk.tools.search, rerank="none", top_k=max(1, min(desk.index.size, MOST_RANKED)))
        return rank(probe, desk.tools.method, settings, desk.tools.reranker, self._text)

    def corrections(self, hits: Sequence[Hit]) -> list[Scored]:
        """What of a patient's record says that something was put right: it holds for cells of other notes too."""
        speaking = [hit for hit in hits if speaks_of_correction(self._text(hit.passage))]
        return self._scored(speaking, self._focus(self.probe.has_akin))

    def cell(self, document: DocumentInfo, hits: Sequence[Hit], corrections: Sequence[Scored]) -> Cell:
        """What one document says."""
        trace, terms = Trace(), self.desk.terms(document.key, self.shelf)
        focus = self._focus(lambda term: akin(term, terms))
        scored = self._scored(hits, focus)
        rightly = [s for s in scored if focus.names_the_right_one(s.candidate.said)]
        pool = Pool(rightly, focus.missing, focus.has, wanted(self.asked.query))
        evidence = titles_last(
            [e for e in select(self.asked, pool, self.shelf, trace.fallback) if e.kept != "neighbour"],
            lambda key: self.shelf.document(key).title,
        )
        checked: list[AnswerSentence] = []
        if evidence and _fills(self.asked, evidence[0], pool):
            near = [s for s in corrections if _is_soon_after(document.sort_key, s.candidate.sort_key)]
            elsewhere = corrections_elsewhere(evidence[0], pool, near, self.shelf)
            checked = self._checked([*evidence, *elsewhere], trace)
        kept = [s for s in checked if s.verified]
        if not hits:
            trace.fallback("not_retrieved")
        names = tuple(dict.fromkeys(str(f["name"]) for f in trace.fallbacks)) if kept or not hits else ()
        nearest = evidence[0].relevance if evidence else max((s.relevance for s in scored), default=None)
        reason = None if kept else _reason(self.asked, focus, verified=not checked)
        return Cell(document.doc_id, kept[0] if kept else None, tuple(kept[1:]), nearest, reason, names)

    def _text(self, passage: int) -> str:
        return self.shelf.text(self.shelf.place(self.desk.index, passage))

    def _focus(self, has: Callable[[str], bool]) -> Focus:
        words = self.asked.focus or tuple(self.asked.query.lower().split())
        return Focus(words, self.desk.tools.analyse, self.probe.idf, has, self.desk.tools.readings)

    def _scored(self, hits: Sequence[Hit], focus: Focus) -> list[Scored]:
        """The best sentences by the quick score, graded."""
        tools, grades = self.desk.tools, load_grades()
        found = candidates(hits, self.shelf, self.probe, tools.encoder, focus.coverage, lambda _: "")
        best = sorted(found, key=lambda c: (-cheap_points(c, grades), c.order, c.start))[:SENTENCES]
        self.pairs += len(best)
        return score(self.asked.query, best, tools.reranker(), grades, self.desk.reader.scope)[0] if best else []

    def _checked(self, evidence: Sequence[Evidence], trace: Trace) -> list[AnswerSentence]:
        """The best sentence and what corrects it, quoted and checked; the best first."""
        chosen = [evidence[0], *(e for e in evidence[1:] if e.kept == "correction")]
        drafts = write(self.asked, chosen, self.desk.tools.answer_words, "rank", trace.fallback)
        return verify(align(drafts, chosen, self.shelf))


def _fills(asked: Interpretation, best: Evidence, pool: Pool) -> bool:
    """Whether the best sentence may fill a cell: likely enough, or with all of the words that were asked for.

    Denials go by their share of the words: a relevance model thinks little of them.
    """
    if best.relevance >= LENIENT:
        return True
    coverage = next(s.candidate.coverage for s in pool.scored if s.candidate.start == best.start)
    return not pool.missing and coverage >= (ENOUGH_WORDS if asked.kind == "absence" else ALL_WORDS)


def _is_soon_after(written: str, corrected: str) -> bool:
    """Whether a correction may be of what was written: within three months after it, or nobody knows."""
    if not written or not corrected:
        return True
    days = (date.fromisoformat(corrected[:10]) - date.fromisoformat(written[:10])).days
    return 0 <= days <= CORRECTION_DAYS


def _reason(asked: Interpretation, focus: Focus, *, verified: bool) -> Reason:
    if not verified:
        return "not_verified"
    known = [word for word in asked.focus if word not in focus.missing]
    return "weak_evidence" if known or not asked.focus else "not_mentioned"


def rows(questions: Sequence[Asked], desk: Desk) -> Iterator[QuestionRow]:
    """The rows one by one, in the order of the questions."""
    for asked in questions:
        yield row(asked, desk)
