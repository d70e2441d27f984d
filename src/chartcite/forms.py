"""Fourth corridor, other forms of an answer: one of several options, or a span of a sentence.

Both begin as `ask` does: the same interpretation, retrieval, grades and selection. Then the options are held against
the evidence, or the part of it that answers is cut out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chartcite.cascade.align.rules import align
from chartcite.cascade.choose.options import read_options
from chartcite.cascade.choose.rules import Asked, Bearing, Found, Held, decide, hold
from chartcite.cascade.choose.stem import Stem, read_stem
from chartcite.cascade.choose.when import read_when
from chartcite.cascade.focus import Focus
from chartcite.cascade.interpret.rules import DEFAULT, IN_RECORD, interpret
from chartcite.cascade.span.kinds import wants
from chartcite.cascade.span.rules import cut
from chartcite.cascade.standing import family_header
from chartcite.cascade.statements import wanted
from chartcite.cascade.write.draft import Draft
from chartcite.core.answer import Answer, Citation, Evidence
from chartcite.core.choice import Choice, Option, OptionVerdict
from chartcite.core.documents import Span
from chartcite.core.spans import SpanAnswer
from chartcite.index.port import SearchIndex
from chartcite.pipeline import Tools, Trace, answer
from chartcite.retrieval.candidates import Bookshelf, Candidate, candidates
from chartcite.retrieval.probe import Probe
from chartcite.retrieval.search import rank
from chartcite.store.reader import PartitionReader
from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

PASSAGES_AN_OPTION = 6
SENTENCES_AN_OPTION = 4
"""Sentences that are looked up for an option by its own words, beside the question's evidence."""
SHOWN = 3
"""Citations of an option."""


def choose(
    question: str, given: Sequence[str] | Mapping[str, str], reader: PartitionReader, index: SearchIndex, tools: Tools
) -> Choice:
    """The option that the partition bears out, or why there is none, with a verdict for each."""
    options, stem = read_options(given), read_stem(question)
    base = answer(stem.text, "", reader, index, replace(tools, writer=None, judge=None))
    desk = _Desk(base, stem, reader, index, tools)
    held = hold(desk.asked, options, base.evidence, [desk.more(option) for option in options], _check)
    decision = decide(desk.asked, held, desk.likeness)
    trace = Trace(fallbacks=[dict(f) for f in base.fallbacks])
    if decision.how in ("by_absence", "by_exclusion"):
        trace.fallback(f"chosen_{decision.how}")
    return Choice(
        question=question,
        query=base.query,
        scope=base.scope,
        options=tuple(desk.verdict(h) for h in held),
        chosen=decision.letter,
        how=decision.how,
        reason=decision.reason if base.searched.documents else None if decision.letter else "empty_record",
        searched=base.searched,
        fallbacks=tuple(trace.fallbacks),
        config=base.config,
        partition_seq=base.partition_seq,
        as_of=base.as_of,
        is_negated=stem.is_negated,
        llm_calls=base.llm_calls,
    )


def _check(claim: str, evidence: Evidence) -> Found:
    found = check_claim(claim, [Source("1", evidence.quote, evidence.section)])
    return Found(
        "supported" if found.verified else found.verdict, frozenset(v.kind for v in found.vetoes), not found.uncovered
    )


def span(question: str, reader: PartitionReader, index: SearchIndex, tools: Tools) -> SpanAnswer:
    """The shortest part of a cited, verified sentence that answers, or why there is none."""
    base = answer(question, "", reader, index, replace(tools, writer=None, judge=None))
    weights = DEFAULT if reader.scope.kind == "collection" else IN_RECORD
    words = interpret(question, "", None, weights).focus
    want = wanted(base.query)
    kind = wants(question, want)
    trace = Trace(fallbacks=[dict(f) for f in base.fallbacks])
    best = _cited_first(base)
    cuts = [(e, cut(e.quote, kind, want, words)) for e in best]
    chosen, found = next(((e, s) for e, s in cuts if s is not None), (best[0] if best else None, None))
    if chosen is not None and found is None:
        trace.fallback("sentence_shown_whole")
    shelf = Bookshelf(reader, index.documents)
    place = _place(chosen, found) if chosen is not None else None
    return SpanAnswer(
        question=question,
        query=base.query,
        scope=base.scope,
        doc_id=chosen.doc_id if chosen else None,
        start=place.start if place else None,
        end=place.end if place else None,
        text=shelf.document(chosen.key).text[place.start : place.end] if chosen and place else None,
        sort=None if chosen is None else "sentence" if found is None else kind,
        citation=_cite(chosen, shelf) if chosen else None,
        reason=base.reason,
        searched=base.searched,
        fallbacks=tuple(trace.fallbacks),
        config=base.config,
        partition_seq=base.partition_seq,
        as_of=base.as_of,
        llm_calls=base.llm_calls,
    )


