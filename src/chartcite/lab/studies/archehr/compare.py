"""Stage `compare`: strategy against strategy, and what is given from the key against the stage's own output.

The second is how far an error of a stage travels: what the later figures gain when it is taken out. Differences are of
the same cases, with an interval from resampling them in pairs. Nothing here is corrected for the number of comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from chartcite.lab.experiment.intervals import pooled_interval
from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.statistics.bootstrap import paired_bootstrap
from chartcite.lab.studies.archehr.answer import oracles_of
from chartcite.lab.studies.archehr.measure import DEPENDS, micro_of, pooled_f1
from chartcite.lab.studies.archehr.tables import CaseScoreRow, CountRow, DifferenceRow

MAIN: Mapping[str, tuple[str, ...]] = {
    "2026.1": ("rougeLsum",),
    "2026.2": ("strict_micro_f1", "lenient_micro_f1"),
    "2026.3": ("rougeLsum", "bleu", "sari"),
    "2026.4": ("micro_f1",),
    "2025": ("strict_micro_f1", "lenient_micro_f1"),
}
"""By task, the figures that need no model of their own: those that are compared and shown."""
Arm = tuple[str, str]
"""A strategy and what was given."""


class CompareStage(Stage):
    """See the module."""

    name = "compare"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": DifferenceRow}

    def units(self, ctx: Context) -> list[Key]:  # noqa: ARG002 - the port's signature
        """One table."""
        return [("strategy",), ("oracle",)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Compare."""
        values = _Values(ctx)
        for key in pending:
            pairs = _strategies(ctx) if key == ("strategy",) else _given(ctx)
            rows = [
                values.difference(key[0], first, second, task, measure)
                for first, second, tasks in pairs
                for task in tasks
                for measure in MAIN[task]
            ]
            yield Done(key, {"": rows})


def _strategies(ctx: Context) -> list[tuple[Arm, Arm, Sequence[str]]]:
    return [((a, ""), (b, ""), DEPENDS[""]) for a, b in ctx.spec.pairs]


def _given(ctx: Context) -> list[tuple[Arm, Arm, Sequence[str]]]:
    """Each thing given against nothing given; of pairs of 2025 after the answer only its citations."""
    return [
        ((s.name, oracle), (s.name, ""), DEPENDS[oracle])
        for s in ctx.spec.strategies
        for oracle in oracles_of(ctx, s.name)
        if oracle
    ]


class _Values:
    """Saved values and counts by arm, task and measure."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._cases: dict[tuple[str, ...], dict[str, float]] = {}
        self._counts: dict[tuple[str, ...], dict[str, tuple[float, float, float]]] = {}
        for v in ctx.rows("measure", CaseScoreRow, "cases"):
            if v.value is not None:
                self._cases.setdefault((v.strategy, v.oracle, v.task, v.measure), {})[v.case_id] = v.value
        for c in ctx.rows("measure", CountRow, "counts"):
            found = (float(c.hits), float(c.predicted), float(c.gold))
            self._counts.setdefault((c.strategy, c.oracle, c.task, c.rule), {})[c.case_id] = found

    def difference(self, what: str, first: Arm, second: Arm, task: str, measure: str) -> DifferenceRow:
        """First less second."""
        names = (_name(what, first), _name(what, second))
        rule, part = micro_of(task, measure)
        source, by = (self._counts, rule) if part else (self._cases, measure)
        ours, theirs = source.get((*first, task, by), {}), source.get((*second, task, by), {})
        cases = sorted(set(ours) & set(theirs))
        if not cases:
            return DifferenceRow(what, *names, task, measure, None, None, None, 0, "no case has both figures")
        clusters, how = self._ctx.clusters, self._ctx.spec.statistics
        if part:
            sums = {c: (*self._counts[*first, task, by][c], *self._counts[*second, task, by][c]) for c in cases}
            interval = pooled_interval(sums, clusters, _f1_difference, how)
            total = np.array(list(sums.values())).sum(axis=0, keepdims=True)
            value, low, high = float(_f1_difference(total)[0]), interval.low, interval.high
        else:
            mine, other = self._cases[*first, task, by], self._cases[*second, task, by]
            found = paired_bootstrap(
                {c: mine[c] for c in cases}, {c: other[c] for c in cases}, {c: clusters[c] for c in cases},
                level=how.level, resamples=how.resamples, seed=how.seed,
            )  # fmt: skip
            value, low, high = found.difference, found.low, found.high
        return DifferenceRow(what, *names, task, measure, value, low, high, len(cases))


def _name(what: str, arm: Arm) -> str:
    strategy, oracle = arm
    return strategy if what == "strategy" else f"{strategy}, {f'{oracle} given' if oracle else 'own'}"


def _f1_difference(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return pooled_f1(sums[:, :3]) - pooled_f1(sums[:, 3:])
