"""Stage `answer`: each strategy answers each case; a row a sentence, and a row for every abstention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.core.answer import Answer
from chartcite.core.errors import UsageError
from chartcite.lab.cases import Case
from chartcite.lab.experiment.selection import spaced
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.strategies import strategy_books
from chartcite.lab.experiment.tables import AnswerRow, Cited
from chartcite.lab.experiment.units import Key
from chartcite.library.book import Book


class AnswerStage(Stage):
    """See the module."""

    name = "answer"
    needs_store = True
    shares_out = True
    tables: ClassVar[Mapping[str, type[Any]]] = {"": AnswerRow}

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by case, for the cases that are to be answered."""
        return [(s.name, case.id) for s in ctx.spec.strategies for case in asked(ctx)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Ask."""
        cases = {case.id: case for case in ctx.cases}
        for strategy, book, keys in strategy_books(ctx, pending):
            for key in keys:
                yield Done(key, {"": _answered(ctx, strategy.name, book, cases[key[1]])})

    def finish(self, ctx: Context) -> Finished:
        """The cross-encoders that took part, with their fingerprints."""
        taking_part = {
            s.settings.reranker: s.settings
            for s in ctx.spec.strategies
            if ctx.spec.answers or s.settings.rerank == "cross"
        }
        found = []
        for _, settings in sorted(taking_part.items()):
            with ctx.open_book(ctx.store, settings, False) as book:
                found.append(f"{book.engines.reranker.name}@{book.engines.reranker.fingerprint}")
        return Finished(facts={"models": {"rerankers": found}})


def asked(ctx: Context) -> list[Case]:
    """The cases that are to be answered; none when the experiment wants no answers."""
    return spaced(ctx.cases, ctx.spec.data.answer_limit) if ctx.spec.answers else []


def _answered(ctx: Context, strategy: str, book: Book, case: Case) -> list[AnswerRow]:
    try:
        scope = ctx.scope_of(case)
        answer = book.ask(
            case.question, narrative=case.narrative, as_of=case.as_of or None,
            patient=scope.get("patient"), collection=scope.get("collection"),
        )  # fmt: skip
    except UsageError as error:
        return [AnswerRow(strategy, case.id, 0, "", "", "", True, f"{error.kind}: {error}", "")]
    return _rows(strategy, case.id, answer)


def _rows(strategy: str, case_id: str, answer: Answer) -> list[AnswerRow]:
    fallbacks = tuple(f"{f['name']}: {f.get('count', 1)}" for f in answer.fallbacks)
    if answer.abstained:
        return [AnswerRow(strategy, case_id, 0, "", "", "", True, answer.reason or "", answer.query, fallbacks)]
    return [
        AnswerRow(
            strategy, case_id, n, s.text, s.verdict, s.why, False, "", answer.query, fallbacks,
            tuple(Cited(c.doc_id, c.start, c.end, c.quote, c.section, (c.time or "")[:10]) for c in s.citations),
        )
        for n, s in enumerate(answer.sentences, start=1)
    ]  # fmt: skip
