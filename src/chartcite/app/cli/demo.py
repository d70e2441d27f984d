"""`chartcite demo`: the bundled fictional records, ingested into a temporary store, and five questions about them."""

from __future__ import annotations

import json as jsonlib
import time
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from chartcite.app.cli import exits, options, output

if TYPE_CHECKING:
    from chartcite.core.answer import Answer
    from chartcite.library.book import Book

_INTRODUCTION = (
    "Fictional patients and articles go into a temporary store; then five questions: a fact, the latest of several"
    " values, something the record does not mention, one over the articles, and one in Portuguese. Nothing leaves this"
    " machine. Everything in these records is invented."
)


def demo(json: options.Json = False) -> int:
    """Ingest the bundled fictional records into a temporary store and answer five questions."""
    start = time.perf_counter()
    with TemporaryDirectory(prefix="chartcite-demo-") as folder, as_file(files("chartcite.demo")) as data:
        answers = _asked(data, Path(folder), quiet=json)
    if json:
        output.print_json({"schema": "chartcite.demo/1", "answers": [answer.to_dict() for answer in answers]})
    else:
        _say("", f"Done in {time.perf_counter() - start:.1f} s; the temporary store is removed. Your own records next:")
        _say("", "  chartcite ingest notes/ --patient-from folder", '  chartcite ask "..." --patient ID')
    return exits.DONE


def _asked(data: Path, folder: Path, *, quiet: bool) -> list[Answer]:
    from chartcite.library.book import Book  # noqa: PLC0415

    if not quiet:
        _say(_INTRODUCTION)
    start = time.perf_counter()
    with Book(folder / "store") as book:
        documents = _ingested(book, data)
        if not quiet:
            seconds = time.perf_counter() - start
            _say(
                "",
                f"Read {documents} documents of {len(book.patients())} patients and a collection in {seconds:.1f} s.",
            )
        return [
            _answered(book, question, quiet=quiet)
            for question in jsonlib.loads((data / "questions.json").read_text("utf-8"))
        ]


def _ingested(book: Book, data: Path) -> int:
    from chartcite.app.cli.progress import Gauge, showing  # noqa: PLC0415
    from chartcite.ingest.walk import walk  # noqa: PLC0415

    with showing(Gauge(walk([data / "records"])), "records ") as progress:
        records = book.ingest(data / "records", patient_from_folder=True, progress=progress)
    with showing(Gauge(walk([data / "articles"])), "articles") as progress:
        articles = book.ingest(data / "articles", collection="demo-articles", progress=progress)
    return records.total("added") + articles.total("added")


def _answered(book: Book, question: dict[str, str], *, quiet: bool) -> Answer:
    from chartcite.app.render.answer import answer_lines  # noqa: PLC0415

    answer = book.ask(question["question"], patient=question.get("patient"), collection=question.get("collection"))
    if not quiet:
        paper = output.paper(output.spoken(answer.lang))
        _say("", paper.glyphs.rule * paper.width, "")
        output.print_lines(answer_lines(answer, paper))
    return answer


def _say(*paragraphs: str) -> None:
    from rich.text import Text  # noqa: PLC0415

    paper = output.paper()
    for paragraph in paragraphs:
        indent = len(paragraph) - len(paragraph.lstrip())
        output.print_lines(paper.hanging("", Text(paragraph.lstrip()), indent))
