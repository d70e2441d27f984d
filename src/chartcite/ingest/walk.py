"""Which files a path stands for, in a fixed order, each with the name it will be known by."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chartcite.core.errors import UnsupportedFormat, UsageError

STORE_FILE = "chartcite.sqlite3"
"""A store in the folder that is ingested is no source of it."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read. `name` is relative to the folder that was named, with `/` on every system.

    `leads_out`: it is a link in that folder to a file outside it, perhaps another patient's, and is not followed.
    """

    path: Path
    name: str
    size: int
    leads_out: bool = False


def check_inside(source: SourceFile) -> None:
    """Only what lies in the folder that was named is read.

    Raises:
        UnsupportedFormat: the source is a link that leads out of it.
    """
    if source.leads_out:
        raise UnsupportedFormat(
            "this is a link to a file outside the folder, and is not followed", "name that file or its folder itself"
        )


def walk(paths: Sequence[Path]) -> list[SourceFile]:
    """All files below the paths, sorted by name; hidden files and folders are left out, links to folders not followed.

    A link to a file outside its folder is marked (`leads_out`), unless that file is named too.

    Raises:
        UsageError: a path does not exist, or there is no file below any of them.
    """
    found: dict[Path, SourceFile] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"There is nothing at {path}.", "Check the path.")
        for file, name in sorted(_below(path), key=lambda pair: pair[1]):
            source = SourceFile(file, name, _size(file), _leads_out(file, path))
            if file not in found or (found[file].leads_out and not source.leads_out):
                found[file] = source
    if not found:
        raise UsageError("There is no file in the given folders.", "Name a file, or a folder that holds notes.")
    return list(found.values())


def decodable(path: Path) -> str:
    """A path as text that any encoding can carry: bytes that are not UTF-8 are shown as escapes."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _below(path: Path) -> Iterator[tuple[Path, str]]:
    if not path.is_dir():
        yield _real(path), decodable(Path(path.name))
        return
    for folder, subfolders, names in os.walk(path):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        for name in names:
            if not name.startswith((".", STORE_FILE)):
                file = Path(folder) / name
                yield _real(file), decodable(file.relative_to(path))


def _real(path: Path) -> Path:
    """One spelling for one file: without `..` and links."""
    return Path(os.path.realpath(path))


def _leads_out(file: Path, path: Path) -> bool:
    return path.is_dir() and file.exists() and not file.is_relative_to(_real(path))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # reading it will say why
