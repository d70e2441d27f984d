"""`chartcite backup` and `chartcite restore`: a whole store in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chartcite.app.cli import exits, options, output


def backup(
    file: Annotated[Path, typer.Argument(help="The new file.", metavar="FILE")],
    json: options.Json = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Copy the whole store, users and audit trail included, into one file; others may go on using it meanwhile."""
    from chartcite.store.backup import write_backup  # noqa: PLC0415

    configured = options.configure(store, config)
    made = write_backup(configured.store, file)
    if json:
        output.print_json({"schema": "chartcite.backup/1", **made.to_dict()})
    else:
        words, count = output.spoken(), len(made.files)
        said = words("Backed up: {files} files, {bytes} bytes.", files=count, bytes=words.number(made.size))
        output.print_lines([*output.paper().hanging("", said), *output.paper().hanging(words("Seal: "), made.seal)])
    return exits.DONE


def restore(
    file: Annotated[Path, typer.Argument(help="What `chartcite backup` made.", metavar="FILE")],
    seal: Annotated[
        str, typer.Option("--seal", metavar="SHA256", help="Refuse the file unless it has this seal.")
    ] = "",
    json: options.Json = False,
    store: options.Store = None,
    config: options.ConfigFile = None,
) -> int:
    """Make a store from a backup in a new folder (--store); every file is checked, nothing is ever replaced."""
    from chartcite.store.backup import restore_backup  # noqa: PLC0415

    configured = options.configure(store, config)
    found = restore_backup(file, configured.store, seal=seal)
    if json:
        output.print_json({"schema": "chartcite.backup/1", **found.to_dict()})
    else:
        words, count = output.spoken(), len(found.files)
        said = words("Restored: {files} files, {bytes} bytes.", files=count, bytes=words.number(found.size))
        output.print_lines([*output.paper().hanging("", said), *output.paper().hanging(words("Seal: "), found.seal)])
    return exits.DONE
