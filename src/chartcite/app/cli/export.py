"""`chartcite export`: a stored answer to a document, checked again against the documents of today."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chartcite.app.cli import exits, options, output


def export(
    answer: Annotated[Path, typer.Argument(help="An answer saved from ask --json; - is stdin.", metavar="ANSWER")],
    file: Annotated[Path, typer.Argument(help="What to write: FILE.docx, .md, .csv or .json.", metavar="FILE")],
    lang: options.Lang = None,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
) -> int:
    """Write a stored answer as Word, Markdown, CSV or JSON; its sentences are checked again first (exit 7)."""
    from chartcite.app.cli.files import json_object  # noqa: PLC0415
    from chartcite.app.export.files import check_target, write_export  # noqa: PLC0415
    from chartcite.app.export.stored import answer_from, checked_again  # noqa: PLC0415

    check_target(file)
    configured = options.configure(store, config, preset, output_language=lang)
    stored = json_object(answer)
    found = answer_from(stored)
    with options.open_book(configured) as book:
        checks = book.verify_answer(stored)
    write_export(checked_again(found, checks), file, output.spoken(found.lang))
    return exits.DONE if all(check.holds for check in checks) else exits.NOT_HELD
