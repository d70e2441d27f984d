"""Which rules findings come from: a change of the code or of a word list makes those that are kept out of date."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

_ROOMS = ("core", "text", "facts", "records")


@lru_cache(maxsize=1)
def rules() -> str:
    """A digest of the source files and word lists that findings follow from; some milliseconds, once a process."""
    digest = sha256()
    for room in _ROOMS:
        for name, data in _contents(files("chartcite").joinpath(room), room):
            digest.update(f"{name} {len(data)}\n".encode())
            digest.update(data)
    return digest.hexdigest()[:32]


def _contents(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.is_dir() and item.name != "__pycache__":
            found += _contents(item, f"{path}/{item.name}")
        elif item.name.endswith((".py", ".tsv", ".txt", ".json")):
            found.append((f"{path}/{item.name}", item.read_bytes()))
    return found
