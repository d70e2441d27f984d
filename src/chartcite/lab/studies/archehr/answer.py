"""Stage `answer`: every case through the cascade, with nothing given and with each stage's output from the key.

Subtask 4 asks about sentences that the clinician wrote: they are given in place of writing, and the whole note in place
of evidence, since the task's notes are short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.cascade.interpret.rules import IN_RECORD, interpret
from chartcite.core.answer import Answer
from chartcite.core.documents import Span
from chartcite.core.errors import UsageError
from chartcite.core.given import Given, GivenEvidence
from chartcite.lab.datasets.archehr import Labelled
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.strategies import strategy_books
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.archehr.corpus import labelled_of, options_of
from chartcite.lab.studies.archehr.options import ORACLES
from chartcite.lab.studies.archehr.overlap import ids_of
from chartcite.lab.studies.archehr.tables import CascadeRow, LinkRow, SaidRow
from chartcite.library.book import Book
from chartcite.readers.archehr import patient_of

ESSENTIAL, OTHER = 5, 3
"""Relevance of given evidence: essential sentences, and sentences of which nothing is known."""


class AnswerStage(Stage):
    """See the module."""

    name = "answer"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": CascadeRow, "links": LinkRow}
    needs_store = True
    shares_out = True

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by what is given by case."""
        return [
            (s.name, oracle, one.case.id)
            for s in ctx.spec.strategies
            for oracle in oracles_of(ctx, s.name)
            for one in labelled_of(ctx)
            if not oracle or one.gold is not None
        ]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Ask."""
        cases = {one.case.id: one for one in labelled_of(ctx)}
        for strategy, book, keys in strategy_books(ctx, pending):
            for key in keys:
                asked = _Asked(book, cases[key[2]], strategy.name, key[1])
                yield Done(key, {"": [asked.cascade()], "links": asked.links()})

    def finish(self, ctx: Context) -> Finished:
        """The cross-encoders and language models that took part."""
        rerankers, writers = set(), set()
        for strategy in ctx.spec.strategies:
            with ctx.open_book(ctx.store, strategy.settings, False) as book:
                rerankers.add(f"{book.engines.reranker.name}@{book.engines.reranker.fingerprint}")
                writers.add(strategy.settings.writer_model if strategy.settings.writer_url else "")
        return Finished(facts={"models": {"rerankers": sorted(rerankers), "writers": sorted(writers - {""})}})


def oracles_of(ctx: Context, strategy: str) -> tuple[str, ...]:
    """What a strategy is given in turn; without a key, nothing."""
    has_key = any(one.gold is not None for one in labelled_of(ctx))
    which = options_of(ctx).oracles
    is_meant = which == "all" or (which == "first" and strategy == ctx.spec.strategies[0].name)
    return ORACLES if has_key and is_meant else ("",)


class _Asked:
    """One case, one strategy, one thing given."""

    def __init__(self, book: Book, one: Labelled, strategy: str, oracle: str) -> None:
        self._book, self._one, self._strategy, self._oracle = book, one, strategy, oracle

    def cascade(self) -> CascadeRow:
        """The answer to the patient's question."""
        case = self._one.case
        head = (self._strategy, self._oracle, case.id)
        if not case.note:  # subtask 1 has files without notes
            asked = interpret(case.question or case.clinician_question, case.narrative, None, IN_RECORD)
            return CascadeRow(*head, asked.query, (), "", (), "no note_excerpt", ("interpreted_by_rules: 1",))
        try:
            answer = self._ask(self._given())
        except UsageError as error:
            return CascadeRow(*head, "", (), "", (), f"{error.kind}: {error}")
        said = tuple(
            SaidRow(s.text, self._ids(Span(c.start, c.end) for c in s.citations), s.verified) for s in answer.sentences
        )
        kept = next((e.kept or "" for e in answer.evidence), "")
        return CascadeRow(
            *head, answer.query, self._ids(Span(e.start, e.end) for e in answer.evidence), kept, said,
            answer.reason or "", tuple(f"{f['name']}: {f.get('count', 1)}" for f in answer.fallbacks), answer.llm_calls,
        )  # fmt: skip

    def links(self) -> list[LinkRow]:
        """Subtask 4, for what it depends on: the sentences that may be linked."""
        said = [s for s in self._one.answer_sentences if s.text]
        head = (self._strategy, self._oracle, self._one.case.id)
        if self._oracle not in ("", "evidence") or not said or not self._one.case.note:
            return []
        spans = self._essential() if self._oracle else [s.span for s in self._one.case.sentences]
        given = Given(evidence=self._evidence(spans, OTHER), sentences=tuple(s.text for s in said))
        try:
            answer = self._ask(given)
        except UsageError as error:
            return [LinkRow(*head, s.id, (), False, f"{error.kind}: {error}") for s in said]
        return [
            LinkRow(*head, s.id, self._ids(Span(c.start, c.end) for c in found.citations), found.verified)
            for s, found in zip(said, answer.sentences, strict=True)
        ]

    def _given(self) -> Given:
        gold, asked = self._one.gold, self._one.case.clinician_question
        if gold is None or not self._oracle:
            return Given(answerable=True)
        if self._oracle == "query":
            return Given(query=asked or None, answerable=True)
        if self._oracle == "evidence":
            return Given(evidence=self._evidence(self._essential(), ESSENTIAL))
        return Given(sentences=tuple(s.text for s in gold.sentences if s.text), answerable=True)

    def _ask(self, given: Given) -> Answer:
        case = self._one.case
        return self._book.ask(
            case.question or case.clinician_question, narrative=case.narrative, patient=patient_of(case.id), given=given
        )

    def _essential(self) -> list[Span]:
        wanted = self._one.gold.of("essential") if self._one.gold else ()
        return [s.span for s in self._one.case.sentences if s.id in wanted]

    def _evidence(self, spans: Sequence[Span], relevance: int) -> tuple[GivenEvidence, ...]:
        doc_id = patient_of(self._one.case.id)
        return tuple(GivenEvidence(doc_id, start=s.start, end=s.end, relevance=relevance) for s in spans)

    def _ids(self, spans: Iterator[Span]) -> tuple[str, ...]:
        return ids_of(spans, self._one.case.note, self._one.case.sentences)
