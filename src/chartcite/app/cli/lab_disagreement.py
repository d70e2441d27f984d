"""`chartcite lab disagreement`: where the metrics of a table contradict each other, and how they go together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output

if TYPE_CHECKING:
    from rich.text import Text

    from chartcite.lab.analysis.analyse import Analysis


def disagreement(
    table: Annotated[Path, typer.Argument(help="item, perhaps cluster, and metrics.", metavar="TABLE.csv")],
    metrics: Annotated[str, typer.Option("--metrics", metavar="A,B", help="Columns compared; all if left out.")] = "",
    judges: Annotated[str, typer.Option("--judges", metavar="A,B", help="Columns that are judges, 0 to 1.")] = "",
    contradiction: Annotated[
        str, typer.Option("--contradiction", metavar="COLUMN", help="The probability of contradiction.")
    ] = "",
    correctness: Annotated[str, typer.Option("--correctness", metavar="COLUMN", help="A judge's correctness.")] = "",
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write the tables there as CSV.")] = None,
    json: options.Json = False,
) -> int:
    """Find answers on which metrics disagree; correlations of metrics, agreement of judges, all with n and interval."""
    from chartcite.core.errors import UsageError  # noqa: PLC0415
    from chartcite.lab.analysis.analyse import Asked, analyse, write_analysis  # noqa: PLC0415
    from chartcite.lab.analysis.table import read_metrics  # noqa: PLC0415

    if bool(contradiction) != bool(correctness):
        raise UsageError("--contradiction and --correctness go together.", "Name both columns.")
    given = read_metrics(table)
    found = analyse(given, Asked(_names(metrics), _names(judges), contradiction, correctness))
    written = [str(path) for path in write_analysis(out, given, found)] if out else []
    if json:
        output.print_json({
            "schema": "chartcite.lab.disagreement/1", "items": len(given.items), "metrics": list(given.columns),
            **asdict(found), "files": written,
        })  # fmt: skip
        return exits.DONE
    output.print_lines(_lines(found))
    for path in written:
        print(f"Written: {path}")
    return exits.DONE


def _names(given: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in given.split(",") if part.strip()))


def _lines(found: Analysis) -> Iterator[Text]:
    yield from _hung([*_rules(found), *_correlations(found), *_judges(found)])


def _rules(found: Analysis) -> Iterator[tuple[str, str]]:
    for rule in found.rules:
        c = rule.count
        yield f"{rule.rule}: {', '.join(rule.between)}", f"{c.found:,} of {c.n:,}{_span(c.share, c.low, c.high)}"


def _correlations(found: Analysis) -> Iterator[tuple[str, str]]:
    for c in found.correlations:
        value = f"{c.value:.3f}{_span(None, c.low, c.high)}, n {c.n:,}" if c.value is not None else f"- ({c.reason})"
        yield f"{c.kind}: {c.first}, {c.second}", value


def _judges(found: Analysis) -> Iterator[tuple[str, str]]:
    if not found.judges:
        return
    for pair in found.judges.pairs:
        k = pair.kappa
        value = f"kappa {k.kappa:.3f}{_span(None, k.low, k.high)}, n {pair.n:,}" if k.kappa is not None else k.reason
        yield f"judges: {pair.first}, {pair.second}", value
    alpha = found.judges.alpha
    yield "all judges", f"alpha {alpha.alpha:.3f}" if alpha.alpha is not None else alpha.reason


def _hung(rows: list[tuple[str, str]]) -> Iterator[Text]:
    from rich.text import Text  # noqa: PLC0415

    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    paper, shown = output.paper(), [(one_line(name), one_line(value)) for name, value in rows]
    wide = max(len(name) for name, _ in shown)
    for name, value in shown:
        yield from paper.hanging(f"{name:<{wide}}  ", Text(value))


def _span(share: float | None, low: float | None, high: float | None) -> str:
    head = f" ({share:.3f})" if share is not None else ""
    return head + (f" [{low:.3f}, {high:.3f}]" if low is not None and high is not None else "")
