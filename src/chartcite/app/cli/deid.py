"""`chartcite deid`: texts with surrogates for what identifies, and a count of what was hidden."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UsageError

_WARNING = "No rules find everything that identifies somebody: have somebody read the text before it goes anywhere."


def deid(
    file: Annotated[Path | None, typer.Argument(help="A note or a file of notes.", metavar="FILE")] = None,
    patient: options.Patient = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write there; by default stdout.")
    ] = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    encoding: options.Encoding = "",
) -> int:
    """Replace names, dates, numbers, addresses and places by surrogates, of a file or of a patient's whole record.

    A record comes as JSONL that ingest reads, a file as text (as JSONL with --json). The same patient gets the same
    surrogates every time, a file alone gets others at every run. What was hidden is counted on stderr.
    """
    if (file is None) == (patient is None):
        raise UsageError("Name a FILE, or a --patient of the store.", "chartcite deid note.txt")
    if file is not None and (store or preset or config):
        raise UsageError(
            "--store, --preset and --config are of a store's patients, and a FILE is of none.", "Leave them away."
        )
    if patient is not None and encoding:
        raise UsageError("--encoding is of a FILE; a record was read when it was ingested.", "Leave it away.")
    if patient is not None:
        configured = options.configure(store, config, preset)
        with options.open_book(configured) as book:
            return _write(((row.to_dict(), row.counts) for row in book.deidentified(patient)), out, as_json=True)
    assert file is not None  # noqa: S101  (one of the two is given)
    return _write(_of_file(file, encoding), out, as_json=json)


def _of_file(file: Path, encoding: str) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    from chartcite.app.cli.files import UnreadableFile  # noqa: PLC0415
    from chartcite.core.reading import Found, Problem, ReadOptions  # noqa: PLC0415
    from chartcite.deid.deidentifier import Deidentifier  # noqa: PLC0415
    from chartcite.deid.known import read_record  # noqa: PLC0415
    from chartcite.readers.detect import read_source  # noqa: PLC0415

    if not file.is_file():
        raise UnreadableFile(f"There is no file {file}.", "Check the path, or name a --patient of the store.")
    found: list[Found | Problem] = list(read_source(file, file.name, ReadOptions(encoding=encoding)))
    for problem in found:
        if isinstance(problem, Problem) and not problem.skipped:
            raise UnreadableFile(f"{problem.where}: {problem.error}.", "Nothing was written.")
    read = [one for one in found if isinstance(one, Found)]
    labels = sorted({one.patient_id for one in read if one.patient_id})
    authors = [one.document.author for one in read]
    hider = Deidentifier(os.urandom(32), read_record((one.document.text for one in read), labels, authors))
    for n, one in enumerate(read, start=1):
        hidden = hider.hide(one.document.text)
        spans = [{"start": s.new_start, "end": s.new_end, "kind": s.kind} for s in hidden.spans]
        yield {"doc_id": f"note-{n:04}", "text": hidden.text, "hidden": spans}, hidden.counts


def _write(rows: Iterator[tuple[dict[str, Any], dict[str, int]]], out: Path | None, *, as_json: bool) -> int:
    import json as js  # noqa: PLC0415

    from chartcite.app.cli.files import refused  # noqa: PLC0415

    counted: Counter[str] = Counter()
    lines: list[str] = []
    for row, counts in rows:
        counted.update(counts)
        lines.append(js.dumps(row, ensure_ascii=False) + "\n" if as_json else row["text"])
    text = "".join(lines) if as_json else "\n".join(lines)
    if out is None:
        output.print_text(text)
    else:
        try:
            out.write_bytes(text.encode())
        except OSError as error:
            raise refused(out, error) from error
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counted.items())) or "nothing"
    output.warn(f"Hidden in {len(lines)} {'document' if len(lines) == 1 else 'documents'}: {kinds}.")
    output.warn(_WARNING)
    return exits.DONE
