"""Stage `score`: the measures that need no judge, case by case. An answer that is missing counts as wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.metric_names import form_of, metric_of
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.long_context.scoring import scores
from chartcite.lab.studies.long_context.systems import systems
from chartcite.lab.studies.long_context.tables import AnsweredRow, ScoreRow, System


class ScoreStage(Stage):
    """See the module."""

    name = "score"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": ScoreRow}

    def units(self, ctx: Context) -> list[Key]:
        """System by system."""
        return [tuple(system) for system, _ in systems(ctx)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Measure."""
        wanted = set(pending)
        rows: dict[System, dict[str, AnsweredRow]] = {}
        for row in ctx.rows("answer", AnsweredRow):
            rows.setdefault(row.system, {})[row.case_id] = row
        for system, cases in systems(ctx):
            if tuple(system) in wanted:
                yield Done(tuple(system), {"": list(scores(system, cases, rows[system], ctx.spec.metrics))})

    def finish(self, ctx: Context) -> Finished:
        """What exactly each metric computed."""
        return Finished(facts={"metrics": {m.name: form_of(m) for m in map(metric_of, ctx.spec.metrics)}})