def _cited_first(base: Answer) -> list[Evidence]:
    """The evidence that the answer cites, the most useful first; of dated statements the first alone."""
    cited = {(c.doc_id, c.start, c.end) for c in base.citations}
    found = [e for e in base.evidence if (e.doc_id, e.start, e.end) in cited]
    return found[:1] if found and found[0].kept == "stated" else found


def _place(evidence: Evidence, found: Span | None) -> Span:
    """In the document; the whole sentence without white space around it, where no part was found."""
    if found is not None:
        return Span(evidence.start + found.start, evidence.start + found.end)
    quote = evidence.quote
    return Span(evidence.start + len(quote) - len(quote.lstrip()), evidence.start + len(quote.rstrip()))


def _cite(evidence: Evidence, shelf: Bookshelf) -> Citation:
    return align([Draft(evidence.quote, evidence, is_quote=False)], [], shelf)[0][1][0]


@dataclass(slots=True)
class _Desk:
    """One question on its partition."""

    base: Answer
    stem: Stem
    reader: PartitionReader
    index: SearchIndex
    tools: Tools

    @property
    def asked(self) -> Asked:
        weights = DEFAULT if self.reader.scope.kind == "collection" else IN_RECORD
        read = interpret(self.stem.text, "", None, weights)
        want = wanted(read.query)
        when = read_when(self.stem.text, read.kind, read.period, is_carried=bool(want.drugs))
        return Asked(self.stem.text, read.focus, want, when, self.stem.is_negated)

    @property
    def shelf(self) -> Bookshelf:
        return Bookshelf(self.reader, self.index.documents)

    def more(self, option: Option) -> list[Evidence]:
        """Sentences found by the question's words with the option's; none for an option without content."""
        if option.sort != "content" or not self.index.size:
            return []
        tools, shelf = self.tools, self.shelf
        query = f"{self.base.query} {option.text}"
        probe = Probe(query, self.index, self.reader, tools.encoder, tools.query_terms, sparse=tools.sparse)
        settings = replace(tools.search, rerank="none", top_k=PASSAGES_AN_OPTION)
        hits = rank(probe, tools.method, settings, tools.reranker, lambda p: shelf.text(shelf.place(self.index, p)))
        focus = Focus(tuple(option.text.lower().split()), tools.analyse, probe.idf, probe.has_akin)
        found = candidates(hits, shelf, probe, tools.encoder, focus.coverage, lambda _: "")
        known = {(e.key, e.start) for e in self.base.evidence}
        best = sorted(found, key=lambda c: (-c.coverage, -c.late, c.order, c.start))[:SENTENCES_AN_OPTION]
        return [_evidence(c, shelf) for c in best if c.coverage > 0 and (c.document, c.start) not in known]

    def likeness(self, bearings: Sequence[Bearing]) -> Sequence[float]:
        return self.tools.reranker().score(self.stem.text, [_shown(b.evidence) for b in bearings])

    def verdict(self, held: Held) -> OptionVerdict:
        """With what bears the option out, or else with what speaks against it."""
        shown = (held.borne or held.against)[:SHOWN]
        return OptionVerdict(held.option, held.verdict, held.statement, _why(held), _citations(shown, self.shelf))


def _why(held: Held) -> str:
    if held.borne:
        return "a sentence states this amount" if held.borne[0].ground == "stated" else "a sentence bears it out"
    if held.against:
        return (
            "a sentence states another amount" if held.against[0].ground == "stated" else "a sentence speaks against it"
        )
    return "" if not held.statement else "no sentence bears it out"


def _citations(bearings: Sequence[Bearing], shelf: Bookshelf) -> tuple[Citation, ...]:
    found: list[Citation] = []
    for bearing in bearings:
        found.append(_cite(bearing.evidence, shelf))
    return tuple(dict.fromkeys(found))


def _shown(evidence: Evidence) -> str:
    header = family_header(evidence.section)
    text = " ".join(evidence.quote.split())
    return f"{header}: {text}" if header and not text.startswith(header) else text


def _evidence(found: Candidate, shelf: Bookshelf) -> Evidence:
    return Evidence(
        found.document, shelf.document(found.document).doc_id, found.sentence.n, found.start, found.end, found.text,
        found.sort_key, 0, 0.0, None, found.sentence.section, found.same_text, found.sentence.kind == "item",
    )  # fmt: skip
