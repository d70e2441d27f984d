"""A column map: a file that says what the source calls our fields."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from chartcite.app.cli.files import UnreadableFile, read_bytes


def read_columns(path: Path) -> dict[str, str]:
    """Our field names to the source's, from TOML or JSON, flat or below `columns`.

    Raises:
        UnreadableFile: not such a file, or a field that does not exist.
    """
    from chartcite.readers.records import FIELDS  # noqa: PLC0415

    try:
        text = read_bytes(path).decode("utf-8-sig")
        table = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path} is neither TOML nor JSON.", 'For example: text = "note_text".') from error
    columns = table.get("columns", table) if isinstance(table, dict) else None
    if not isinstance(columns, dict) or not all(isinstance(value, str) for value in columns.values()):
        raise UnreadableFile(f"{path} does not map names to names.", 'For example: text = "note_text".')
    unknown = [name for name in columns if name not in FIELDS]
    if unknown:
        raise UnreadableFile(f"{path}: there is no field called {unknown[0]!r}.", f"Fields: {', '.join(FIELDS)}.")
    return columns
