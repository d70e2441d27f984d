"""`chartcite lab export-feedback`: what people said of answers, as questions that an experiment can be run on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chartcite.app.cli import exits, options, output


def export_feedback(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the files go; empty or not there.")],
    patient: options.Patient = None,
    collection: options.Collection = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
) -> int:
    """Write feedback as questions.csv (data set plain_csv) and feedback.jsonl; by default of the whole store.

    The files hold patients' text: treat them as the records.
    """
    from chartcite.lab.feedback import export_feedback  # noqa: PLC0415

    with options.open_book(options.configure(store, config, preset)) as book:
        if patient is None and collection is None:
            scopes = [p.scope.to_dict() for p in (*book.patients(), *book.collections())]
        else:
            named = (("patient", patient), ("collection", collection))
            scopes = [{kind: name for kind, name in named if name is not None}]
        rows = [r for s in scopes for r in book.feedback(patient=s.get("patient"), collection=s.get("collection"))]
    counts = export_feedback(rows, out)
    if json:
        output.print_json({"schema": "chartcite.feedback_exported/1", "rows": len(rows), "verdicts": counts})
    else:
        print(f"{len(rows):,} written to {out}")
    return exits.DONE
