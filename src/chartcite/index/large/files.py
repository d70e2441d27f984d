"""The files of a large partition: arrays that are mapped, and a manifest that says of which state they are.

A folder `large/<partition>-<recipe>.<seq>` is written under another name and renamed when it is whole, so that there
is never half of one. Its arrays are those of the store at that sequence number, all documents, evidence or not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chartcite.core.errors import StoreDamaged
from chartcite.core.stored import Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
MANIFEST = "manifest.json"

# File -> type and shape; `n` rows, `d` dimensions, `w` words of 64 bits, other letters are free.
_SHAPES: dict[str, tuple[type[np.generic], str]] = {
    "keys": (np.int64, "n"), "digests": (np.int64, "n"), "lengths": (np.int32, "n"), "places": (np.int64, "p4"),
    "terms": (np.int64, "t"), "starts": (np.int64, "s"), "rows": (np.int32, "o"), "counts": (np.uint16, "o"),
    "bits": (np.uint64, "wn"), "codes": (np.int8, "nd"), "centre": (np.float32, "d"), "scale": (np.float32, "d"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LargeFiles:
    """One folder, mapped.

    Attributes:
        keys, digests: int64 [n], the store's number of each text, and the first 8 bytes of its SHA-256, which tell it
            from a later text of the same number.
        lengths, places, postings: as in `core.stored.TextArrays`.
        bits: uint64 [words, n], whether each dimension is above the centre.
        codes: int8 [n, dims]; a vector is about `codes * scale`.
        manifest: `seq`, `rescored` (how many rows the scan hands on), `recall_at_10`, and how that was measured.
    """

    keys: NDArray[np.int64]
    digests: NDArray[np.int64]
    lengths: NDArray[np.int32]
    places: NDArray[np.int64]
    postings: Postings
    bits: NDArray[np.uint64]
    codes: NDArray[np.int8]
    centre: NDArray[np.float32]
    scale: NDArray[np.float32]
    manifest: dict[str, Any]

    @property
    def seq(self) -> int:
        """The state of the partition that the files hold."""
        return int(self.manifest["seq"])

    @property
    def rescored(self) -> int:
        """How many rows of the scan are to be scored again."""
        return int(self.manifest["rescored"])


def find(stem: Path) -> Path | None:
    """The newest whole folder, or None."""
    numbered = [(int(match[1]), path) for path in stem.parent.glob(f"{stem.name}.*") if (match := _numbered(path))]
    return max(numbered)[1] if numbered else None


def load(folder: Path) -> LargeFiles:
    """Map the files.

    Raises:
        StoreDamaged: something is missing or of another size than the rest.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        a = {name: _mapped(folder / f"{name}.npy") for name in _SHAPES}
    except (OSError, ValueError) as error:
        raise _damaged() from error
    sizes = {"n": manifest.get("rows"), "d": manifest.get("dims"), "4": 4}
    for name, (kind, shape) in _SHAPES.items():
        wanted = tuple(sizes.setdefault(letter, size) for letter, size in zip(shape, a[name].shape, strict=False))
        if a[name].dtype != kind or len(shape) != a[name].ndim or wanted != a[name].shape:
            raise _damaged()
    if manifest.get("format") != FORMAT or len(a["starts"]) != len(a["terms"]) + 1 or a["starts"][-1] != len(a["rows"]):
        raise _damaged()
    return LargeFiles(
        a["keys"], a["digests"], a["lengths"], a["places"],
        Postings(a["terms"], a["starts"], a["rows"], a["counts"]),
        a["bits"], a["codes"], a["centre"], a["scale"], manifest,
    )  # fmt: skip


def create(path: Path, kind: type[np.generic], shape: tuple[int, ...]) -> Any:
    """A mapped array to be filled. Its space is taken at once: a full disk is an error here, not a signal later.

    Raises:
        OSError: there is no room.
    """
    if 0 in shape:  # nothing can be mapped of an empty file
        np.save(path, np.zeros(shape, kind))
        return np.zeros(shape, kind)
    array = np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=shape)
    if hasattr(os, "posix_fallocate"):
        with path.open("r+b") as handle:
            os.posix_fallocate(handle.fileno(), 0, path.stat().st_size)
    return array


def replace(new: Path, stem: Path, seq: int) -> Path:
    """Put a whole new folder in place and remove older ones; who has mapped those keeps them until it closes."""
    older = [path for path in stem.parent.glob(f"{stem.name}.*") if _numbered(path)]
    place = stem.with_name(f"{stem.name}.{seq}")
    if place in older:  # made afresh: there is a moment without it
        shutil.rmtree(place)
    new.rename(place)
    for path in older:
        if path != place:
            shutil.rmtree(path, ignore_errors=True)
    return place


def _mapped(path: Path) -> NDArray[Any]:
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def _numbered(path: Path) -> re.Match[str] | None:
    return re.search(r"\.(\d+)$", path.name)


def _damaged() -> StoreDamaged:
    return StoreDamaged(
        "The search files of a large collection are damaged.", "Run `chartcite index` to make them again."
    )
