"""`chartcite sentences` and `chartcite facts`: what the text rooms see in a file, without a store or a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chartcite.app.cli import exits, options, output

if TYPE_CHECKING:
    from rich.text import Text

    from chartcite.app.render.layout import Paper
    from chartcite.core.documents import Document

File = Annotated[
    Path, typer.Argument(help="A note, or a file of notes in any format that ingest reads.", metavar="FILE")
]
See = Callable[["Document"], dict[str, Any]]
Lines = Callable[["Document", "Paper"], "Iterator[Text]"]


def sentences(file: File, json: options.Json = False, encoding: options.Encoding = "") -> int:
    """Show the sentences of a file with their spans and sections; as JSON, one object a document."""
    from chartcite.app.render.look import sentence_lines, sentences_of  # noqa: PLC0415

    return _look(file, encoding, sentences_of, sentence_lines, as_json=json)


def facts(file: File, json: options.Json = False, encoding: options.Encoding = "") -> int:
    """Show what each sentence says: doses, values, assertions, sites, order; as JSON, one object a document."""
    from chartcite.app.render.facts import fact_lines, facts_of  # noqa: PLC0415

    return _look(file, encoding, facts_of, fact_lines, as_json=json)


def _look(file: Path, encoding: str, see: See, lines: Lines, *, as_json: bool) -> int:
    from chartcite.app.cli.files import UnreadableFile  # noqa: PLC0415
    from chartcite.core.reading import Problem, ReadOptions  # noqa: PLC0415
    from chartcite.readers.detect import read_source  # noqa: PLC0415

    if not file.exists():
        raise UnreadableFile(f"There is nothing at {file}.", "Check the path.")
    if file.is_dir():
        raise UnreadableFile(f"{file} is a folder.", "Name one file.")
    failed = 0
    paper = output.paper()
    for found in read_source(file, file.name, ReadOptions(encoding=encoding)):
        if isinstance(found, Problem):
            failed += not found.skipped
            output.warn(f"{'skipped' if found.skipped else 'failed'}: {found.where}: {found.error}")
        elif as_json:
            output.print_json(see(found.document), indent=None)
        else:
            output.print_lines(lines(found.document, paper))
    return exits.SOME_FAILED if failed else exits.DONE
