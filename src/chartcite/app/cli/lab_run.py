"""`chartcite lab run` and `lab report`: an experiment from its file to its report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from rich.text import Text

    from chartcite.lab.experiment.folder import RunFolder
    from chartcite.lab.experiment.tables import SummaryRow


def run(
    experiment: Annotated[Path, typer.Argument(help="The experiment's file.", metavar="EXPERIMENT.toml")],
    stage: Annotated[
        str | None, typer.Option("--stage", metavar="NAME", help="Begin at this stage, on the rows of --from.")
    ] = None,
    origin: Annotated[
        Path | None, typer.Option("--from", metavar="RUN", help="The run whose earlier stages are taken over.")
    ] = None,
    runs: Annotated[Path, typer.Option("--runs", metavar="DIR", help="Where run folders are kept.")] = Path("runs"),
    json: options.Json = False,
) -> int:
    """Run an experiment, or what is missing of it; the same command resumes after any end."""
    from chartcite.app.cli.lab_progress import showing_stages  # noqa: PLC0415
    from chartcite.lab.experiment.loading import load_experiment  # noqa: PLC0415
    from chartcite.lab.experiment.runner import Plan, run_experiment  # noqa: PLC0415
    from chartcite.lab.experiment.spec import with_keys, with_workers  # noqa: PLC0415

    if (stage is None) != (origin is None):
        raise UsageError("--stage and --from go together.", "lab run EXPERIMENT.toml --stage measure --from RUN")
    given = options.configure().settings
    spec = with_workers(with_keys(load_experiment(experiment), given), given)
    plan = Plan(spec, experiment.parent, runs, stage or "", origin)
    try:
        with showing_stages() as progress:
            folder = run_experiment(plan, progress)
    except KeyboardInterrupt:
        output.warn("What is done stays, and the same command resumes.")
        raise
    _show(folder, as_json=json)
    return exits.DONE


def report(
    folder: Annotated[Path, typer.Argument(help="A run's folder.", metavar="RUN")],
    json: options.Json = False,
) -> int:
    """Write a run's report anew from its saved rows, and show its main figures."""
    from chartcite.lab.experiment.runner import report_anew  # noqa: PLC0415

    _show(report_anew(folder), as_json=json)
    return exits.DONE


def _show(folder: RunFolder, *, as_json: bool) -> None:
    from chartcite.lab.experiment.spec import Experiment  # noqa: PLC0415
    from chartcite.lab.experiment.stages.report import FILE  # noqa: PLC0415
    from chartcite.lab.experiment.study import study_of  # noqa: PLC0415
    from chartcite.lab.rows import cells_of  # noqa: PLC0415

    figures = study_of(Experiment.model_validate(folder.manifest["spec"])).figures(folder)
    page = folder.path / FILE
    if not as_json:
        output.print_lines(_lines([s for s in figures.summary if not s.group]))
        print(f"\nRun: {folder.path}\nReport: {page}")
        return
    output.print_json({
        "schema": "chartcite.lab.run/1", "run": str(folder.path), "report": str(page), "name": folder.manifest["name"],
        "spec_sha256": folder.manifest["spec_sha256"], "data": folder.manifest["data"],
        "summary": [cells_of(s) for s in figures.summary],
        **{name: [cells_of(row) for row in rows] for name, rows in figures.tables.items()},
    })  # fmt: skip


def _lines(summaries: Sequence[SummaryRow]) -> Iterator[Text]:
    """Each figure with its interval, by measure; the parts of an F1 are in the files and in the report."""
    from rich.text import Text  # noqa: PLC0415

    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    paper = output.paper()
    shown = [s for s in summaries if not s.measure.endswith((".precision", ".recall"))]
    wide = max((len(one_line(s.strategy)) for s in shown), default=0)
    for measure, by in dict.fromkeys((s.measure, s.by) for s in shown):
        yield Text(f"{measure} ({by})" if by else measure, "bold")
        for s in (s for s in shown if (s.measure, s.by) == (measure, by)):
            span = f" [{s.low:.3f}, {s.high:.3f}]" if s.low is not None and s.high is not None else ""
            value = f"{s.value:.3f}{span}  n {s.n:,} {s.unit}" if s.value is not None else s.reason
            yield from paper.hanging(f"{one_line(s.strategy):<{wide}}  ", one_line(value), 2)
