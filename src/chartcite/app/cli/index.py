"""`chartcite index`: build what the present settings need and the store lacks."""

from __future__ import annotations

import time

from chartcite.app.cli import exits, options, output


def index(
    patient: options.Patient = None,
    collection: options.Collection = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Build passages and vectors for the present settings, everywhere or for one patient or collection."""
    from chartcite.app.cli.progress import Gauge, showing  # noqa: PLC0415
    from chartcite.app.render.ledger import ledger_lines  # noqa: PLC0415

    start = time.perf_counter()
    with options.open_book(options.configure(store, config, preset, assignments)) as book:
        wanted = [
            p.documents
            for p in (*book.patients(), *book.collections())
            if (patient is None and collection is None) or p.scope.name == (patient or collection)
        ]
        with showing(Gauge(documents=sum(wanted)), "index") as progress:
            ledger = book.index(patient=patient, collection=collection, progress=progress)
    seconds = time.perf_counter() - start
    if json:
        output.print_json({**ledger.to_dict(), "seconds": round(seconds, 3)})
    else:
        output.print_lines(ledger_lines(ledger, seconds, output.paper(), "partition"))
    return exits.SOME_FAILED if ledger.failed else exits.DONE
