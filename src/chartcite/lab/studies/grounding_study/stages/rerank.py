"""Stage `rerank`: duplicates out, the cross-encoder's order, the best so many kept: the paper's file of chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.cases import Case
from chartcite.lab.experiment.spec import Strategy
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.options import options_of
from chartcite.lab.studies.grounding_study.ranking import dedupe, nothing, reranked
from chartcite.lab.studies.grounding_study.searching import candidates, first_stage, has_first_stage
from chartcite.lab.studies.grounding_study.tables import CandidateRow, ChunkRow, DedupeRow
from chartcite.library.book import Book


class RerankStage(Stage):
    """See the module."""

    name = "rerank"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": ChunkRow, "duplicates": DedupeRow}
    needs_store = True

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by query."""
        return [(s.name, case.id) for s in ctx.spec.strategies for case in ctx.cases]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Order the saved candidates; only a strategy without a first stage looks into the store."""
        saved: dict[Key, list[CandidateRow]] = {}
        for row in ctx.rows("retrieve", CandidateRow):
            saved.setdefault((row.strategy, row.query_id), []).append(row)
        cases, wanted = {case.id: case for case in ctx.cases}, options_of(ctx.spec).candidates
        for strategy in ctx.spec.strategies:
            keys = [key for key in pending if key[0] == strategy.name]
            if not keys:
                continue
            with ctx.open_book(ctx.store, first_stage(strategy.settings, wanted), False) as book:
                for key in keys:
                    found = saved[key] if has_first_stage(strategy) else candidates(book, strategy, cases[key[1]])
                    yield Done(key, _ordered(strategy, book, cases[key[1]], found, wanted))

    def finish(self, ctx: Context) -> Finished:
        """The cross-encoders that took part, with their fingerprints."""
        found = []
        for _, settings in sorted({s.settings.reranker: s.settings for s in ctx.spec.strategies
                                   if s.settings.rerank == "cross"}.items()):  # fmt: skip
            with ctx.open_book(ctx.store, settings, False) as book:
                found.append(f"{book.engines.reranker.name}@{book.engines.reranker.fingerprint}")
        return Finished(facts={"models": {"rerankers": found}})


def _ordered(
    strategy: Strategy, book: Book, case: Case, found: Sequence[CandidateRow], wanted: int
) -> Mapping[str, Sequence[Any]]:
    if not found or found[0].reason:
        return {"": [nothing(row) for row in found], "duplicates": [DedupeRow(strategy.name, case.id, 0, 0, 0, 0)]}
    left = dedupe(found)
    score = book.engines.reranker.score if strategy.settings.rerank == "cross" else None
    rows = reranked(left.kept, score, wanted)
    counts = DedupeRow(strategy.name, case.id, len(found), left.same_chunk, left.same_text, len(rows))
    return {"": rows, "duplicates": [counts]}
