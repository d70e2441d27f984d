"""Stage `retrieve`: each strategy ranks items for each case.

A case that cannot be searched (no such partition, a question that is too long) has one row without a rank and with the
reason; it counts as not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.core.errors import UsageError
from chartcite.lab.cases import Case
from chartcite.lab.dataset import qrels_of
from chartcite.lab.errors import BadTrec
from chartcite.lab.experiment.spec import slug
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.strategies import strategy_books
from chartcite.lab.experiment.tables import RetrievedRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.trec import write_qrels, write_run
from chartcite.library.book import Book


class RetrieveStage(Stage):
    """See the module."""

    name = "retrieve"
    needs_store = True
    shares_out = True
    tables: ClassVar[Mapping[str, type[Any]]] = {"": RetrievedRow}

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by case."""
        return [(s.name, case.id) for s in ctx.spec.strategies for case in ctx.cases]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Rank."""
        cases = {case.id: case for case in ctx.cases}
        for strategy, book, keys in strategy_books(ctx, pending):
            for key in keys:
                yield Done(key, {"": _ranked(ctx, strategy.name, book, cases[key[1]])})

    def finish(self, ctx: Context) -> Finished:
        """The same rankings as TREC runs, whose scores are made from the ranks so that no tool reorders them."""
        runs: dict[str, dict[str, dict[str, float]]] = {s.name: {} for s in ctx.spec.strategies}
        for row in ctx.rows("retrieve", RetrievedRow):
            if row.rank is not None:
                runs[row.strategy].setdefault(row.case_id, {})[row.item_id] = float(ctx.spec.depth + 1 - row.rank)
        made = []
        try:
            for n, (name, run) in enumerate(runs.items(), start=1):
                made.append(ctx.folder.path / f"retrieve.{n}-{slug(name)}.trec")
                write_run(made[-1], run, slug(name))
            made.append(ctx.folder.path / "retrieve.qrels.txt")
            write_qrels(made[-1], qrels_of(ctx.cases))
        except BadTrec:  # ids with spaces cannot stand in such files
            for path in made:
                path.unlink(missing_ok=True)
            return Finished()
        return Finished(files=tuple(made))


def _ranked(ctx: Context, strategy: str, book: Book, case: Case) -> list[RetrievedRow]:
    try:
        found = book.rank_documents(case.question, as_of=case.as_of or None, depth=ctx.spec.depth, **ctx.scope_of(case))
    except UsageError as error:
        return [RetrievedRow(strategy, case.id, None, "", None, f"{error.kind}: {error}")]
    if not found:
        return [RetrievedRow(strategy, case.id, None, "", None, "nothing found")]
    return [RetrievedRow(strategy, case.id, rank, item, float(s)) for rank, (item, s) in enumerate(found, start=1)]
