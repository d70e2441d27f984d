"""Findings: what the timeline reads in each document, as bytes that only `records` understands.

Derived: a row hangs on its document and goes with it, and is of no use under other rules.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping


def read_findings(cursor: sqlite3.Cursor, partition: int, rules: str) -> dict[int, bytes]:
    """By document, what was found under these rules. A store that an earlier version wrote has no table for it."""
    if not cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'findings'").fetchone():
        return {}
    rows = cursor.execute(
        "SELECT f.document, f.data FROM documents d JOIN findings f ON f.document = d.id"
        " WHERE d.partition = ? AND f.rules = ?",
        (partition, rules),
    )
    return {int(key): bytes(data) for key, data in rows}


def write_findings(cursor: sqlite3.Cursor, rules: str, found: Mapping[int, bytes]) -> None:
    """Put findings in the place of those that there are."""
    cursor.executemany(
        "INSERT OR REPLACE INTO findings VALUES (?, ?, ?)", [(key, rules, data) for key, data in found.items()]
    )
