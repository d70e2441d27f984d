"""`chartcite lab mcnemar`, `kappa` and `trec`: statistics and retrieval measures of tables that come from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from chartcite.app.cli import exits, options, output

if TYPE_CHECKING:
    from chartcite.lab.measured import Metric
    from chartcite.lab.statistics.mcnemar import McNemar
    from chartcite.lab.trec import Qrels, Run

_METRICS = "map,mrr,ndcg@10,recall@5,recall@100,r_precision"


def mcnemar(
    paired: Annotated[Path, typer.Argument(help="Columns query_id and two systems.", metavar="PAIRED.csv")],
    right: Annotated[str, typer.Option("--right", metavar="WORD", help="The answer that means right.")] = "",
    json: options.Json = False,
) -> int:
    """Test whether two systems differ on the same questions: b, c, n, and every form of McNemar's test."""
    from chartcite.lab.statistics.mcnemar import mcnemar_of  # noqa: PLC0415
    from chartcite.lab.statistics.paired_table import read_paired  # noqa: PLC0415

    table = read_paired(paired, right=right)
    found = mcnemar_of(table.pairs.values())
    if json:
        output.print_json({
            "schema": "chartcite.lab.mcnemar/1", "system_a": table.system_a, "system_b": table.system_b,
            "right": table.right, "wrong": table.wrong, "missing_a": table.missing_a, "missing_b": table.missing_b,
            **asdict(found),
        })  # fmt: skip
        return exits.DONE
    missing = table.missing_a + table.missing_b
    note = f"{missing} missing answers count as wrong." if missing else ""
    _print([*_mcnemar_rows(table.system_a, table.system_b, found), ("", found.reason), ("", note)])
    return exits.DONE


def _mcnemar_rows(a: str, b: str, m: McNemar) -> list[tuple[str, str]]:
    return [
        ("n", f"{m.n:,}"),
        ("both right", f"{m.both:,}"),
        (f"only {a} (b)", f"{m.b:,}"),
        (f"only {b} (c)", f"{m.c:,}"),
        ("neither", f"{m.neither:,}"),
        ("difference", _spanned(m.difference, m.difference_low, m.difference_high)),
        ("chi-square", f"{_figure(m.chi2)}, p {_figure(m.p_chi2)}"),
        ("  corrected", f"{_figure(m.chi2_corrected)}, p {_figure(m.p_corrected)}"),
        ("exact p", _figure(m.p_exact)),
        ("mid-p", _figure(m.p_mid)),
        ("to be quoted", f"p {_figure(m.headline)} ({'exact' if m.headline_test == 'exact' else 'chi-square'})"),
    ]


def kappa(
    ratings: Annotated[Path, typer.Argument(help="Columns item and two raters.", metavar="RATINGS.csv")],
    weights: Annotated[
        Literal["none", "linear", "quadratic"], typer.Option("--weights", help="How much a near miss counts.")
    ] = "none",
    levels: Annotated[
        str, typer.Option("--levels", metavar="A,B,C", help="The labels in order, where they are words.")
    ] = "",
    json: options.Json = False,
) -> int:
    """Agreement of two raters: Cohen's kappa with its interval, the raw agreement and Gwet's AC1 beside it."""
    from chartcite.lab.statistics.cohen_kappa import cohen_kappa  # noqa: PLC0415
    from chartcite.lab.statistics.ratings import label, read_ratings  # noqa: PLC0415

    table = read_ratings(ratings)
    order = [label(part) for part in levels.split(",")] if levels else None
    k = cohen_kappa(table.pairs, weights=weights, levels=order)
    if json:
        output.print_json({
            "schema": "chartcite.lab.kappa/1", "rater_a": table.rater_a, "rater_b": table.rater_b,
            "excluded": list(table.excluded), "merged": list(table.merged), **asdict(k),
        })  # fmt: skip
        return exits.DONE
    left_out = f"{len(table.excluded)} items without both labels are left out." if table.excluded else ""
    rows = [
        ("items", f"{k.n:,}"),
        ("labels", ", ".join(k.levels)),
        ("agreement", _figure(k.observed_agreement)),
        ("kappa", _spanned(k.kappa, k.low, k.high)),
        ("AC1", _figure(k.ac1)),
    ]
    _print([*rows, ("", k.reason), ("", left_out)])
    return exits.DONE


def trec(
    qrels: Annotated[Path, typer.Option("--qrels", metavar="FILE", help="Judgements.")],
    run: Annotated[Path, typer.Option("--run", metavar="FILE", help="Rankings.")],
    metrics: Annotated[str, typer.Option("--metrics", metavar="A,B", help="Measures, separated by commas.")] = _METRICS,
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Each query's values too.")] = False,
    json: options.Json = False,
) -> int:
    """Measure a TREC run; a query without a ranking counts as 0, as with trec_eval -c."""
    from chartcite.lab.trec import read_qrels, read_run  # noqa: PLC0415

    measures = _measures(metrics)
    judged, ranked = read_qrels(qrels), read_run(run)
    found = [metric.measure(judged, ranked) for metric in measures]
    if json:
        queries = [asdict(v) for m in found for v in m.values] if per_query else None
        output.print_json({
            "schema": "chartcite.lab.trec/1", "queries": len(judged), **_strangers(judged, ranked),
            "measures": [asdict(s) for m in found for s in m.summaries],
            **({"values": queries} if queries is not None else {}),
        })  # fmt: skip
        return exits.DONE
    if per_query:
        _print([(f"{v.case_id} {v.measure}", _figure(v.value)) for m in found for v in m.values])
    rows = [(s.measure, f"{_figure(s.value)} (n {s.n:,}, missing {s.missing:,})") for m in found for s in m.summaries]
    _print(rows)
    return exits.DONE


def _measures(names: str) -> list[Metric[Any, Any]]:
    from chartcite.core.errors import UsageError  # noqa: PLC0415
    from chartcite.lab.experiment.metric_names import metric_of  # noqa: PLC0415

    found = [metric_of(name.strip()) for name in names.split(",") if name.strip()]
    if not found or any(metric.needs != "ranking" for metric in found):
        raise UsageError("--metrics takes measures of rankings.", f"For example: {_METRICS}.")
    return found


def _strangers(judged: Qrels, ranked: Run) -> dict[str, int]:
    return {"not_ranked": len(set(judged) - set(ranked)), "not_judged": len(set(ranked) - set(judged))}


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}" if abs(value) < 0.001 else f"{value:.4f}"


def _spanned(value: float | None, low: float | None, high: float | None) -> str:
    span = f" (95 % interval {low:.4f} to {high:.4f})" if low is not None and high is not None else ""
    return _figure(value) + span


def _print(rows: Sequence[tuple[str, str]]) -> None:
    from rich.text import Text  # noqa: PLC0415

    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    paper, shown = output.paper(), [(one_line(a), one_line(b)) for a, b in rows if a or b]
    wide = max((len(a) for a, _ in shown), default=0)
    for name, value in shown:
        output.print_lines(paper.hanging(f"{name:<{wide}}  ", Text(value)))
