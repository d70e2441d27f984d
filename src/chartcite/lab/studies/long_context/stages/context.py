"""Stage `context`: what each strategy puts before whoever answers, how long it is, and whether the answer is in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from chartcite.core.errors import UsageError
from chartcite.lab.cases import Case
from chartcite.lab.experiment.stage import COLLECTION, Context, Done, Stage
from chartcite.lab.experiment.strategies import strategy_books
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.long_context.bins import bin_of
from chartcite.lab.studies.long_context.contexts import Count, Shown, context_of, counter, tokens_of
from chartcite.lab.studies.long_context.located import NOTHING_LOCATED, held, parts_of
from chartcite.lab.studies.long_context.options import NoteSetting
from chartcite.lab.studies.long_context.sights import applies, combinations, seen
from chartcite.lab.studies.long_context.stages.lengths import record_tokens
from chartcite.lab.studies.long_context.systems import options_of
from chartcite.lab.studies.long_context.tables import ContextRow, NoteRow
from chartcite.library.book import Book


class ContextStage(Stage):
    """See the module."""

    name = "context"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": ContextRow}
    needs_store = True
    shares_out = True

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by note setting by case; without any note there is no context."""
        return [
            (strategy.name, notes, case.id)
            for notes, strategy in combinations(ctx.spec, options_of(ctx))
            if notes != "exclude_all"
            for case in ctx.cases
            if applies(case, notes)
        ]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Search."""
        cases, notes = {case.id: case for case in ctx.cases}, ctx.rows("lengths", NoteRow, "notes")
        whole = {case.id: _record(ctx, case, notes) for case in ctx.cases}
        for strategy, book, keys in strategy_books(ctx, pending):
            count = counter(book)
            for key in keys:
                case, setting = cases[key[2]], cast(NoteSetting, key[1])
                row = _row(ctx, strategy.name, setting, seen(book, case, setting), case, count, whole[case.id])
                yield Done(key, {"": [row]})


def _record(ctx: Context, case: Case, notes: Sequence[NoteRow]) -> int:
    return record_tokens(notes, ctx.scope_of(case).get("patient", COLLECTION), case.as_of)


def _row(
    ctx: Context, strategy: str, notes: NoteSetting, book: Book, case: Case, count: Count, whole: int
) -> ContextRow:
    reason = ""
    try:
        shown = context_of(ctx, book, case)
    except UsageError as error:  # no such partition, or a question that is too long: it counts as nothing found
        shown, reason = Shown(()), f"{error.kind}: {error}"
    parts, found, tokens = len(parts_of(case)), held(case, shown.slices), tokens_of(shown.passages, count)
    share = tokens / whole if whole else None
    return ContextRow(
        notes, strategy, case.id, shown.documents, len(shown.passages), tokens, whole, share, bin_of(whole), parts,
        found, found / parts if parts else None, reason or ("" if parts else NOTHING_LOCATED),
    )  # fmt: skip
