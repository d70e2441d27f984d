"""Stage `measure`: submission files, scored by the official rules, as a whole and case by case.

Figures of a strategy with nothing given come from the very files that stay in the run's folder. Where something was
given, only the figures that depend on a later stage are computed; with the answer given, its citations alone. Intervals
resample cases: means over cases, and for pooled (micro) figures their counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from chartcite.core.errors import UsageError
from chartcite.lab.archehr_scores.result import OfficialScores
from chartcite.lab.archehr_scores.score import score
from chartcite.lab.archehr_scores.submission_2025 import parse_answer
from chartcite.lab.datasets.archehr import KEY, XML, Labelled
from chartcite.lab.experiment.intervals import Interval, Ratio, mean_interval, pooled_interval
from chartcite.lab.experiment.spec import slug
from chartcite.lab.experiment.stage import Context, Done, Finished, Stage
from chartcite.lab.experiment.units import Key
from chartcite.lab.prf import Counts, counted
from chartcite.lab.studies.archehr.answer import oracles_of
from chartcite.lab.studies.archehr.corpus import labelled_of, options_of
from chartcite.lab.studies.archehr.submission import Prediction, predictions, write_predictions
from chartcite.lab.studies.archehr.tables import CascadeRow, CaseScoreRow, CountRow, LinkRow, ScoreRow

DEPENDS = {
    "": ("2026.1", "2026.2", "2026.3", "2026.4", "2025"),
    "query": ("2026.2", "2026.3", "2025"),
    "evidence": ("2026.3", "2026.4", "2025"),
    "answer": ("2025",),
}
"""By what is given, the tasks whose figures depend on a stage after it."""
WITHOUT_KEY = ("2026.1",)


class MeasureStage(Stage):
    """See the module."""

    name = "measure"
    tables: ClassVar[Mapping[str, type[Any]]] = {"": ScoreRow, "cases": CaseScoreRow, "counts": CountRow}

    def units(self, ctx: Context) -> list[Key]:
        """Strategy by what is given."""
        return [(s.name, oracle) for s in ctx.spec.strategies for oracle in oracles_of(ctx, s.name)]

    def run(self, ctx: Context, pending: Sequence[Key]) -> Iterator[Done]:
        """Score."""
        labelled = labelled_of(ctx)
        for strategy, oracle in pending:
            yield Done((strategy, oracle), _Scored(ctx, labelled, strategy, oracle).rows())

    def finish(self, ctx: Context) -> Finished:
        """The submission files; written here too, as a stage that is resumed may have done its units before."""
        labelled = labelled_of(ctx)
        paths = [
            path
            for s in ctx.spec.strategies
            for path in write_predictions(ctx.folder.path, slug(s.name), predicted(ctx, labelled, s.name, "")).values()
        ]
        return Finished(files=tuple(paths))


def predicted(ctx: Context, labelled: Sequence[Labelled], strategy: str, oracle: str) -> dict[str, Prediction]:
    """A strategy's predictions by task, from the saved rows."""
    rows = {
        r.case_id: r
        for r in ctx.rows("answer", CascadeRow)
        if (r.strategy, r.oracle) == (strategy, oracle)
    }  # fmt: skip
    links = [r for r in ctx.rows("answer", LinkRow, "links") if (r.strategy, r.oracle) == (strategy, oracle)]
    return predictions(labelled, rows, links, options_of(ctx).evidence_from)


