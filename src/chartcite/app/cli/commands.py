"""All commands, put together. Imports none of the rooms below; each command does when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from chartcite import __version__
from chartcite.app.cli import (
    access,
    ask,
    audit,
    backup,
    config_show,
    deid,
    demo,
    doctor,
    export,
    index,
    ingest,
    lab,
    look,
    mcp,
    patients,
    search,
    serve,
    table,
    timeline,
    verify,
)

app = typer.Typer(
    name="chartcite",
    help="Cited, checked answers from medical records and documents. Research use; not a medical device.",
    epilog="Every command takes --help and --debug (shows tracebacks). Exit codes: 0 done, 1 error, 2 usage, "
    "3 not configured, 4 some files failed, 5 endpoint, 6 abstained (--fail-on-abstain), 7 verification failed.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo.demo)
app.command()(ingest.ingest)
app.command()(index.index)
app.command()(ask.ask)
app.command()(search.search)
app.command()(table.table)
app.command()(timeline.timeline)
app.command()(verify.verify)
app.command()(export.export)
app.command()(look.sentences)
app.command()(look.facts)
app.command()(deid.deid)
app.add_typer(patients.app, name="patients")
app.add_typer(access.app, name="access")
app.add_typer(audit.app, name="audit")
app.add_typer(config_show.app, name="config")
app.add_typer(lab.app, name="lab")
app.command()(mcp.mcp)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(serve.serve)
app.command()(doctor.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"chartcite {__version__}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool, typer.Option("--version", "-v", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Nothing of its own: the commands do the work."""
