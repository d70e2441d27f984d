"""Findings: what the timeline reads in each document, as bytes that only `records` understands.

Derived: a row hangs on its document and goes with it, and is of no use under other rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from chartcite.store.engines.port import Connection, Cursor, has_table


def read_findings(cursor: Cursor, partition: int, rules: str) -> dict[int, bytes]:
    """By document, what was found under these rules. A store that an earlier version wrote has no table for it."""
    if not has_table(cursor, "findings"):
        return {}
    rows = cursor.execute(
        "SELECT f.document, f.data FROM documents d JOIN findings f ON f.document = d.id"
        " WHERE d.partition = ? AND f.rules = ?",
        (partition, rules),
    )
    return {int(key): bytes(data) for key, data in rows}


def write_findings(cursor: Cursor, rules: str, found: Mapping[int, bytes]) -> None:
    """Put findings in the place of those that there are."""
    cursor.executemany(
        "INSERT INTO findings VALUES (?, ?, ?)"
        " ON CONFLICT (document) DO UPDATE SET rules = excluded.rules, data = excluded.data",
        [(key, rules, data) for key, data in found.items()],
    )


def count_without(connection: Connection, rules: str, patient: str | None) -> int:
    """Documents of a patient, or of all patients, of which nothing is kept under these rules.

    What is no evidence is never read, so nothing of it is missing.
    """
    if not rules:
        return 0
    sql = (
        "SELECT COUNT(*) FROM documents d JOIN partitions p ON p.id = d.partition WHERE p.kind = 'patient'"
        " AND d.status <> 'entered-in-error' AND NOT EXISTS (SELECT 1 FROM replacements r JOIN documents n"
        " ON n.id = r.document WHERE r.doc_id = d.doc_id AND n.partition = d.partition AND n.id <> d.id)"
    )
    values = []
    if patient is not None:
        sql, values = f"{sql} AND p.name = ?", [patient]
    if has_table(connection, "findings"):
        sql += " AND NOT EXISTS (SELECT 1 FROM findings f WHERE f.document = d.id AND f.rules = ?)"
        values.append(rules)
    return int(connection.execute(sql, values).fetchone()[0])
