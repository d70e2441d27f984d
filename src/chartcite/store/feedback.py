"""What people said of answers: kept with the partition that was asked, and gone with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from chartcite.core.scope import Scope
from chartcite.store.engines.port import Database, has_table, inserted

MOST_BYTES = 2_000_000
"""Of one piece of feedback with its answer, as JSON."""


def write_feedback(database: Database, scope: Scope, at: str, said: Mapping[str, Any]) -> int:
    """Keep one piece of feedback; when this returns it is on the disk (`synchronous=FULL`).

    Returns:
        Its number, never given twice; 0 when there is no such partition.
    """
    data = json.dumps(said, ensure_ascii=True, sort_keys=True, allow_nan=False)
    with database.transaction(alone_on=scope) as cursor:
        return inserted(
            cursor,
            "INSERT INTO feedback (partition, at, data) SELECT id, ?, ? FROM partitions WHERE kind = ? AND name = ?",
            (at, data, scope.kind, scope.name),
        )


def read_feedback(database: Database, scope: Scope) -> list[dict[str, Any]]:
    """All that was said of one partition's answers, oldest first, each with its `id` and `at`."""
    with database.translated():
        if not has_table(database.connection, "feedback"):
            return []  # a store of an earlier version
        rows = database.connection.execute(
            "SELECT f.id, f.at, f.data FROM feedback f JOIN partitions p ON p.id = f.partition"
            " WHERE p.kind = ? AND p.name = ? ORDER BY f.id",
            (scope.kind, scope.name),
        ).fetchall()
    return [{"id": int(n), "at": str(at), **json.loads(data)} for n, at, data in rows]
