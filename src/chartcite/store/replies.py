"""Replies of language models, kept inside the partition whose text they were given, and gone with it.

A reply may repeat what a document says, so it goes as soon as a document of the partition is deleted or replaced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from chartcite.store.engines.port import Cursor, has_table

MOST_REPLIES = 10_000
"""Of one partition; the oldest go first."""


def read_reply(cursor: Cursor, partition: int, key: bytes) -> bytes | None:
    """What is kept under a key; None where nothing is, or not what was written.

    A store that an earlier version wrote has no table for it.
    """
    if not has_table(cursor, "replies"):
        return None
    row = cursor.execute(
        "SELECT data, digest FROM replies WHERE partition = ? AND key = ?", (partition, key)
    ).fetchone()
    if row is None or not isinstance(row[0], bytes) or _digest(key, row[0]) != row[1]:
        return None
    return row[0]


def write_replies(cursor: Cursor, partition: int, replies: Mapping[bytes, bytes]) -> None:
    """Keep replies, each in place of an older one under its key."""
    # Not an update: what is asked again is young again.
    cursor.executemany("DELETE FROM replies WHERE partition = ? AND key = ?", [(partition, key) for key in replies])
    cursor.executemany(
        "INSERT INTO replies (partition, key, data, digest) VALUES (?, ?, ?, ?)",
        [(partition, key, data, _digest(key, data)) for key, data in replies.items()],
    )
    cursor.execute(
        "DELETE FROM replies WHERE partition = ? AND id <= (SELECT id FROM replies WHERE partition = ?"
        " ORDER BY id DESC LIMIT 1 OFFSET ?)",
        (partition, partition, MOST_REPLIES),
    )


def drop_replies(cursor: Cursor, partition: int) -> None:
    """What a model said of a document must not outlive it."""
    cursor.execute("DELETE FROM replies WHERE partition = ?", (partition,))


def _digest(key: bytes, data: bytes) -> bytes:
    return hashlib.sha256(key + data).digest()
