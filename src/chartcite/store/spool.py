"""Uploads on their way into the store, one folder a job: its files, and what is known of it.

A job is there when its note is: the note is written last, after the files, all of them flushed to the disk. What lies
in a folder without a note was never acknowledged, and is erased. Everything is overwritten before it is removed, and
goes with the partition that it names.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from chartcite.core.errors import StoreUnwritable, UsageError
from chartcite.core.scope import Scope
from chartcite.store.beside import overwrite

FOLDER = "spool"
_NOTE = "job.json"
_MOST_NAME_BYTES = 200
_AT_ONCE = 1 << 20
_LEFT_FREE = 256 << 20


class UnusableName(UsageError):
    """A file's name that is none: a path, hidden, too long, or twice."""


def checked_name(name: str, taken: Mapping[str, object]) -> str:
    """A plain file name, as it will be known in the store.

    Raises:
        UnusableName: it leads elsewhere, is hidden, too long, or taken.
    """
    plain = unicodedata.normalize("NFC", name)
    is_plain = plain.strip() == plain and not plain.startswith(".") and not set(plain) & set('/\\:"<>|?*')
    if not (is_plain and plain and all(unicodedata.category(c)[0] != "C" for c in plain)):
        raise UnusableName("A file's name is not a plain name.", "Send names without folders or special signs.")
    if len(plain.encode()) > _MOST_NAME_BYTES:
        raise UnusableName("A file's name is too long.", "Use a shorter one.")
    if plain.casefold() in {other.casefold() for other in taken}:
        raise UnusableName("Two files have the same name.", "Send them with names of their own.")
    return plain


class Spool:
    """The folder of all jobs of a store. Use as a context manager, or call `close`."""

    def __init__(self, store: Path) -> None:
        self.folder = store / FOLDER
        with _disk():
            self.folder.mkdir(exist_ok=True, mode=0o700)
            self._lock = (self.folder / ".lock").open("a")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.is_mine = True
        except OSError:
            self.is_mine = False  # another server takes the uploads of this store

    def close(self) -> None:
        """Leave the folder to another server."""
        self._lock.close()

    def must_have_room(self, size: int) -> None:
        """Refuse what would fill the disk, before it is read.

        Raises:
            StoreUnwritable: less would be left than the store itself may need.
        """
        if shutil.disk_usage(self.folder).free < 2 * size + _LEFT_FREE:
            raise StoreUnwritable("The disk has no room for this upload.", "Free some space, or send less.")

    def make(self, job: str) -> Path:
        """A folder for the files of a new job."""
        with _disk():
            (self.folder / job).mkdir(mode=0o700)
        return self.folder / job

    def keep(self, job: str, name: str, source: IO[bytes]) -> int:
        """Write one file of a job to the disk; its number of bytes."""
        path, size = self.folder / job / "files" / name, 0
        with _disk():
            path.parent.mkdir(exist_ok=True, mode=0o700)
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
                while block := source.read(_AT_ONCE):
                    out.write(block)
                    size += len(block)
                out.flush()
                os.fsync(out.fileno())
            _flush_folder(path.parent)
        return size

    def files(self, job: str) -> list[Path]:
        """The files of a job, by name."""
        folder = self.folder / job / "files"
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def note(self, job: str, content: Mapping[str, Any]) -> None:
        """Write what is known of a job; it is on the disk when this returns."""
        path = self.folder / job / _NOTE
        temporary = path.with_name(f"{_NOTE}.new")
        with _disk():
            with os.fdopen(os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w") as out:
                json.dump(content, out, ensure_ascii=True)
                out.flush()
                os.fsync(out.fileno())
            temporary.replace(path)
            _flush_folder(path.parent)
            _flush_folder(self.folder)

    def notes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every job with its note; folders without one are erased."""
        for folder in sorted(p for p in self.folder.iterdir() if p.is_dir()):
            content = _read(folder)
            if content is None:
                _erase(folder)
            else:
                yield folder.name, content

    def drop_files(self, job: str) -> None:
        """Erase the files of a job; its note stays."""
        _erase(self.folder / job / "files")

    def drop(self, job: str) -> None:
        """Erase a job."""
        _erase(self.folder / job)


def erase_jobs(store: Path, scope: Scope) -> None:
    """Erase all jobs of a partition that is being deleted."""
    spool = store / FOLDER
    for folder in sorted(p for p in spool.iterdir() if p.is_dir()) if spool.is_dir() else []:
        if (_read(folder) or {}).get("scope") == scope.to_dict():
            _erase(folder)


def _read(folder: Path) -> dict[str, Any] | None:
    try:
        content = json.loads((folder / _NOTE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def _erase(folder: Path) -> None:
    with _disk(), suppress(FileNotFoundError):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                overwrite(path)
        shutil.rmtree(folder)


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class _disk:  # noqa: N801 - reads as a statement
    """The system's refusals in our words."""

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            raise StoreUnwritable(
                f"An upload cannot be kept: {error.strerror}.", "Check the store's folder and the free space."
            ) from error
