"""`chartcite lab`: the evaluation laboratory. Each command is in its own file; this one puts them together."""

from __future__ import annotations

import typer

from chartcite.app.cli import (
    lab_data,
    lab_disagreement,
    lab_feedback,
    lab_judge,
    lab_run,
    lab_score,
    lab_tables,
    lab_training,
)

app = typer.Typer(help="Evaluate: experiments, paired tests, agreement, TREC files, data sets.", no_args_is_help=True)
generate = typer.Typer(help="Make data sets.", no_args_is_help=True)
score = typer.Typer(help="Score submissions by official rules.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Evaluate: experiments, paired tests, agreement, TREC files, data sets."""


@generate.callback()
def _generate() -> None:
    """Make data sets."""


@score.callback()
def _score() -> None:
    """Score submissions by official rules."""


app.command()(lab_run.run)
app.command()(lab_run.report)
app.command()(lab_tables.mcnemar)
app.command()(lab_tables.kappa)
app.command()(lab_tables.trec)
app.command()(lab_disagreement.disagreement)
app.command("calibrate-judge")(lab_judge.calibrate_judge)
app.command("annotations")(lab_judge.sheets_back)
app.command()(lab_data.datasets)
app.command("export-feedback")(lab_feedback.export_feedback)
app.command("export-training")(lab_training.export_training)
generate.command()(lab_data.longchart)
generate.command("planted_edits")(lab_data.planted_edits)
generate.command()(lab_data.archehr)
app.add_typer(generate, name="generate")
score.command()(lab_score.archehr)
app.add_typer(score, name="score")
