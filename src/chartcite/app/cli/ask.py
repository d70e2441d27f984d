"""`chartcite ask`: a question to an answer."""

from __future__ import annotations

from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from chartcite.core.answer import Answer


class Shape(StrEnum):
    """What an answer is made of."""

    SENTENCES = "sentences"
    SPAN = "span"


class Audience(StrEnum):
    """Whom an answer is for."""

    CLINICIAN = "clinician"
    PATIENT = "patient"


class Form(StrEnum):
    """How an answer is printed for people."""

    TEXT = "text"
    MARKDOWN = "markdown"


_MAX_STDIN_CHARS = 1_000_000


def ask(
    question: Annotated[str, typer.Argument(help="The question; - reads it from stdin.", metavar="QUESTION")],
    patient: options.Patient = None,
    collection: options.Collection = None,
    narrative: Annotated[
        Path | None, typer.Option("--narrative", metavar="FILE", help="The longer story around the question.")
    ] = None,
    as_of: options.AsOf = None,
    fail_on_abstain: Annotated[bool, typer.Option("--fail-on-abstain", help="Exit 6 when there is no answer.")] = False,
    timings: Annotated[bool, typer.Option("--timings", help="Show how long each stage took.")] = False,
    stream: Annotated[
        bool, typer.Option("--stream", help="Show sentences on stderr once verified (text of the record).")
    ] = False,
    given: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="LETTER=TEXT", help="An option to choose from; repeat it for each."),
    ] = None,
    shape: Annotated[
        Shape, typer.Option("--form", help="sentences, or span: the shortest part that answers.", show_default=False)
    ] = Shape.SENTENCES,
    audience: Annotated[
        Audience, typer.Option("--audience", help="clinician, or patient: plain words as well.", show_default=False)
    ] = Audience.CLINICIAN,
    form: Annotated[
        Form, typer.Option("--format", help="text, or markdown with a numbered list of sources.", show_default=False)
    ] = Form.TEXT,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="FILE", help="Write the answer as well: FILE.docx, .md, .csv or .json."),
    ] = None,
    lang: options.Lang = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Answer a question from one patient's record or one collection, with citations."""
    from chartcite.app.cli.files import read_stdin, read_text_file  # noqa: PLC0415
    from chartcite.app.cli.streaming import on_stderr  # noqa: PLC0415
    from chartcite.app.cli.unkept import hint  # noqa: PLC0415

    if json and form is Form.MARKDOWN:
        raise UsageError("--json and --format markdown both want stdout.", "Choose one of them.")
    if timings and form is Form.MARKDOWN:
        raise UsageError("--timings does not go with --format markdown.", "Use --json, or the default form.")
    is_short = bool(given) or shape is Shape.SPAN
    if is_short and (narrative or stream or timings or form is Form.MARKDOWN or audience is Audience.PATIENT):
        raise UsageError(
            "--option and --form span do not go with --narrative, --stream, --timings, --format or --audience patient.",
            "Leave those out.",
        )
    if export is not None:
        from chartcite.app.export.files import check_target  # noqa: PLC0415

        if is_short:
            raise UsageError("--option and --form span are not exported.", "Use --json for them.")
        check_target(export)
    configured = options.configure(store, config, preset, assignments, output_language=lang)
    story = read_text_file(narrative) if narrative else ""
    asked = read_stdin(_MAX_STDIN_CHARS) if question == "-" else question
    output.listen(f"{asked} {story}")
    if is_short:
        from chartcite.app.cli.ask_forms import ask_in_form  # noqa: PLC0415

        abstained = ask_in_form(
            configured, asked, given, patient, collection, as_of, is_span=shape is Shape.SPAN, json=json
        )
        return exits.ABSTAINED if abstained and fail_on_abstain else exits.DONE
    with options.open_book(configured) as book, on_stderr() if stream else nullcontext() as listener:
        hint(book, patient)
        answer = book.ask(
            asked, patient=patient, collection=collection, narrative=story, as_of=as_of, listener=listener,
            audience=audience.value,
        )  # fmt: skip
    if export is not None:
        from chartcite.app.export.files import write_export  # noqa: PLC0415

        write_export(answer, export, output.spoken(answer.lang))
    if form is Form.MARKDOWN:
        from chartcite.app.render.markdown import markdown  # noqa: PLC0415

        output.print_text(markdown(answer, output.spoken(answer.lang)))
    else:
        show(answer, as_json=json, timings=timings)
    return exits.ABSTAINED if answer.abstained and fail_on_abstain else exits.DONE


def show(answer: Answer, *, as_json: bool, timings: bool) -> None:
    """Print an answer."""
    from chartcite.app.render.answer import answer_lines, timing_line  # noqa: PLC0415

    if as_json:
        output.print_json(answer.to_dict(timings=timings))
        return
    paper = output.paper(output.spoken(answer.lang))
    output.print_lines(answer_lines(answer, paper))
    if timings:
        output.print_lines(timing_line(answer.timings_ms, paper))
