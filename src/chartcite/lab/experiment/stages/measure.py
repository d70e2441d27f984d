"""Stage `measure`: every metric of every strategy, by case and over all, and by group; the verifiers on the claims.

A missing ranking or answer counts as wrong. What cannot be computed is None with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chartcite.lab.experiment.intervals import POOLED, Interval, mean_interval, pooled_interval
from chartcite.lab.experiment.metric_names import form_of, metric_of
from chartcite.lab.experiment.scores import Evaluated, Scores
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.tables import ClaimCheckRow, ClaimShareRow, SummaryRow, ValueRow
from chartcite.lab.experiment.units import Key
from chartcite.lab.measured import Measured, Metric, Summary, averaged
from chartcite.lab.metrics.citation import CitedSentence
from chartcite.lab.statistics.proportion import wilson

ANSWERED = "answered"
"""The share of cases with an answer; always measured where answers were asked for."""
_CLAIMS = "claims of the data set"


class MeasureStage(Stage):
    """See the module."""

    name = "measure"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": ValueRow, "summary": SummaryRow, "claims": ClaimShareRow}

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by measure, for citations by verifier too; then the verifiers on the claims."""
        found: list[Key] = []
        for strategy in ctx.spec.strategies:
            for name in (*ctx.spec.metrics, *([ANSWERED] if ctx.spec.answers else [])):
                judges = ctx.spec.verifiers if _needs(name) == "citations" else ("",)
                found += [(strategy.name, name, by) for by in judges]
        return [*found, *((_CLAIMS, v, "") for v in ctx.spec.verifiers)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Measure."""
        scores = Scores(ctx)
        for key in pending:
            strategy, name, by = key
            if strategy == _CLAIMS:
                yield Done(key, {"claims": _claims(ctx, name)})
            else:
                values, summaries = _Measuring(ctx, scores, strategy, name, by).rows()
                yield Done(key, {"": values, "summary": summaries})

    def finish(self, ctx: Context) -> Finished:
        """Which form of a metric it was, where several bear its name."""
        forms = {name: form_of(metric_of(name)) for name in ctx.spec.metrics}
        return Finished(facts={"metrics": {name: form for name, form in forms.items() if form}})


def _needs(name: str) -> str:
    return "answered" if name == ANSWERED else metric_of(name).needs


class _Measuring:
    """One metric of one strategy."""

    def __init__(self, ctx: Context, scores: Scores, strategy: str, name: str, by: str) -> None:
        self._ctx, self._scores, self._strategy, self._name, self._by = ctx, scores, strategy, name, by
        self._groups = {case.id: case.group for case in ctx.cases}

    def rows(self) -> tuple[list[ValueRow], list[SummaryRow]]:
        """Values by case, and the summaries over all and by group."""
        if self._name == ANSWERED:
            return self._answered()
        metric = metric_of(self._name)
        found = self._evaluated(metric)
        if found.reason:
            return [], [self._none(name, found.reason) for name in _summary_names(metric)]
        whole = metric.measure(found.gold, found.predicted)
        values = [
            ValueRow(self._strategy, v.case_id, self._groups[v.case_id], v.measure, self._by, v.value, v.reason)
            for v in whole.values
        ]
        summaries = self._summaries(found, whole, "")
        for group in self._several_groups(found.gold):
            gold = {case: g for case, g in found.gold.items() if self._groups[case] == group}
            summaries += self._summaries(found, metric.measure(gold, found.predicted), group)
        return values, summaries

    def _evaluated(self, metric: Metric[Any, Any]) -> Evaluated:
        if metric.needs == "citations":
            return self._scores.citations(self._strategy, self._by)
        given = {"text": self._scores.texts, "revision": self._scores.revisions, "ranking": self._scores.ranking}
        return given[metric.needs](self._strategy)

    def _several_groups(self, gold: Mapping[str, Any]) -> list[str]:
        groups = sorted({self._groups[case] for case in gold})
        return groups if len(groups) > 1 else []

    def _summaries(self, found: Evaluated, m: Measured, group: str) -> list[SummaryRow]:
        rows = []
        for summary in m.summaries:
            if ".micro." in summary.measure:
                interval = self._pooled(found, {v.case_id for v in m.values}, summary.measure.rpartition(".")[2])
            else:
                interval = self._mean(m, summary.measure.replace(".macro.", "."))
            rows.append(self._row(summary, interval, group))
        return rows

    def _mean(self, m: Measured, measure: str) -> Interval:
        values = {case: value for case, value in m.per_case(measure).items() if value is not None}
        return mean_interval(values, self._ctx.clusters, self._ctx.spec.statistics)

    def _pooled(self, found: Evaluated, cases: set[str], part: str) -> Interval:
        counts = {case: _counts(found.predicted.get(case, ())) for case in cases}
        return pooled_interval(counts, self._ctx.clusters, dict(POOLED)[part], self._ctx.spec.statistics)

    def _answered(self) -> tuple[list[ValueRow], list[SummaryRow]]:
        answered = self._scores.answered(self._strategy)
        values = [ValueRow(self._strategy, c, self._groups[c], ANSWERED, "", v) for c, v in answered.items()]
        rows = []
        for group in ("", *self._several_groups(answered)):
            own = {c: v for c, v in answered.items() if group in ("", self._groups[c])}
            mean = sum(own.values()) / len(own) if own else None
            interval = mean_interval(own, self._ctx.clusters, self._ctx.spec.statistics)
            rows.append(self._row(Summary(ANSWERED, mean, len(own)), interval, group))
        return values, rows

    def _row(self, s: Summary, interval: Interval, group: str) -> SummaryRow:
        shown = interval if s.value is not None else Interval(None, None, 0)
        return SummaryRow(
            self._strategy, group, s.measure, self._by, s.value, shown.low, shown.high, s.n, s.unit, shown.clusters,
            s.missing, s.reason,
        )  # fmt: skip

    def _none(self, measure: str, reason: str) -> SummaryRow:
        return self._row(Summary(measure, None, 0, reason=reason), Interval(None, None, 0), "")


def _summary_names(metric: Metric[Any, Any]) -> list[str]:
    """The figures that a metric would have given."""
    return [s.measure for s in metric.measure({}, {}).summaries] or [averaged(metric.name, ()).measure]


def _counts(sentences: Sequence[CitedSentence]) -> tuple[float, ...]:
    supports = [s for sentence in sentences for s in sentence.supports]
    supported = sum(s.supported and bool(s.supports) for s in sentences)
    return float(sum(supports)), float(len(supports)), float(supported), float(len(sentences))


def _claims(ctx: Context, verifier: str) -> list[ClaimShareRow]:
    """By label, how many claims the verifier accepted; claims without a verdict make the figure None."""
    rows = [r for r in ctx.rows("verify", ClaimCheckRow, "claims") if r.verifier == verifier]
    found = []
    for label in sorted({r.label for r in rows}):
        judged = [r for r in rows if r.label == label and r.supported is not None]
        accepted = sum(bool(r.supported) for r in judged)
        share = wilson(accepted, len(judged), level=ctx.spec.statistics.level)
        reason = share.reason if judged else next(r.reason for r in rows if r.label == label)
        found.append(ClaimShareRow(verifier, label, len(judged), accepted, share.value, share.low, share.high, reason))
    return found
