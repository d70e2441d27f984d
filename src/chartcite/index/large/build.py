"""Making the files of a large partition in two passes over the store, with memory for places and terms only.

The first pass takes the places. The second encodes every text's vector as bits and bytes and spools its terms, while
some of the vectors are asked as queries and their true neighbours kept, so that the scan's recall can be measured.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.core.errors import StoreDamaged, StoreLocked, StoreUnwritable
from chartcite.core.stored import Recipe
from chartcite.index.large import files
from chartcite.index.large.codes import scale_of, to_bits, to_codes
from chartcite.index.large.inversion import Inversion
from chartcite.index.large.recall import Truth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chartcite.store.reader import PartitionReader

Stored = tuple[bytes, bytes, bytes, bytes]
"""Of one text: SHA-256, int64 term numbers, uint16 counts, float32 vector."""

MOST_CHANGED = 0.01  # commits since the files were made, as a share of the documents
_BATCH = 8192
_SAMPLE, _QUERIES = 20_000, 100


def refresh(reader: PartitionReader, recipe: Recipe, stem: Path, *, afresh: bool = False) -> bool:
    """Make the files if there are none, if much has changed since, or `afresh`; whether they were made.

    What little has changed is worked out when the index is opened.

    Raises:
        StoreMismatch, StoreLocked: as `build`.
    """
    folder = files.find(stem)
    if folder is not None and not afresh:
        try:
            changes = reader.seq - files.load(folder).seq
        except StoreDamaged:
            changes = reader.seq
        if changes <= MOST_CHANGED * len(reader.all_keys()):
            return False
    build(reader, recipe, stem)
    return True


def build(reader: PartitionReader, recipe: Recipe, stem: Path) -> Path:
    """Make the files of the partition's present state; returns their folder.

    Raises:
        StoreMismatch: some document was never prepared under this recipe.
        StoreLocked: another process is making them.
        StoreUnwritable: there is no room for them.
    """
    try:
        with _alone(stem) as new:
            places = np.concatenate([np.zeros((0, 4), np.int64), *reader.walk(recipe)])
            about = {"seq": reader.seq, "recipe": recipe.to_dict()}
            write(new, places, lambda keys: reader.derived(keys, recipe), about)
            _sync(new)
            return files.replace(new, stem, reader.seq)
    except OSError as error:
        raise StoreUnwritable(
            f"The search files of a large collection cannot be written: {error.strerror}.",
            "Free some space, then run `chartcite index`.",
        ) from error


def write(
    folder: Path, places: NDArray[np.int64], derived: Callable[[Sequence[int]], Sequence[Stored]], about: dict[str, Any]
) -> None:
    """Write all files into an empty folder.

    Args:
        folder: exists.
        places: int64 [n, 4], (text key, document key, start, end) in the order of the record; at least one.
        derived: gives what is stored of texts, by their keys.
        about: goes into the manifest; `seq` and `recipe`.
    """
    keys, placed = by_row(places)
    np.save(folder / "keys.npy", keys)
    np.save(folder / "places.npy", placed)
    chosen, sample = _sample(keys, derived)
    centre, scale = sample.mean(axis=0), scale_of(sample)
    np.save(folder / "centre.npy", centre)
    np.save(folder / "scale.npy", scale)
    truth = Truth(chosen[:: -(-len(chosen) // _QUERIES)], sample[:: -(-len(chosen) // _QUERIES)])
    bits, codes = _encode(folder, keys, derived, centre, scale, truth)
    measured = truth.measure(bits, codes, centre, scale)
    manifest = {
        **about, "format": files.FORMAT, "rows": len(keys), "dims": len(centre), "rescored": measured.rescored,
        "recall_at_10": round(measured.recall, 4), "recall_queries": measured.queries,
    }  # fmt: skip
    (folder / files.MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", "utf-8")


def by_row(places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Keys of the texts in the order in which they first stand, and the places with rows in place of keys."""
    standing, first, inverse = np.unique(places[:, 0], return_index=True, return_inverse=True)
    order = np.argsort(first)
    row = np.empty(len(standing), np.int64)
    row[order] = np.arange(len(standing))
    return standing[order], np.column_stack([row[inverse.reshape(-1)], places[:, 1:]])


