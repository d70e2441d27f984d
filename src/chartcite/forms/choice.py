"""A question with options to a choice: each option held against the evidence, by the rules and, where asked, a model.

A model's choice is taken only if the sentences that it names bear it out; else the rules choose, which is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from chartcite.cascade.choose.llm import Chooser, Proposed
from chartcite.cascade.choose.options import read_options
from chartcite.cascade.choose.rules import Asked, Bearing, Decision, Found, Held, borne_out, decide, hold
from chartcite.cascade.choose.stem import read_stem
from chartcite.cascade.choose.when import When, read_when
from chartcite.cascade.describe import described, whom
from chartcite.cascade.focus import Focus
from chartcite.cascade.score.rules import shown as as_shown
from chartcite.cascade.tools import Tools
from chartcite.core.answer import Evidence
from chartcite.core.choice import Choice, Option, OptionVerdict
from chartcite.forms.base import Base, begin
from chartcite.index.port import SearchIndex
from chartcite.retrieval.candidates import Candidate, candidates
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
    base = begin(stem.text, reader, index, tools)
    when = _when(base)
    desk = _Desk(base, Asked(base.question, base.read.focus, base.want, when, stem.is_negated))
    more = [desk.more(option) for option in options]
    held = hold(desk.asked, options, base.answer.evidence, more, _check)
    decision = decide(desk.asked, held, desk.likeness)
    proposed = desk.proposed(question, options, more)
    how = borne_out(desk.asked, held, proposed.option, proposed.sources) if proposed else None
    if proposed and how:
        decision = Decision(proposed.option.letter, how, None)
    elif desk.has_model:
        base.inquiry.trace.fallback("chooser_not_borne_out" if proposed else "chosen_by_rules")
    if decision.how in ("by_absence", "by_exclusion"):
        base.inquiry.trace.fallback(f"chosen_{decision.how}")
    return Choice(
        question=question,
        options=tuple(desk.verdict(h) for h in held),
        chosen=decision.letter,
        how=decision.how,
        reason=decision.reason if base.answer.searched.documents or decision.letter else "empty_record",
        is_negated=stem.is_negated,
        by="model" if how else "rules",
        proposed=proposed.option.letter if proposed else None,
        **base.common(),
    )


def _when(base: Base) -> When:
    """Of what time the question asks."""
    is_record = not base.inquiry.is_collection
    carried = bool(base.want.drugs)
    when = read_when(base.question, base.read.kind, base.read.period, is_carried=carried, is_record=is_record)
    if base.after:
        return When("first", "", carried, is_event=False, after=base.after)
    return replace(when, is_event=when.is_event or base.is_undated)


def _check(claim: str, evidence: Evidence) -> Found:
    found = check_claim(claim, [Source("1", evidence.quote, evidence.section)])
    verdict = "supported" if found.verified else found.verdict
    return Found(verdict, frozenset(v.kind for v in found.vetoes), not found.uncovered)


@dataclass(frozen=True, slots=True)
class _Desk:
    """One question on its partition."""

    base: Base
    asked: Asked
    _shown: dict[tuple[int, int], str] = field(default_factory=dict)

    @property
    def has_model(self) -> bool:
        """Whether a model was asked to choose."""
        return self.base.inquiry.tools.model("choose") is not None

    def more(self, option: Option) -> list[Evidence]:
        """Sentences found by the question's words with the option's; none for an option without content.

        For a value of a day only what was written on that day is looked through.
        """
        inquiry = self.base.inquiry
        index, shelf, tools = inquiry.index, inquiry.shelf, inquiry.tools
        if option.sort != "content" or not index.size:
            return []
        probe = inquiry.probe(f"{self.base.answer.query} {option.text}")
        inside = [d.key for d in index.documents if d.time and self._is_inside(d.time.date)]
        is_dated = bool(self.asked.when.period or self.asked.when.after)
        if inside and is_dated and self.asked.want.analytes:
            probe = probe.restricted(index.of_documents(inside))
        settings = replace(tools.search, rerank="none", top_k=PASSAGES_AN_OPTION)
        hits = rank(probe, tools.method, settings, tools.reranker, lambda p: shelf.text(shelf.place(index, p)))
        focus = Focus(tuple(option.text.lower().split()), tools.analyse, probe.idf, probe.has_akin, tools.readings)
        found = candidates(hits, shelf, probe, tools.encoder, focus.coverage, lambda _: "")
        known = {(e.key, e.start) for e in self.base.answer.evidence}
        best = sorted(found, key=lambda c: (-c.coverage, -c.late, c.order, c.start))[:SENTENCES_AN_OPTION]
        return [self._evidence(c) for c in best if c.coverage > 0 and (c.document, c.start) not in known]

    def _is_inside(self, day: str) -> bool:
        """Whether a value that was asked for may have been written on a day."""
        when = self.asked.when
        if when.kind == "latest":
            return not when.period or day[: len(when.period)] <= when.period
        return day.startswith(when.period) and day > when.after

    def _evidence(self, found: Candidate) -> Evidence:
        doc_id = self.base.inquiry.shelf.document(found.document).doc_id
        self._shown[(found.document, found.start)] = as_shown(found)
        return Evidence(
            found.document, doc_id, found.sentence.n, found.start, found.end, found.text, found.sort_key, 0, 0.0, None,
            found.sentence.section, found.same_text, found.sentence.kind == "item",
        )  # fmt: skip

    def likeness(self, bearings: Sequence[Bearing]) -> Sequence[float]:
        """How well sentences answer the question, as the cross-encoder sees it."""
        texts = [
            self._shown.get((b.evidence.key, b.evidence.start)) or " ".join(b.evidence.quote.split()) for b in bearings
        ]
        return self.base.inquiry.tools.reranker().score(self.asked.stem, texts)

    def proposed(self, question: str, options: Sequence[Option], more: Sequence[Sequence[Evidence]]) -> Proposed | None:
        """What a model chooses; None without one, or where it chose nothing that was given to it."""
        inquiry = self.base.inquiry
        conversation = inquiry.conversation("choose", "chooser")
        own = sorted((e for found in more for e in found), key=lambda e: (e.sort_key, e.doc_id, e.start))
        places = {(e.key, e.start): e for e in (*self.base.answer.evidence, *own)}
        if conversation is None or not places:
            return None
        if conversation.chat.is_remote:
            inquiry.trace.fallback("evidence_sent_to_another_machine", len(places))
        chooser = Chooser(
            conversation, whom(inquiry), inquiry.tools.by_model.examples, lambda item: described(item, inquiry)
        )
        return chooser.choose(question, options, list(places.values()))

    def verdict(self, held: Held) -> OptionVerdict:
        """With what bears the option out, or else with what speaks against it."""
        found = (held.borne or held.against)[:SHOWN]
        citations = tuple(dict.fromkeys(self.base.cite(bearing.evidence) for bearing in found))
        return OptionVerdict(held.option, held.verdict, held.statement, held.why, citations)
