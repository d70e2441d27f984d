"""`chartcite ingest`: files and folders into the store."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError

if TYPE_CHECKING:
    from chartcite.core.reading import ReadOptions
    from chartcite.ingest.routing import Route


class PatientFrom(StrEnum):
    """Who says whose a file is, when the file does not."""

    FOLDER = "folder"


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", metavar="PATH")],
    patient: options.Patient = None,
    collection: options.Collection = None,
    patient_from: Annotated[
        PatientFrom | None, typer.Option("--patient-from", help="folder: a file's folder is named after its patient.")
    ] = None,
    columns: Annotated[
        Path | None,
        typer.Option("--map", metavar="FILE", help="TOML or JSON: our column names and those of the source."),
    ] = None,
    references: Annotated[
        Path | None,
        typer.Option(
            "--references",
            metavar="FILE",
            help="CSV: file, title, authors, year, doi, pmid, url.",
        ),
    ] = None,
    name_pattern: Annotated[
        str,
        typer.Option(
            "--name-pattern",
            metavar="PATTERN",
            help="What file names say: {patient}_{date}_{type}.txt, also {time} {encounter} {title} {author} {*}.",
        ),
    ] = "",
    files: Annotated[
        Path | None,
        typer.Option(
            "--files", metavar="FILE", help="CSV: file, patient_id, time, note_type, title, author, encounter_id."
        ),
    ] = None,
    encoding: options.Encoding = "",
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", help="Encoder threads; one a core.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and route; store nothing.")] = False,
    lang: options.Lang = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Read notes, reports and articles into the store. Running it again resumes; what is there is not touched."""
    from chartcite.app.cli.columns import read_columns  # noqa: PLC0415
    from chartcite.app.cli.progress import Gauge, showing  # noqa: PLC0415
    from chartcite.app.render.ledger import ledger_lines  # noqa: PLC0415
    from chartcite.ingest.walk import walk  # noqa: PLC0415
    from chartcite.library.reading import reading_options  # noqa: PLC0415

    configured = options.configure(store, config, preset, assignments, jobs=jobs, output_language=lang)
    route = _route(patient, collection, patient_from)
    _one_patient(route, name_pattern)
    sources = walk(paths)
    reading = _reading(encoding, read_columns(columns) if columns else {})
    reading = _naming(reading, name_pattern, files, [source.name for source in sources])
    reading = reading_options(configured.settings, reading)
    if references:
        _look_at(references, [source.name for source in sources])
    if dry_run:
        return _rehearse(paths, route, reading, as_json=json)
    start = time.perf_counter()
    with options.open_book(configured, create=True) as book, showing(Gauge(sources), "ingest") as progress:
        ledger = book.ingest(
            *paths,
            patient=patient,
            collection=collection,
            patient_from_folder=route.patient_from_folder,
            options=reading,
            progress=progress,
            references=references,
        )
    seconds = time.perf_counter() - start
    if json:
        output.print_json({**ledger.to_dict(), "seconds": round(seconds, 3)})
    else:
        output.print_lines(ledger_lines(ledger, seconds, output.paper()))
    return exits.SOME_FAILED if ledger.failed else exits.DONE


def _route(patient: str | None, collection: str | None, patient_from: PatientFrom | None) -> Route:
    from chartcite.core.scope import Scope  # noqa: PLC0415
    from chartcite.ingest.routing import Route  # noqa: PLC0415

    if sum(option is not None for option in (patient, collection, patient_from)) > 1:
        raise UsageError(
            "--patient, --collection and --patient-from exclude one another.", "Name the one that fits these files."
        )
    scope = Scope.patient(patient) if patient is not None else None
    scope = Scope.collection(collection) if collection is not None else scope
    return Route(scope, patient_from is PatientFrom.FOLDER)


def _one_patient(route: Route, name_pattern: str) -> None:
    if "{patient}" in name_pattern and (route.scope or route.patient_from_folder):
        raise UsageError(
            "A name pattern with {patient} excludes --patient, --collection and --patient-from.",
            "Name the one that fits these files.",
        )


def _naming(reading: ReadOptions, name_pattern: str, table: Path | None, names: list[str]) -> ReadOptions:
    """What names and the table of files say; which rows are of no file is said."""
    from chartcite.app.cli.files import UnreadableFile  # noqa: PLC0415
    from chartcite.core.errors import ReadError  # noqa: PLC0415
    from chartcite.readers.stated_names import naming, read_file_table  # noqa: PLC0415

    try:
        reading = naming(reading, name_pattern, table, names)
        rows = len(read_file_table(table)) if table else 0
    except ReadError as error:
        raise UnreadableFile(f"{table}: {error}.", error.advice or "Check the table.") from error
    if unused := rows - len(reading.files):
        output.warn(f"warning: {table}: {unused:,} of {rows:,} rows name no file of this ingest")
    return reading


def _reading(encoding: str, columns: dict[str, str]) -> ReadOptions:
    from chartcite.core.reading import ReadOptions  # noqa: PLC0415
    from chartcite.readers.decoding import named_charset  # noqa: PLC0415

    if encoding and named_charset(encoding) is None:
        raise UsageError("There is no character set of that name (--encoding).", "For example: utf-8, windows-1252.")
    return ReadOptions(columns=columns, encoding=encoding)


def _look_at(path: Path, names: list[str]) -> None:
    """Refuse a table of references that cannot be used, before anything is read; say which rows are of no file."""
    from chartcite.app.cli.files import UnreadableFile  # noqa: PLC0415
    from chartcite.core.errors import ReadError  # noqa: PLC0415
    from chartcite.readers.references import matched, read_references  # noqa: PLC0415

    try:
        stated = read_references(path)
    except ReadError as error:
        raise UnreadableFile(f"{path}: {error}.", error.advice or "Check the table.") from error
    used = matched(stated, names)
    if unused := len(stated) - len({id(reference) for reference in used.values()}):
        output.warn(f"warning: {path}: {unused:,} of {len(stated):,} rows name no file of this ingest")


def _rehearse(paths: list[Path], route: Route, reading: ReadOptions, *, as_json: bool) -> int:
    from chartcite.app.cli.progress import Gauge, showing  # noqa: PLC0415
    from chartcite.app.render.ledger import rehearsal_lines  # noqa: PLC0415
    from chartcite.ingest.walk import walk  # noqa: PLC0415
    from chartcite.library.rehearsal import rehearse  # noqa: PLC0415

    sources = walk(paths)
    with showing(Gauge(sources), "dry run") as progress:
        found = rehearse(sources, route, reading, progress)
    if as_json:
        partitions = [{**scope.to_dict(), "documents": n} for scope, n in sorted(found.partitions.items())]
        output.print_json({**found.ledger.to_dict(), "dry_run": True, "partitions": partitions})
    else:
        output.print_lines(rehearsal_lines(found.ledger, found.partitions, output.paper()))
    return exits.SOME_FAILED if found.ledger.failed else exits.DONE