class _Scored:
    """One strategy with one thing given."""

    def __init__(self, ctx: Context, labelled: Sequence[Labelled], strategy: str, oracle: str) -> None:
        self._ctx, self._strategy, self._oracle = ctx, strategy, oracle
        has_key = (ctx.folder.path / KEY).is_file()
        self._tasks = DEPENDS[oracle] if has_key else WITHOUT_KEY
        self._made = predicted(ctx, labelled, strategy, oracle)
        self._labelled = labelled

    def rows(self) -> dict[str, list[Any]]:
        """Figures, values by case, and what pooled figures are made of."""
        found: dict[str, list[Any]] = {"": [], "cases": [], "counts": []}
        with tempfile.TemporaryDirectory() as name:
            paths = write_predictions(Path(name), "it", self._made)
            for task in self._tasks:
                counts = self._counts(task)
                found["counts"] += [
                    CountRow(self._strategy, self._oracle, task, rule, case, c.hits, c.predicted, c.gold)
                    for rule, by_case in counts.items()
                    for case, c in by_case.items()
                ]
                if self._oracle == "answer":
                    found[""] += self._of_counts(task, counts)
                    continue
                try:
                    official = self._official(task, paths[task])
                except UsageError as error:
                    why = f"{error.kind}: {error}"
                    found[""].append(self._row(task, "overall_score", None, Interval(None, None, 0), 0, why))
                    continue
                found[""] += [self._figure(task, official, measure, counts) for measure in official.scores]
                found["cases"] += [
                    CaseScoreRow(self._strategy, self._oracle, task, v.measure, v.case_id, v.value, v.reason)
                    for v in official.values
                ]
        return found

    def _official(self, task: str, path: Path) -> OfficialScores:
        year, _, number = task.partition(".")
        folder = self._ctx.folder.path
        return score(
            path, year=int(year), task=int(number) if number else None,
            key=folder / KEY if (folder / KEY).is_file() else None, xml=folder / XML,
        )  # fmt: skip

    def _of_counts(self, task: str, counts: Mapping[str, Mapping[str, Counts]]) -> list[ScoreRow]:
        """The pooled figures alone: a given answer whose sentences link to nothing is none that the script takes."""
        found = []
        for rule, by_case in counts.items():
            sums = {case: (float(c.hits), float(c.predicted), float(c.gold)) for case, c in by_case.items()}
            total = np.array(list(sums.values())).sum(axis=0, keepdims=True)
            for part, figure in PARTS.items():
                interval = pooled_interval(sums, self._ctx.clusters, figure, self._ctx.spec.statistics)
                value = float(figure(total)[0])
                found.append(self._row(task, f"{rule}_micro_{part}", value, interval, len(sums), ""))
        return found

    def _figure(
        self, task: str, official: OfficialScores, measure: str, counts: Mapping[str, Mapping[str, Counts]]
    ) -> ScoreRow:
        value = official.scores[measure]
        interval = Interval(None, None, 0)
        rule, part = micro_of(task, measure)
        if value is not None and part:
            sums = {case: (float(c.hits), float(c.predicted), float(c.gold)) for case, c in counts[rule].items()}
            interval = pooled_interval(sums, self._ctx.clusters, PARTS[part], self._ctx.spec.statistics)
        elif value is not None:
            name = measure.replace("macro_", "")
            values = {v.case_id: v.value for v in official.values if v.measure == name and v.value is not None}
            interval = mean_interval(values, self._ctx.clusters, self._ctx.spec.statistics)
        return self._row(task, measure, value, interval, official.cases, official.reasons.get(measure, ""))

    def _row(self, task: str, measure: str, value: float | None, i: Interval, n: int, reason: str) -> ScoreRow:
        return ScoreRow(self._strategy, self._oracle, task, measure, value, i.low, i.high, n, reason)

    def _counts(self, task: str) -> dict[str, dict[str, Counts]]:
        """By rule and case, the counts behind the pooled figures of a task."""
        gold = {one.case.id: one.gold for one in self._labelled if one.gold is not None}
        essential = {case: set(g.of("essential")) for case, g in gold.items()}
        both = {case: essential[case] | set(g.of("supplementary")) for case, g in gold.items()}
        if task == "2026.2":
            found = {row["case_id"]: set(row["prediction"]) for row in self._made[task]}
            strict = {c: counted(found.get(c, ()), essential[c]) for c in gold}
            lenient = {c: counted(found.get(c, set()) - (both[c] - essential[c]), essential[c]) for c in gold}
            return {"strict": strict, "lenient": lenient}
        if task == "2026.4":
            pairs = {
                row["case_id"]: {(p["answer_id"], e) for p in row["prediction"] for e in p["evidence_id"]}
                for row in self._made[task]
            }
            links = {c: {(s.id, e) for s in g.sentences for e in s.citations or ()} for c, g in gold.items()}
            return {"": {c: counted(pairs.get(c, ()), links[c]) for c in gold}}
        if task == "2025":
            answers = {row["case_id"]: parse_answer(row["answer"]) for row in self._made[task]}
            cited = {c: answers[c].citations if c in answers else frozenset() for c in gold}
            return {
                "strict": {c: counted(cited[c], essential[c]) for c in gold},
                "lenient": {c: counted(cited[c], both[c]) for c in gold},
            }
        return {}


def micro_of(task: str, measure: str) -> tuple[str, str]:
    """Which rule's counts, and which part of them, a pooled figure is; two empty texts for another figure."""
    if measure in ("overall_score", "overall_factuality_score"):
        measure = {"2026.2": "strict_micro_f1", "2026.4": "micro_f1"}.get(
            task, "strict_micro_f1" if measure == "overall_factuality_score" else ""
        )
    rule, found, part = measure.rpartition("micro_")
    return (rule.rstrip("_"), part) if found and part in PARTS else ("", "")


def _precision(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return 100 * _share(sums[:, 0], sums[:, 1])


def _recall(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return 100 * _share(sums[:, 0], sums[:, 2])


def pooled_f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 x 100 from sums of (right, predicted, gold), [draws, 3]; 0 where nothing is predicted or gold."""
    return 100 * _share(2 * sums[:, 0], sums[:, 1] + sums[:, 2])


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)
    return found


PARTS: Mapping[str, Ratio] = {"precision": _precision, "recall": _recall, "f1": pooled_f1}
