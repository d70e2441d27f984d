"""`chartcite lab export-training`: the cascade's chats as files to train a local model on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from chartcite.lab.training.questions import Asked


def export_training(
    source: Annotated[
        Path, typer.Argument(help="A run's folder, or a store (then with --questions).", metavar="RUN|STORE")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the files go; empty or not there.")],
    questions: Annotated[
        Path | None, typer.Option("--questions", metavar="FILE", help="JSONL: question, patient or collection.")
    ] = None,
    by: Annotated[
        str, typer.Option("--by", metavar="WHO", help="Who is learnt from: rules, or model (writer_url).")
    ] = "rules",
    stages: Annotated[str, typer.Option("--stages", metavar="A,B", help="Of interpret, score, write, align.")] = "",
    real_text: Annotated[bool, typer.Option("--real-text", help="Do not de-identify.")] = False,
    dev_share: Annotated[
        float, typer.Option("--dev-share", min=0, max=1, help="Share of patients kept for dev.")
    ] = 0.2,
    examples: Annotated[int, typer.Option("--examples", min=0, max=3, help="Invented examples in each prompt.")] = 0,
    json: options.Json = False,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Write what each stage of verified answers was asked and said as chats, by stage, split by patient.

    The files hold patients' text, de-identified by rules unless --real-text is given: treat them as the records.
    """
    from chartcite.lab.training.export import STAGES, WARNING, How, export_training, totals  # noqa: PLC0415

    if by not in ("rules", "model"):
        raise UsageError("--by takes rules or model.", "--by rules")
    store, asked = _questions(source, questions)
    named = tuple(dict.fromkeys(part.strip() for part in stages.split(",") if part.strip())) or STAGES
    settings = options.configure(str(store), config, preset, assignments).settings
    how = How(named, by == "rules", real_text, dev_share, examples)
    manifest = export_training(store, asked, settings, out, how)
    if json:
        output.print_json(manifest)
    else:
        for stage, rows in totals(manifest).items():
            print(f"{stage:<10} {rows:>7,} chats")
        left = sum(manifest["left_out"].values())
        print(f"{len(asked):,} questions; left out: {left:,}. Written: {out}")
    output.warn(WARNING)
    return exits.DONE


def _questions(source: Path, questions: Path | None) -> tuple[Path, list[Asked]]:
    from chartcite.lab.training.questions import of_file, of_run  # noqa: PLC0415

    if (source / "manifest.json").is_file():
        store, asked = of_run(source)
        return store, of_file(questions) if questions else asked
    if questions is None:
        raise UsageError(f"{source} is no run folder, so the questions must be named.", "--questions FILE.jsonl")
    return source, of_file(questions)
