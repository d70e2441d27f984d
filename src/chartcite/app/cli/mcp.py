"""`chartcite mcp`: the tools for an assistant, over stdin and stdout."""

from __future__ import annotations

from chartcite.app.cli import exits, options
from chartcite.core.errors import MissingExtra, UnknownPartition, UsageError


def mcp(
    patient: options.Patient = None,
    collection: options.Collection = None,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
    assignments: options.Assignments = None,
) -> int:
    """Serve ask, search, timeline and verify to one assistant (Model Context Protocol on stdin and stdout)."""
    from chartcite.core.scope import Scope  # noqa: PLC0415

    if patient is not None and collection is not None:
        raise UsageError("A patient and a collection were both named.", "Name one of them.")
    try:
        from chartcite.app.mcp.server import serve  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("The tools need the library mcp.", "pip install 'chartcite[serve]'") from error

    fixed = Scope.patient(patient) if patient is not None else None
    fixed = Scope.collection(collection) if collection is not None else fixed
    configured = options.configure(store, config, preset, assignments)
    with options.open_book(configured) as book:
        if fixed is not None and fixed not in [p.scope for p in (*book.patients(), *book.collections())]:
            raise UnknownPartition(
                f"The store has no such {fixed.kind}.", "`chartcite patients list` shows what it holds."
            )
        serve(book, fixed)
    return exits.DONE
