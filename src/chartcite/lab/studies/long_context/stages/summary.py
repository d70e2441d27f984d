"""Stage `summary`: each measure of each system over all its cases, by length of the record, and by group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.intervals import Interval, mean_interval
from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.long_context.bins import BINS
from chartcite.lab.studies.long_context.stages.judge import NO_JUDGE
from chartcite.lab.studies.long_context.systems import options_of, systems
from chartcite.lab.studies.long_context.tables import AnsweredRow, CellRow, ContextRow, ScoreRow, System

CONTEXT = "context"
"""What stands for answerer and form of a context: nobody has answered yet."""


class SummaryStage(Stage):
    """See the module."""

    name = "summary"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": CellRow}

    def units(self, ctx: Context) -> list[Key]:
        """The contexts, then system by system."""
        return [(CONTEXT,), *(tuple(system) for system, _ in systems(ctx))]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Average."""
        table = _Table(ctx)
        for key in pending:
            yield Done(key, {"": list(table.contexts() if key == (CONTEXT,) else table.of(System(*key)))})


class _Table:
    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._contexts = ctx.rows("context", ContextRow)
        self._bins = {row.case_id: row.bin for row in self._contexts}
        self._groups = {case.id: case.group for case in ctx.cases}
        self._missing = {(*r.system, r.case_id) for r in ctx.rows("answer", AnsweredRow) if r.abstained}
        self._scores: dict[System, list[ScoreRow]] = {}
        for row in (*ctx.rows("score", ScoreRow), *ctx.rows("judge", ScoreRow)):
            self._scores.setdefault(row.system, []).append(row)

    def contexts(self) -> Iterator[CellRow]:
        """Recall, tokens and share of each strategy's contexts."""
        by: dict[tuple[str, str], list[ContextRow]] = {}
        for row in self._contexts:
            by.setdefault((row.notes, row.strategy), []).append(row)
        for (notes, strategy), rows in by.items():
            system = System(CONTEXT, "", notes, strategy)
            for measure in ("recall", "tokens", "share"):
                values = {row.case_id: getattr(row, measure) for row in rows}
                reasons = {row.case_id: row.reason for row in rows}
                yield from self._cells(system, measure, "", values, reasons)

    def of(self, system: System) -> Iterator[CellRow]:
        """Every measure of one system."""
        found: dict[tuple[str, str], list[ScoreRow]] = {}
        for row in self._scores.get(system, []):
            found.setdefault((row.measure, row.by), []).append(row)
        for (measure, by), rows in found.items():
            values = {row.case_id: row.value for row in rows}
            yield from self._cells(system, measure, by, values, {row.case_id: row.reason for row in rows})
        options = options_of(self._ctx)
        if system.form != "choice" and not options.judges:
            for aspect in options.aspects:
                yield CellRow(*system, "all", "", aspect, "", None, None, None, 0, 0, 0, NO_JUDGE)

    def _cells(
        self, system: System, measure: str, by: str, values: Mapping[str, float | None], reasons: Mapping[str, str]
    ) -> Iterator[CellRow]:
        yield self._cell(system, "all", "", measure, by, values, reasons)
        if system.notes != "include_all":
            return
        for scope, of in (("bin", self._bins), ("group", self._groups)):
            names = {of.get(case, "") for case in values}
            order = [name for name in BINS if name in names] if scope == "bin" else sorted(names - {""})
            for name in order if len(order) > 1 else []:
                own = {case: value for case, value in values.items() if of.get(case, "") == name}
                yield self._cell(system, scope, name, measure, by, own, reasons)

    def _cell(
        self, system: System, scope: str, name: str, measure: str, by: str, values: Mapping[str, float | None],
        reasons: Mapping[str, str],
    ) -> CellRow:  # fmt: skip
        known = {case: value for case, value in values.items() if value is not None}
        out = len(values) - len(known)
        if not known:
            why = next((reasons[case] for case in values if reasons[case]), "there is no case")
            return CellRow(*system, scope, name, measure, by, None, None, None, 0, 0, 0, why)
        interval: Interval = mean_interval(known, self._ctx.clusters, self._ctx.spec.statistics)
        missing = sum((*system, case) in self._missing for case in known)
        return CellRow(
            *system, scope, name, measure, by, sum(known.values()) / len(known), interval.low, interval.high,
            len(known), interval.clusters, missing, f"{out} of {len(values)} cases left out: undefined" if out else "",
        )  # fmt: skip
