"""`chartcite timeline`: what was measured and taken on which day, as a table, as JSON or as a plot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError


def timeline(
    topic: Annotated[
        str, typer.Argument(help="A measured thing or drug, by any of its names; all if not given.", metavar="[TOPIC]")
    ] = "",
    patient: options.Patient = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it as well: FILE.png or FILE.svg.")
    ] = None,
    as_of: options.AsOf = None,
    lang: options.Lang = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
) -> int:
    """Show a patient's values, courses of drugs and encounters by day, each with the sentence that states it."""
    from chartcite.app.cli.unkept import hint  # noqa: PLC0415
    from chartcite.app.render.timeline import timeline_lines  # noqa: PLC0415

    if not patient:
        raise UsageError("A timeline is one patient's.", "Name the patient: -p ID.")
    if plot is not None:
        from chartcite.app.render.plot import check_plot  # noqa: PLC0415

        check_plot(plot)
    with options.open_book(options.configure(store, config, preset, output_language=lang)) as book:
        hint(book, patient)
        found = book.timeline(topic, patient=patient, as_of=as_of)
    if plot is not None:
        from chartcite.app.render.plot import draw  # noqa: PLC0415

        draw(found, plot)
    if json:
        output.print_json(found.to_dict())
    else:
        output.print_lines(timeline_lines(found, output.paper()))
        if plot is not None:
            output.print_lines(output.paper().hanging(output.spoken()("Plot: "), str(plot)))
    return exits.DONE
