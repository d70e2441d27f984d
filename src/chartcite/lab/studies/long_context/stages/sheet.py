"""Stage `sheet`: the category sheet for hand labelling, and the counts of a filled one.

On it are open questions, asked of all notes, where the measures of one of the two answers disagree (rule `spread` of
the stage `analyse`), evenly spaced over the data set's order; all questions where no measure disagrees with another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.csv_safe import write_csv
from chartcite.lab.experiment.selection import spaced
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.long_context.options import Sheet
from chartcite.lab.studies.long_context.sheet import COLUMNS, CategoryRow, Item, counted, items
from chartcite.lab.studies.long_context.stages.analyse import disputed
from chartcite.lab.studies.long_context.systems import options_of
from chartcite.lab.studies.long_context.tables import AnsweredRow, System
from chartcite.models.files import sha256_of

FILE, KEY_FILE = "sheet.csv", "sheet.key.csv"


class SheetStage(Stage):
    """See the module."""

    name = "sheet"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": CategoryRow}

    def units(self, ctx: Context) -> list[Key]:
        """The counts, where there is a filled sheet."""
        return [("labels",)] if options_of(ctx).sheet.labels else []

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Count."""
        for key in pending:
            labels = ctx.base / options_of(ctx).sheet.labels
            yield Done(key, {"": counted(labels, sheet_of(ctx), ctx.spec.statistics.level)})

    def finish(self, ctx: Context) -> Finished:
        """The sheet, and apart from it the key that says which answer is whose."""
        options, lines = options_of(ctx).sheet, sheet_of(ctx)
        facts = {"data": {"labels_sha256": sha256_of(ctx.base / options.labels)}} if options.labels else {}
        if not lines:
            return Finished(facts=facts)
        sheet, key = ctx.folder.path / FILE, ctx.folder.path / KEY_FILE
        write_csv(sheet, COLUMNS, [line.cells() for line in lines])
        write_csv(key, ("item", "case_id", "answer_1", "answer_2"), [
            {"item": i.name, "case_id": i.case.id, "answer_1": options.second if i.swapped else options.first,
             "answer_2": options.first if i.swapped else options.second}
            for i in lines
        ])  # fmt: skip
        return Finished(files=(sheet, key), facts=facts)


def sheet_of(ctx: Context) -> list[Item]:
    """The lines, the same each time; none where no two systems are named."""
    options = options_of(ctx).sheet
    if not options.first or not options.second:
        return []
    first, second = (_answers(ctx, options, strategy) for strategy in (options.first, options.second))
    asked = [case for case in ctx.cases if case.id in first and case.id in second]
    disagreeing = set[str]()
    for strategy in (options.first, options.second):
        disagreeing |= disputed(ctx, System(options.answerer, "open", "include_all", strategy))
    chosen = [case for case in asked if case.id in disagreeing] or asked
    return items(spaced(chosen, options.most), first, second, ctx.spec.statistics.seed)


def _answers(ctx: Context, options: Sheet, strategy: str) -> dict[str, AnsweredRow]:
    wanted = (options.answerer, "open", "include_all", strategy)
    return {row.case_id: row for row in ctx.rows("answer", AnsweredRow) if tuple(row.system) == wanted}
