"""What people said of answers: kept with the partition that was asked, and gone with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chartcite.core.scope import Scope
from chartcite.store.database import transaction, translated

MOST_BYTES = 2_000_000
"""Of one piece of feedback with its answer, as JSON."""


def write_feedback(connection: sqlite3.Connection, folder: Path, scope: Scope, at: str, said: Mapping[str, Any]) -> int:
    """Keep one piece of feedback; when this returns it is on the disk (`synchronous=FULL`).

    Returns:
        Its number, never given twice; 0 when there is no such partition.
    """
    data = json.dumps(said, ensure_ascii=True, sort_keys=True, allow_nan=False)
    with transaction(connection, folder) as cursor:
        cursor.execute(
            "INSERT INTO feedback (partition, at, data) SELECT id, ?, ? FROM partitions WHERE kind = ? AND name = ?",
            (at, data, scope.kind, scope.name),
        )
        return int(cursor.lastrowid or 0) if cursor.rowcount == 1 else 0


def read_feedback(connection: sqlite3.Connection, folder: Path, scope: Scope) -> list[dict[str, Any]]:
    """All that was said of one partition's answers, oldest first, each with its `id` and `at`."""
    with translated(folder):
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'feedback'").fetchone():
            return []  # a store of an earlier version
        rows = connection.execute(
            "SELECT f.id, f.at, f.data FROM feedback f JOIN partitions p ON p.id = f.partition"
            " WHERE p.kind = ? AND p.name = ? ORDER BY f.id",
            (scope.kind, scope.name),
        ).fetchall()
    return [{"id": int(n), "at": str(at), **json.loads(data)} for n, at, data in rows]
