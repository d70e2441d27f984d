"""Stage `analyse`: what the measures of the same answers say of each other (paper 000, tables 7 and 8, section 5.2).

A table an answerer and form: a line an answer where all notes were included, a column a metric, and one for each
judge's aspects. `contradiction` is 1 less `nli_consistency`. A column without any value is left out. Rules and
statistics are those of `lab/analysis`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from chartcite.lab.analysis.analyse import Analysis, Asked, analyse
from chartcite.lab.analysis.table import MetricTable, table_of
from chartcite.lab.experiment.stage import Context, Done, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.studies.long_context.scoring import ABSENCE, ANSWERED, CITED, STATED
from chartcite.lab.studies.long_context.systems import options_of, systems
from chartcite.lab.studies.long_context.tables import ScoreRow, System

CONSISTENCY, CONTRADICTION = "nli_consistency", "contradiction"
_NOT_COMPARED = (ANSWERED, ABSENCE, CITED, STATED)
"""Yes or no, or not of the text: where nine of ten values are alike, a percentile says nothing."""
_BETWEEN = " | "


@dataclass(frozen=True, slots=True)
class CountRow:
    """What a rule found among the answers of one answerer and form; see `lab.analysis.counts.Count`."""

    answerer: str
    form: str
    rule: str
    between: str
    found: int
    n: int
    undefined: int
    share: float | None
    low: float | None
    high: float | None
    clusters: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One answer that a rule found, the measure that says yes and the one that says no."""

    answerer: str
    form: str
    rule: str
    notes: str
    strategy: str
    case_id: str
    high: str
    high_value: float
    low: str
    low_value: float


@dataclass(frozen=True, slots=True)
class CorrelationRow:
    """How two measures go together; see `lab.analysis.correlation`."""

    answerer: str
    form: str
    first: str
    second: str
    kind: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JudgesRow:
    """How far two judges agree; see `lab.analysis.judges`."""

    answerer: str
    form: str
    first: str
    second: str
    n: int
    difference: float | None
    absolute_difference: float | None
    kappa: float | None
    low: float | None
    high: float | None
    weighted_kappa: float | None
    reason: str = ""


class AnalyseStage(Stage):
    """See the module."""

    name = "analyse"
    tables: ClassVar[Mapping[str, type[Any]]] = {
        "": CountRow, "found": FoundRow, "correlations": CorrelationRow, "judges": JudgesRow,
    }  # fmt: skip

    def units(self, ctx: Context) -> list[Key]:
        """Answerer and form, of those that are answered in words."""
        return list(dict.fromkeys((s.answerer, s.form) for s, _ in systems(ctx) if s.form != "choice"))

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Compare."""
        rows = [*ctx.rows("score", ScoreRow), *ctx.rows("judge", ScoreRow)]
        judges = [judge.name for judge in options_of(ctx).judges]
        for key in pending:
            own = [r for r in rows if (r.answerer, r.form, r.notes) == (*key, "include_all")]
            table = _table(own, ctx.clusters)
            yield Done(key, _rows(key, analyse(table, _asked(table, judges))) if len(table.columns) > 1 else {})


def _table(rows: Sequence[ScoreRow], clusters: Mapping[str, str]) -> MetricTable:
    values: list[tuple[str, str, float | None]] = []
    for row in rows:
        if row.measure in _NOT_COMPARED:
            continue
        item, name = f"{row.strategy}\t{row.case_id}", _column(row.measure, row.by)
        if row.measure == CONSISTENCY:
            values.append((item, CONTRADICTION, None if row.value is None else 1 - row.value))
        values.append((item, name, row.value))
    with_values = {name for _, name, value in values if value is not None}
    items = {item: item.partition("\t")[2] for item, _, _ in values}
    return table_of([v for v in values if v[1] in with_values], {item: clusters[case] for item, case in items.items()})


def _column(measure: str, by: str) -> str:
    return f"{measure} ({by})" if by else measure


def _asked(table: MetricTable, judges: Sequence[str]) -> Asked:
    grades = [name for name in (_column("correctness", judge) for judge in judges) if name in table.columns]
    metrics = tuple(name for name in table.columns if name != CONTRADICTION)
    return Asked(
        metrics, tuple(grades) if len(grades) > 1 else (), CONTRADICTION if CONTRADICTION in table.columns else "",
        grades[0] if grades else "",
    )  # fmt: skip


def _rows(key: Key, found: Analysis) -> dict[str, list[Any]]:
    answerer, form = key
    pairs = found.judges.pairs if found.judges else ()
    return {
        "": [
            CountRow(answerer, form, r.rule, _BETWEEN.join(r.between), c.found, c.n, c.undefined, c.share, c.low,
                     c.high, c.clusters, c.reason)
            for r in found.rules for c in (r.count,)
        ],
        "found": [
            FoundRow(answerer, form, r.rule, "include_all", strategy, case, d.high, d.high_value, d.low, d.low_value)
            for r in found.rules for d in r.items for strategy, _, case in (d.item.partition("\t"),)
        ],
        "correlations": [
            CorrelationRow(answerer, form, c.first, c.second, c.kind, c.value, c.low, c.high, c.n, c.reason)
            for c in found.correlations
        ],
        "judges": [
            JudgesRow(answerer, form, p.first, p.second, p.n, p.difference, p.absolute_difference, p.kappa.kappa,
                      p.kappa.low, p.kappa.high, p.weighted_kappa.kappa, p.kappa.reason)
            for p in pairs
        ],
    }  # fmt: skip


def disputed(ctx: Context, system: System) -> set[str]:
    """The cases of a system where one measure is high and another low."""
    rows = ctx.rows("analyse", FoundRow, "found")
    wanted = (system.answerer, system.form, system.strategy)
    return {r.case_id for r in rows if r.rule == "spread" and (r.answerer, r.form, r.strategy) == wanted}
