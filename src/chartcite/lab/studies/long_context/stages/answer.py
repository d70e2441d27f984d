"""Stage `answer`: every system answers its cases, by the cascade or by the writer's model alone; a row an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from chartcite.core.errors import UsageError
from chartcite.lab.cases import Case
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.strategies import strategy_books
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.long_context.cascade import by_cascade, none
from chartcite.lab.studies.long_context.contexts import Shown, context_of, counter
from chartcite.lab.studies.long_context.direct import Direct, open_direct
from chartcite.lab.studies.long_context.options import NoteSetting
from chartcite.lab.studies.long_context.prompts import fingerprint
from chartcite.lab.studies.long_context.sights import seen
from chartcite.lab.studies.long_context.systems import NO_WRITER, options_of, systems
from chartcite.lab.studies.long_context.tables import AnsweredRow, System
from chartcite.library.book import Book


class AnswerStage(Stage):
    """See the module."""

    name = "answer"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": AnsweredRow}
    needs_store = True
    shares_out = True

    def units(self, ctx: Context) -> list[Key]:
        """Strategy, answerer, form, note setting, case."""
        return [
            (system.strategy, system.answerer, system.form, system.notes, case.id)
            for system, cases in systems(ctx)
            for case in cases
        ]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Ask."""
        cases = {case.id: case for case in ctx.cases}
        for _, book, keys in strategy_books(ctx, pending):
            direct = open_direct(book, counter(book), options_of(ctx))
            for key in keys:
                system = System(key[1], key[2], key[3], key[0])
                yield Done(key, {"": [_answered(ctx, system, book, cases[key[4]], direct)]})

    def finish(self, ctx: Context) -> Finished:
        """Which prompts and which models."""
        first = ctx.spec.strategies[0].settings
        return Finished(facts={"models": {
            "long_context_prompts": fingerprint(), "writer": first.writer_model if first.writer_url else "rules",
        }})  # fmt: skip


def _answered(ctx: Context, system: System, book: Book, case: Case, direct: Direct | None) -> AnsweredRow:
    if system.answerer == "direct" and direct is None:
        return none(system, case, NO_WRITER)
    own = seen(book, case, cast(NoteSetting, system.notes))
    shown = Shown(())
    if system.notes != "exclude_all" and (system.answerer == "direct" or system.form == "open"):
        try:
            shown = context_of(ctx, own, case)
        except UsageError as error:
            return none(system, case, f"{error.kind}: {error}")
    if direct is not None and system.answerer == "direct":
        return direct.answer(system, case, shown)
    return by_cascade(ctx, system, own, case, shown.slices)
