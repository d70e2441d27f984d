"""`chartcite config`: which settings are in force, and where each comes from."""

from __future__ import annotations

import typer

from chartcite.app.cli import exits, options, output

app = typer.Typer(help="Settings and where they come from.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Settings and where they come from."""


@app.command()
def show(
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Print every setting with its value and its origin."""
    from chartcite.app.config import user_config_file  # noqa: PLC0415
    from chartcite.app.render.tables import config_lines  # noqa: PLC0415

    configured = options.configure(store, config, preset, assignments)
    file = config or user_config_file()
    if json:
        output.print_json({**configured.to_dict(), "file": str(file), "file_exists": file.is_file()})
    else:
        output.print_lines(config_lines(configured, file, output.paper()))
    return exits.DONE
