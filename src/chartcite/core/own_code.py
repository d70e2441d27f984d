"""A digest of our own source files and word lists: what was made by other code is told by it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def code_digest(rooms: tuple[str, ...]) -> str:
    """32 hexadecimal digits over the files of these folders of the package; some milliseconds, once a process."""
    digest = sha256()
    for room in rooms:
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
