"""Files beside the database: the search files of large partitions. Derived, and gone with their partition."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from chartcite.core.errors import StoreUnwritable
from chartcite.core.stored import Recipe

_AT_ONCE = 1 << 20


def stem(store: Path, incarnation: int, recipe: Recipe) -> Path:
    """What the folders of one partition under one recipe begin with."""
    digest = hashlib.sha256(recipe.arrays_name.encode()).hexdigest()[:16]
    return store / "large" / f"{incarnation}-{digest}"


def erase(store: Path, incarnation: int) -> None:
    """Overwrite and remove all files of a partition that is being deleted.

    Raises:
        StoreUnwritable: the system refuses.
    """
    try:
        for path in _of_partition(store, incarnation):
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file():
                    overwrite(file)
            _remove(path)
    except OSError as error:
        raise StoreUnwritable(
            f"Search files of the partition cannot be removed: {error.strerror}.",
            "Check the permissions of the store's folder and run the same command again.",
        ) from error


def _of_partition(store: Path, incarnation: int) -> Iterator[Path]:
    yield from sorted((store / "large").glob(f"{incarnation}-*"))


def overwrite(file: Path) -> None:
    """Fill a file with zeros, on the disk."""
    with file.open("r+b") as handle:
        left = handle.seek(0, os.SEEK_END)
        handle.seek(0)
        while left > 0:
            left -= handle.write(bytes(min(left, _AT_ONCE)))
        handle.flush()
        os.fsync(handle.fileno())


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
