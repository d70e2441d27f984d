"""`chartcite patients`: whose records the store holds, and removing one of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from chartcite.app.cli import exits, options, output
from chartcite.core.errors import UnknownPartition, UsageError

if TYPE_CHECKING:
    from chartcite.core.stored import PartitionSummary

app = typer.Typer(help="Whose records the store holds.", no_args_is_help=True)


class NotConfirmed(UsageError):
    """A deletion was asked for and not confirmed."""


@app.callback()
def _group() -> None:
    """Whose records the store holds."""


@app.command("list")
def list_(
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
) -> int:
    """List patients and collections with their documents and dates."""
    from chartcite.app.render.tables import partition_lines  # noqa: PLC0415

    with options.open_book(options.configure(store, config, preset)) as book:
        patients, collections = book.patients(), book.collections()
    if json:
        rows = {"patients": [_row(p) for p in patients], "collections": [_row(c) for c in collections]}
        output.print_json({"schema": "chartcite.partitions/1", **rows})
    else:
        output.print_lines(partition_lines([*patients, *collections], output.paper()))
    return exits.DONE


@app.command()
def delete(
    patient: Annotated[str | None, typer.Argument(help="The patient.", metavar="ID")] = None,
    collection: options.Collection = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
) -> int:
    """Remove a patient (or a collection) with everything derived from the documents; it cannot be undone."""
    if (patient is None) == (collection is None):
        raise UsageError("Name one patient, or one --collection.", "chartcite patients list shows them.")
    kind, name = ("patient", patient) if patient is not None else ("collection", collection)
    with options.open_book(options.configure(store, config, preset)) as book:
        found = [p for p in (*book.patients(), *book.collections()) if (p.scope.kind, p.scope.name) == (kind, name)]
        if not found:
            raise UnknownPartition(f"The store has no such {kind}.", "`chartcite patients list` shows what it holds.")
        if not yes:
            _confirm(found[0])
        documents = book.delete(patient=patient, collection=collection)
    if json:
        output.print_json({"deleted": found[0].scope.to_dict(), "documents": documents})
    else:
        print(f"Deleted: {documents:,} {'document' if documents == 1 else 'documents'}.")
    return exits.DONE


def _confirm(summary: PartitionSummary) -> None:
    from chartcite.app.render.safe import one_line  # noqa: PLC0415

    kind, name = summary.scope.kind, summary.scope.name
    documents = "1 document" if summary.documents == 1 else f"{summary.documents:,} documents"
    print(f"{documents} of the {kind} {one_line(name)} will be deleted for good.", file=sys.stderr)
    print(f"Type the {kind}'s name again to confirm: ", end="", file=sys.stderr, flush=True)
    typed = sys.stdin.readline()
    if not typed.endswith("\n"):
        print(file=sys.stderr)
    if not typed:
        raise NotConfirmed(
            "Nothing was deleted: there was nobody to confirm it.", "Use --yes to delete without asking."
        )
    if typed.rstrip("\r\n") != name:
        raise NotConfirmed("Nothing was deleted: what was typed is not that name.", "Run it again, or use --yes.")


def _row(summary: PartitionSummary) -> dict[str, object]:
    return {
        "id": summary.scope.name, "documents": summary.documents,
        "first": summary.first or None, "last": summary.last or None, "partition_seq": summary.seq,
    }  # fmt: skip