def unpack(stored: Sequence[Stored]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint16]]:
    """Term numbers, the place of their text among these, and counts."""
    sizes = [len(s[2]) // 2 for s in stored]
    terms = np.frombuffer(b"".join(s[1] for s in stored), np.int64)
    counts = np.frombuffer(b"".join(s[2] for s in stored), np.uint16)
    return terms, np.repeat(np.arange(len(stored), dtype=np.int32), sizes), counts


def vectors_of(stored: Sequence[Stored]) -> NDArray[np.float32]:
    """float32 [n, dims]."""
    return np.frombuffer(b"".join(s[3] for s in stored), np.float32).reshape(len(stored), -1)


def short_digests(digests: Sequence[bytes]) -> NDArray[np.int64]:
    """The first 8 bytes of each."""
    return np.frombuffer(b"".join(d[:8] for d in digests), np.int64)


def _sample(
    keys: NDArray[np.int64], derived: Callable[[Sequence[int]], Sequence[Stored]]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Some rows, ascending, and their vectors."""
    chosen = np.sort(np.random.default_rng(0).choice(len(keys), min(_SAMPLE, len(keys)), replace=False))
    batches = [chosen[start : start + _BATCH] for start in range(0, len(chosen), _BATCH)]
    return chosen, np.concatenate([vectors_of(derived(keys[rows].tolist())) for rows in batches])


def _encode(
    folder: Path,
    keys: NDArray[np.int64],
    derived: Callable[[Sequence[int]], Sequence[Stored]],
    centre: NDArray[np.float32],
    scale: NDArray[np.float32],
    truth: Truth,
) -> tuple[NDArray[np.uint64], NDArray[np.int8]]:
    """The second pass."""
    n, dims = len(keys), len(centre)
    codes = files.create(folder / "codes.npy", np.int8, (n, dims))
    bits = files.create(folder / "bits.npy", np.uint64, (-(-dims // 64), n))
    lengths, digests = np.zeros(n, np.int32), np.zeros(n, np.int64)
    with Inversion(folder) as inversion:
        for start in range(0, n, _BATCH):
            rows = slice(start, start + _BATCH)
            stored = derived(keys[rows].tolist())
            vectors = vectors_of(stored)
            codes[rows], bits[:, rows] = to_codes(vectors, scale), to_bits(vectors, centre)
            truth.see(start, vectors)
            terms, owners, counts = unpack(stored)
            lengths[rows] = np.bincount(owners, weights=counts, minlength=len(stored))
            digests[rows] = short_digests([s[0] for s in stored])
            inversion.add(terms, owners + np.int32(start), counts)
        inversion.finish()
    np.save(folder / "lengths.npy", lengths)
    np.save(folder / "digests.npy", digests)
    return bits, codes


@contextmanager
def _alone(stem: Path) -> Iterator[Path]:
    """An empty folder to write into, removed afterwards if it is still there; one builder at a time."""
    stem.parent.mkdir(mode=0o700, exist_ok=True)
    new = stem.with_name(f"{stem.name}.new")
    handle = os.open(stem.with_name(f"{stem.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        _lock(handle)
        shutil.rmtree(new, ignore_errors=True)  # of a build that was killed
        new.mkdir(mode=0o700)
        try:
            yield new
        finally:
            shutil.rmtree(new, ignore_errors=True)
    finally:
        os.close(handle)


def _sync(folder: Path) -> None:
    """A folder must not get its name before its content is on the disk."""
    for path in (*sorted(folder.iterdir()), folder):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _lock(handle: int) -> None:
    try:
        import fcntl  # noqa: PLC0415  (not on Windows, where the last of two builders wins)
    except ImportError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise StoreLocked(
            "Another process is making the search files of this collection.", "Wait until it is done, then try again."
        ) from error
