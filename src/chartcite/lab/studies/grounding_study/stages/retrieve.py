"""Stage `retrieve`: each strategy's candidates for each query. A strategy without a first stage has none here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.options import options_of
from chartcite.lab.studies.grounding_study.searching import candidates, first_stage, has_first_stage
from chartcite.lab.studies.grounding_study.tables import CandidateRow


class RetrieveStage(Stage):
    """See the module."""

    name = "retrieve"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": CandidateRow}
    needs_store = True

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by query."""
        return [(s.name, case.id) for s in ctx.spec.strategies if has_first_stage(s) for case in ctx.cases]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Search."""
        ctx.checked_store()
        cases, wanted = {case.id: case for case in ctx.cases}, options_of(ctx.spec).candidates
        for strategy in ctx.spec.strategies:
            keys = [key for key in pending if key[0] == strategy.name]
            if keys:
                with ctx.open_book(ctx.store, first_stage(strategy.settings, wanted), False) as book:
                    for key in keys:
                        yield Done(key, {"": candidates(book, strategy, cases[key[1]])})
