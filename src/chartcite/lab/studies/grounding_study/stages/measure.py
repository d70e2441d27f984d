"""Stage `measure`: the paper's tables, grounding at each level, the judges on planted claims, and values by query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.intervals import mean_interval
from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.tables import SummaryRow, ValueRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.grounding_study.grounding import levels, no_levels
from chartcite.lab.studies.grounding_study.measured_judges import agreement, judge_rows
from chartcite.lab.studies.grounding_study.options import options_of
from chartcite.lab.studies.grounding_study.paper_tables import (
    NO_VERDICT,
    overall,
    rerank_effect,
    score_summaries,
    source_shares,
)
from chartcite.lab.studies.grounding_study.results import Results
from chartcite.lab.studies.grounding_study.tables import (
    GroundingRow,
    JudgedRow,
    JudgePairRow,
    JudgeRow,
    OverallRow,
    RerankRow,
    ScoreRow,
    SourceShareRow,
)
from chartcite.lab.studies.grounding_study.values import MEASURES, values_of


class MeasureStage(Stage):
    """See the module."""

    name = "measure"
    tables: ClassVar[Mapping[str, type[Any]]] = {
        "": ValueRow, "summary": SummaryRow, "overall": OverallRow, "sources": SourceShareRow, "rerank": RerankRow,
        "scores": ScoreRow, "grounding": GroundingRow, "judges": JudgeRow, "agreement": JudgePairRow,
    }  # fmt: skip

    def units(self, ctx: Context) -> list[Key]:
        """The strategies, then the judges."""
        return [
            *(("strategy", s.name) for s in ctx.spec.strategies),
            *(("judge", j) for j in options_of(ctx.spec).judges),
        ]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Measure."""
        results = Results(ctx)
        for key in pending:
            kind, name = key
            if kind == "judge":
                rows = [row for row in results.planted if row.judge == name]
                yield Done(key, {"judges": judge_rows(name, rows, ctx.spec.statistics.level) if rows else []})
            else:
                yield Done(key, _strategy(results, name))


def _strategy(results: Results, name: str) -> dict[str, Sequence[Any]]:
    chunks = results.chunks_of(name)
    given = {a.query_id: a.given for a in results.answers_of(name)}
    values = values_of(results, name)
    return {
        "": values, "summary": _summaries(results, name, values), "overall": list(_overall(results, name)),
        "sources": source_shares(name, chunks, given, results.in_collection), "rerank": [rerank_effect(name, chunks)],
        "scores": score_summaries(name, chunks), "grounding": list(_grounding(results, name)),
        "agreement": list(_agreement(results, name)),
    }  # fmt: skip


def _overall(results: Results, name: str) -> Iterator[OverallRow]:
    for judge, against in results.judged_ways:
        yield overall(
            name, judge, against, results.queries, results.chunks_of(name), results.answers_of(name),
            results.claims_of(name), results.removed_of(name), results.judged_of(name, judge, against),
        )  # fmt: skip


def _grounding(results: Results, name: str) -> Iterator[GroundingRow]:
    for judge, against in results.judged_ways:
        if unknown := results.without_verdict(name, judge, against):
            n = len(results.judged_of(name, judge, against))
            yield from no_levels(name, judge, against, n, f"{NO_VERDICT}: {unknown}")
        else:
            yield from levels(name, judge, against, results.verdicts(name, judge, against), results.how)


def _agreement(results: Results, name: str) -> Iterator[JudgePairRow]:
    judges = results.judges
    for against in results.against:
        found: dict[str, list[JudgedRow]] = {j: results.judged_of(name, j, against) for j in judges}
        for i, first in enumerate(judges):
            for second in judges[i + 1 :]:
                yield agreement(first, second, name, against, found)


def _summaries(results: Results, name: str, values: Sequence[ValueRow]) -> list[SummaryRow]:
    rows: list[SummaryRow] = []
    claimed = {row.query_id for row in results.claims_of(name)}
    for measure, by in dict.fromkeys((v.measure, v.by) for v in values):
        known = {v.case_id: v.value for v in values if (v.measure, v.by) == (measure, by) and v.value is not None}
        interval = mean_interval(known, {q: q for q in known}, results.how)
        missing = sum(q not in claimed for q in known) if by else 0
        rows.append(SummaryRow(
            name, "", measure, by, sum(known.values()) / len(known), interval.low, interval.high, len(known), "queries",
            interval.clusters, missing,
        ))  # fmt: skip
    for judge, against in results.judged_ways:
        if why := results.without_verdict(name, judge, against):
            rows.append(SummaryRow(name, "", MEASURES[against], judge, None, None, None, 0, "queries", 0, 0, why))
    return rows
