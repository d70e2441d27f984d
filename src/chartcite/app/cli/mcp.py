"""`chartcite mcp`: the tools for an assistant, over stdin and stdout."""

from __future__ import annotations

from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options
from chartcite.core.errors import MissingExtra, UnknownPartition, UsageError

if TYPE_CHECKING:
    from chartcite.core.scope import Scope
    from chartcite.library.book import Book
    from chartcite.library.granted import GrantedBook


def mcp(
    patient: options.Patient = None,
    collection: options.Collection = None,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", metavar="FILE", help="A token: only what it opens is there.")
    ] = None,
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
        serve(granted_to(token_file, book, configured.store, fixed), fixed)
    return exits.DONE


def granted_to(token_file: Path | None, book: Book, store: Path, fixed: Scope | None) -> GrantedBook:
    """The book as the token's user may see it; without a token, and before any user was made, all of it.

    Raises:
        AccessDenied: the token is not valid, or there is none and the store has users.
        UnknownPartition: not there, or not granted.
    """
    from chartcite.app.cli.files import read_text_file  # noqa: PLC0415
    from chartcite.core.access import Visitor  # noqa: PLC0415
    from chartcite.library.granted import GrantedBook  # noqa: PLC0415
    from chartcite.store.access import AccessStore  # noqa: PLC0415

    access = AccessStore(store)
    visitor = access.visitor(read_text_file(token_file).strip()) if token_file else Visitor(getuser(), is_local=True)
    granted = GrantedBook(book, access, visitor)
    seen = [p.scope for p in (*granted.patients(), *granted.collections())]
    if fixed is not None and fixed not in seen:
        raise UnknownPartition(
            f"There is no such {fixed.kind} here.", "`chartcite patients list` shows what the store holds."
        )
    return granted
