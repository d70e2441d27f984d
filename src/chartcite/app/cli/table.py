"""`chartcite table`: many questions to all documents of a collection, as CSV, JSON or lines."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chartcite.app.cli import exits, options, output
from chartcite.app.cli.progress import counting
from chartcite.core.documents import text_sha256
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from chartcite.library.open_table import OpenTable


def table(
    questions: Annotated[Path, typer.Argument(help="Questions: text, CSV or JSON Lines.", metavar="QUESTIONS")],
    collection: options.Collection = None,
    patient: options.Patient = None,
    documents: Annotated[
        list[str] | None, typer.Option("--document", "-d", metavar="ID", help="Only these; may be repeated.")
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write CSV; - is stdout. A rerun resumes a file.")
    ] = None,
    wide: Annotated[bool, typer.Option("--wide", help="CSV with a row a document and a column a question.")] = False,
    as_of: options.AsOf = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """For each question and each document the best cited, verified sentence, or the reason why there is none."""
    from chartcite.app.questions import read_questions  # noqa: PLC0415
    from chartcite.core.table import table_dict  # noqa: PLC0415

    if csv == "-" and json:
        raise UsageError("--csv - and --json both want stdout.", "Name a file for one of them.")
    if wide and csv is None:
        raise UsageError("--wide is a form of --csv.", "Add --csv FILE.")
    asked = read_questions(questions)
    configured = options.configure(store, config, preset, assignments)
    part = Part(Path(f"{csv}.part")) if csv and csv != "-" and _is_a_file_to_be(Path(csv)) else None
    with (
        options.open_book(configured) as book,
        book.open_table(asked, patient=patient, collection=collection, documents=documents, as_of=as_of) as opened,
    ):
        found = table_dict(opened.table, list(_rows(opened, part)))
    if csv:
        _write(found, csv, wide=wide)
    if part:
        part.path.unlink(missing_ok=True)
    if json:
        output.print_json(found)
    elif not csv:
        _show(found)
    return exits.DONE


def _is_a_file_to_be(path: Path) -> bool:
    """Whether rows may be kept beside it; not beside a device or a pipe."""
    return path.is_file() or not path.exists()


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of a table that is not finished, a line each below the table's key; a torn last line is no row."""

    path: Path

    def rows(self, key: str) -> list[dict[str, Any]]:
        """The rows kept under this key."""
        try:
            first, *lines = self.path.read_text("utf-8").splitlines(keepends=True)
        except (OSError, ValueError):
            return []
        if first.strip() != key:
            return []
        found: list[dict[str, Any]] = []
        for line in lines:
            row = _kept(line)
            if row is None:
                break  # what comes after a broken line is made again
            found.append(row)
        return found

    def begin(self, key: str, rows: list[dict[str, Any]]) -> None:
        """Write the key and the rows that there are.

        Raises:
            UnreadableFile: the place cannot be written to.
        """
        from chartcite.app.cli.files import refused  # noqa: PLC0415

        try:
            self.path.write_text("\n".join([key, *map(_line, rows)]) + "\n", "utf-8")
        except OSError as error:
            raise refused(self.path, error) from error

    def add(self, row: dict[str, Any]) -> None:
        """One row more."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(row) + "\n")


def _line(row: dict[str, Any]) -> str:
    text = jsonlib.dumps(row)
    return f"{text_sha256(text)} {text}"


def _kept(line: str) -> dict[str, Any] | None:
    """The row of a line; None if the line is torn or was changed."""
    digest, _, text = line.removesuffix("\n").partition(" ")
    if not line.endswith("\n") or digest != text_sha256(text):
        return None
    row: dict[str, Any] = jsonlib.loads(text)
    return row


def _rows(opened: OpenTable, part: Part | None) -> Iterator[dict[str, Any]]:
    """All rows; those of an interrupted run are not made again."""
    done = part.rows(opened.key) if part else []
    if part:
        part.begin(opened.key, done)
    yield from done
    with counting("questions", len(opened.questions), len(done)) as advance:
        for row in opened.rows(len(done)):
            made = row.to_dict()
            if part:
                part.add(made)
            advance()
            yield made


def _write(found: dict[str, Any], csv: str, *, wide: bool) -> None:
    from chartcite.app.cli.files import refused  # noqa: PLC0415
    from chartcite.app.render.question_table import LONG, long_rows, wide_columns, wide_rows  # noqa: PLC0415
    from chartcite.lab.csv_safe import csv_text, replace_text  # noqa: PLC0415

    columns, rows = (wide_columns(found), wide_rows(found)) if wide else (LONG, long_rows(found))
    text, count = csv_text(columns, rows)
    if csv == "-":
        output.print_text(text)
        return
    try:
        replace_text(Path(csv), text)
    except OSError as error:
        raise refused(Path(csv), error) from error
    output.warn(f"{csv}: {len(found['questions']):,} questions, {len(found['documents']):,} documents, {count:,} rows")


def _show(found: dict[str, Any]) -> None:
    from chartcite.app.render.question_table import table_lines  # noqa: PLC0415

    output.print_lines(table_lines(found, output.paper()))
