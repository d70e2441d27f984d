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


def count_without(connection: sqlite3.Connection, rules: str, patient: str | None) -> int:
    """Documents of a patient, or of all patients, of which nothing is kept under these rules."""
    kept = ""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'findings'").fetchone():
        kept = " AND NOT EXISTS (SELECT 1 FROM findings f WHERE f.document = d.id AND f.rules = ?2)"
    row = connection.execute(
        "SELECT COUNT(*) FROM documents d JOIN partitions p ON p.id = d.partition"
        f" WHERE p.kind = 'patient' AND (?1 IS NULL OR p.name = ?1) AND ?2 <> ''{kept}",
        (patient, rules),
    ).fetchone()
    return int(row[0])
