"""What SQLite cannot know: whether the blobs of derived rows are still vectors, codes, postings and packs."""

from __future__ import annotations

from collections.abc import Iterator

from chartcite.core.errors import StoreDamaged
from chartcite.core.stored import Recipe
from chartcite.store.engines.port import Database, has_table
from chartcite.store.packs import read_pack

_IN_BATCH = 4096
_TOLERANCE = 1e-3  # of a vector's length; rounding is below 1e-6

_POSTINGS = "SELECT COUNT(*) FROM postings WHERE length(counts) % 2 <> 0 OR length(terms) <> 4 * length(counts)"
_TOKENS = "SELECT COUNT(*) FROM token_vectors WHERE length(codes) = 0"


def find_damage(database: Database) -> list[str]:
    """One line for each kind of fault; empty when all is well. Cost: reads every vector and pack once."""
    found = []
    for encoder in [
        row[0] for row in database.connection.execute("SELECT DISTINCT encoder FROM vectors ORDER BY 1").fetchall()
    ]:
        if wrong := sum(_wrong_vectors(database, encoder)):
            found.append(f"{wrong} vectors of encoder {encoder}")
    for name, query in (("lists of terms", _POSTINGS), ("sets of token vectors", _TOKENS)):
        if wrong := int(database.connection.execute(query).fetchone()[0]):
            found.append(f"{wrong} {name}")
    if wrong := sum(_wrong_packs(database)):
        found.append(f"{wrong} packs")
    return [f"damaged: {line}" for line in found]


def _wrong_vectors(database: Database, encoder: str) -> Iterator[int]:
    """How many of each batch are of another size than the rest, or not of unit length."""
    import numpy as np  # noqa: PLC0415

    size = database.connection.execute(
        "SELECT length(vector) FROM vectors WHERE encoder = ? GROUP BY 1 ORDER BY COUNT(*) DESC, 1 DESC LIMIT 1",
        (encoder,),
    ).fetchone()[0]
    rows = database.connection.execute("SELECT vector FROM vectors WHERE encoder = ?", (encoder,))
    while batch := rows.fetchmany(_IN_BATCH):
        whole = [row[0] for row in batch if len(row[0]) == size and size % 4 == 0]
        vectors = np.frombuffer(b"".join(whole), np.float32).reshape(len(whole), size // 4 if whole else 0)
        with np.errstate(over="ignore", invalid="ignore"):
            lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        sound = np.abs(lengths - 1) < _TOLERANCE  # false for what is no number
        yield len(batch) - int(np.count_nonzero(sound))


def _wrong_packs(database: Database) -> Iterator[bool]:
    if not has_table(database.connection, "packs"):
        return
    with database.transaction("DEFERRED") as cursor:
        packs = cursor.execute("SELECT DISTINCT partition, seq, recipe FROM packs ORDER BY 1, 2, 3").fetchall()
        for partition, seq, name in packs:
            try:
                read_pack(cursor, partition, seq, Recipe(*name.split("\n")))
            except StoreDamaged:
                yield True
