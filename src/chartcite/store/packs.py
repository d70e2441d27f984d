"""Packs: the arrays of a whole partition as a few blobs, so that it opens in one read instead of one a passage.

Derived, and written only when nothing else is being written. Any change of the partition drops its packs within the
same transaction, so that what is deleted is nowhere left; the sequence number is checked all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chartcite.core.stored import Postings, Recipe, TextArrays
from chartcite.store.engines.port import Cursor, has_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_TEXTS = 500  # below, the rows are read as quickly
MOST_TEXTS = 50_000  # above, a pack would take too much memory while it is made


def has_pack(cursor: Cursor, partition: int, seq: int, recipe: Recipe) -> bool:
    """Whether a pack of this state is there. A store that an earlier version wrote has no table for it."""
    return has_table(cursor, "packs") and bool(
        cursor.execute(
            "SELECT 1 FROM packs WHERE partition = ? AND recipe = ? AND seq = ?", (partition, _name(recipe), seq)
        ).fetchone()
    )


def read_pack(cursor: Cursor, partition: int, seq: int, recipe: Recipe) -> TextArrays | None:
    """The arrays of all documents of a partition in this state, or None.

    Raises:
        StoreDamaged: the blobs do not fit together.
    """
    if not has_pack(cursor, partition, seq, recipe):
        return None
    return _arrays(
        dict(
            cursor.execute(
                "SELECT part, data FROM packs WHERE partition = ? AND recipe = ?", (partition, _name(recipe))
            ).fetchall()
        )
    )


def write_pack(cursor: Cursor, partition: int, seq: int, recipe: Recipe, texts: TextArrays) -> None:
    """Put a pack in place of an older one."""
    postings = texts.postings
    arrays: dict[str, NDArray[Any]] = {
        "keys": texts.keys, "vectors": texts.vectors, "lengths": texts.lengths, "places": texts.places,
        "terms": postings.terms, "starts": postings.starts, "rows": postings.rows, "counts": postings.counts,
    }  # fmt: skip
    cursor.execute("DELETE FROM packs WHERE partition = ? AND recipe = ?", (partition, _name(recipe)))
    cursor.executemany(
        "INSERT INTO packs VALUES (?, ?, ?, ?, ?)",
        [(partition, _name(recipe), part, seq, array.tobytes()) for part, array in arrays.items()],
    )


def drop_packs(cursor: Cursor, partition: int) -> None:
    """What is derived of a partition's former state must not outlive it."""
    cursor.execute("DELETE FROM packs WHERE partition = ?", (partition,))


def _name(recipe: Recipe) -> str:
    return recipe.arrays_name


def _arrays(blobs: dict[str, bytes]) -> TextArrays:
    import numpy as np  # noqa: PLC0415

    from chartcite.store.arrays import damaged  # noqa: PLC0415

    try:
        keys = np.frombuffer(blobs["keys"], np.int64)
        starts = np.frombuffer(blobs["starts"], np.int64)
        texts = TextArrays(
            keys=keys,
            vectors=np.frombuffer(blobs["vectors"], np.float32).reshape(len(keys), -1 if len(keys) else 0),
            postings=Postings(
                np.frombuffer(blobs["terms"], np.int64), starts, np.frombuffer(blobs["rows"], np.int32),
                np.frombuffer(blobs["counts"], np.uint16),
            ),
            lengths=np.frombuffer(blobs["lengths"], np.int32),
            places=np.frombuffer(blobs["places"], np.int64).reshape(-1, 4),
        )  # fmt: skip
        last = int(starts[-1])
    except (KeyError, ValueError, IndexError) as error:
        raise damaged() from error
    postings = texts.postings
    sizes = (len(texts.lengths), len(postings.starts) - 1, len(postings.rows), len(postings.counts))
    if sizes != (len(keys), len(postings.terms), last, last):
        raise damaged()
    return texts
