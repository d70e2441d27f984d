"""Stage `compare`: which strategy solves what the other does not, and whether the difference is one.

Graded measures: mean difference with a cluster bootstrap interval, and a cluster randomisation test. "A relevant item
among the first k": the paired table and McNemar's test. Holm corrects within each of the two tables, over all tests in
it. Two annotators' agreement, where their labels are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from chartcite.lab.dataset import qrels_of
from chartcite.lab.experiment.scores import Scores
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.tables import KappaRow, McNemarRow, PairRow, ValueRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.metrics.hit_at_k import HitAtK
from chartcite.lab.statistics.bootstrap import paired_bootstrap
from chartcite.lab.statistics.cohen_kappa import cohen_kappa
from chartcite.lab.statistics.holm import holm
from chartcite.lab.statistics.mcnemar import mcnemar_of
from chartcite.lab.statistics.randomisation import paired_randomisation
from chartcite.lab.statistics.ratings import read_ratings
from chartcite.models.files import sha256_of

Values = Mapping[tuple[str, str, str], Mapping[str, float | None]]
"""Values by case, by (strategy, measure, by)."""
Right = Mapping[str, Mapping[str, float | None]]
"""By strategy, by case: 1 where it was right."""


class CompareStage(Stage):
    """See the module."""

    name = "compare"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": PairRow, "mcnemar": McNemarRow, "kappa": KappaRow}

    def units(self, ctx: Context) -> list[Key]:  # noqa: ARG002 - the port's signature
        """Each table as a whole: Holm needs all tests of a family."""
        return [("graded",), ("mcnemar",), ("kappa",)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Compare."""
        for key in pending:
            match key[0]:
                case "graded":
                    yield Done(key, {"": graded_pairs(ctx)})
                case "mcnemar":
                    yield Done(key, {"mcnemar": _mcnemar(ctx)})
                case _:
                    yield Done(key, {"kappa": _kappa(ctx)})

    def finish(self, ctx: Context) -> Finished:
        """Which file of ratings it was."""
        ratings = ctx.spec.annotation.ratings
        facts = {"data": {"ratings_sha256": sha256_of(ctx.base / ratings)}} if ratings else {}
        return Finished(facts=facts)


def compared_measures(rows: Sequence[ValueRow]) -> list[tuple[str, str]]:
    """(measure, by) pairs that are compared: everything by case but the two parts of an F1."""
    found = dict.fromkeys((r.measure, r.by) for r in rows)
    return [m for m in found if not m[0].endswith((".precision", ".recall"))]


def graded_pairs(ctx: Context) -> list[PairRow]:
    """Every pair on every graded measure of the stage `measure`, corrected together."""
    rows = ctx.rows("measure", ValueRow)
    values: dict[tuple[str, str, str], dict[str, float | None]] = {}
    for r in rows:
        values.setdefault((r.strategy, r.measure, r.by), {})[r.case_id] = r.value
    found = [
        _pair(ctx, values, pair, measure, by) for measure, by in compared_measures(rows) for pair in ctx.spec.pairs
    ]
    adjusted = holm({str(i): row.p for i, row in enumerate(found)}, alpha=1 - ctx.spec.statistics.level)
    return [
        replace(row, p_holm=a.p_adjusted, rejected=a.rejected, tests=a.of)
        for row, a in zip(found, adjusted, strict=True)
    ]


def _pair(ctx: Context, values: Values, pair: tuple[str, str], measure: str, by: str) -> PairRow:
    sides = [values.get((name, measure, by), {}) for name in pair]
    # What is undefined for one of them says nothing of either; what is missing has a 0, and counts.
    undefined = {case for side in sides for case, value in side.items() if value is None}
    first, second = ({case: v for case, v in side.items() if case not in undefined} for side in sides)
    head = (*pair, measure, by)
    if not first or not second:
        return PairRow(*head, *(None,) * 5, False, 0, 0, 0, False, "a strategy has no values")
    how = ctx.spec.statistics
    cases = {**first, **second}
    clusters = {case: ctx.clusters[case] for case in cases}
    interval = paired_bootstrap(first, second, clusters, level=how.level, resamples=how.resamples, seed=how.seed)
    test = paired_randomisation(first, second, clusters, samples=how.resamples, seed=how.seed)
    return PairRow(
        *head, interval.difference, interval.low, interval.high, test.p, None, False, 0, interval.n,
        interval.clusters, test.exact, test.reason or interval.reason or _left_out(len(undefined)),
    )  # fmt: skip


def _left_out(cases: int) -> str:
    return f"{cases} cases left out: undefined" if cases else ""


def _mcnemar(ctx: Context) -> list[McNemarRow]:
    scores, how = Scores(ctx), ctx.spec.statistics
    metric = HitAtK(how.hit_k)
    gold = qrels_of(ctx.cases)
    if not gold:
        return []
    right = {
        s.name: metric.measure(gold, scores.ranking(s.name).predicted).per_case(metric.name)
        for s in ctx.spec.strategies
    }  # fmt: skip
    return mcnemar_pairs(ctx, {metric.name: right})


def mcnemar_pairs(ctx: Context, right: Mapping[str, Right]) -> list[McNemarRow]:
    """Every pair on measures of yes or no, corrected together.

    A measure's cases are those that any strategy has a value of; one without a value counts as wrong.
    """
    found = [_table(pair, measure, own) for measure, own in right.items() for pair in ctx.spec.pairs]
    adjusted = holm({str(i): row.p for i, row in enumerate(found)}, alpha=1 - ctx.spec.statistics.level)
    return [
        replace(row, p_holm=a.p_adjusted, rejected=a.rejected, tests=a.of)
        for row, a in zip(found, adjusted, strict=True)
    ]


def _table(pair: tuple[str, str], measure: str, right: Right) -> McNemarRow:
    cases = dict.fromkeys(case for own in right.values() for case in own)
    m = mcnemar_of([(bool(right[pair[0]].get(c)), bool(right[pair[1]].get(c))) for c in cases])
    p = m.headline if m.headline is not None else m.p_exact
    return McNemarRow(
        *pair, measure, m.n, m.both, m.b, m.c, m.neither, m.difference, m.difference_low, m.difference_high, m.chi2,
        m.p_chi2, m.chi2_corrected, m.p_corrected, m.p_exact, m.p_mid, p, m.headline_test, None, False, 0, m.reason,
    )  # fmt: skip


def _kappa(ctx: Context) -> list[KappaRow]:
    if not ctx.spec.annotation.ratings:
        return []
    ratings = read_ratings(ctx.base / ctx.spec.annotation.ratings)
    k = cohen_kappa(ratings.pairs)
    return [
        KappaRow(
            ratings.rater_a, ratings.rater_b, k.n, len(ratings.excluded), k.observed_agreement, k.kappa, k.low, k.high,
            k.ac1, k.reason,
        )
    ]  # fmt: skip
