"""A copy of a whole store in one file, made while the store is in use, and the way back.

Each database is copied by SQLite's own means in one consistent state; the audit trail last, so that it knows of
whatever the copy of the store holds. The file is a tar: first a manifest with the size and SHA-256 of everything, then
the files. Search files of large partitions are derived and left out; `chartcite index` makes them again. The key of
the audit trail lies elsewhere and is never part of it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from chartcite.core.errors import BackupRefused, StoreMissing, StoreUnwritable, UsageError
from chartcite.store import audit
from chartcite.store.database import FILE, open_database, translated
from chartcite.store.engines.opening import POSTGRES

MANIFEST = "manifest.json"
_SCHEMA = "chartcite.backup/1"
_MANIFEST_BYTES = 16 << 20
_AT_ONCE = 1 << 20
_DATABASE = ".sqlite3"
_LEFT_OUT = frozenset({"large", "spool"})
_SIDES = (f"{_DATABASE}-wal", f"{_DATABASE}-shm", f"{_DATABASE}-journal", ".new", ".partial")
_NAME = re.compile(r"[\w.][\w. +@=,-]*(/[\w.][\w. +@=,-]*)*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Kept:
    """One file of a backup."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds. `seal` is the SHA-256 of its manifest: who keeps it elsewhere sees any change."""

    files: tuple[Kept, ...]
    seal: str

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(kept.size for kept in self.files)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"files": len(self.files), "bytes": self.size, "seal": self.seal}


def write_backup(folder: Path, target: Path) -> Backup:
    """Copy the store in `folder` into the new file `target`; others may read and write the store meanwhile.

    Raises:
        UsageError: `target` exists already.
        StoreMissing, StoreDamaged: there is no store to copy.
        StoreUnwritable: the copy cannot be written, or the disk is full.
    """
    if target.exists():
        raise UsageError(f"{target} exists already.", "Name a new file; a backup never replaces another.")
    with _disk(), tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as made:
        copies = Path(made)
        files = [_entry(copies, name) for name in _copied(folder, copies)]
        content = [{"path": f.path, "size": f.size, "sha256": f.sha256} for f in files]
        manifest = json.dumps({"schema": _SCHEMA, "files": content}, sort_keys=True, indent=1).encode()
        with _new(target) as out:  # never over another
            try:
                _pack(out, manifest, copies, files)
            except BaseException:
                target.unlink()
                raise
    return Backup(tuple(files), hashlib.sha256(manifest).hexdigest())


def restore_backup(source: Path, folder: Path, *, seal: str = "") -> Backup:
    """Make the store that a backup holds in the new folder `folder`; all of it was checked when this returns.

    Raises:
        UsageError: there is something in `folder` already, or no such backup.
        BackupRefused: the file is no whole backup, was changed, or has another seal.
        StoreUnwritable: the folder cannot be made, or the disk is full.
    """
    if not source.is_file():
        raise UsageError(f"There is no file {source}.", "Name a file that `chartcite backup` made.")
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise UsageError(f"There is something in {folder} already.", "Name a new folder; nothing is ever replaced.")
    with _disk():
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            with source.open("rb") as raw:
                found = _unpacked(raw, made, seal)
            _check_databases(made, found)
            made.replace(folder)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    return found


def _copied(folder: Path, copies: Path) -> Iterator[str]:
    """Copy everything; the names of what was copied, in the order of copying."""
    if (folder / POSTGRES).is_file():
        raise BackupRefused(
            "The rows of this store are in PostgreSQL.", "Back them up with pg_dump; see docs/cluster.md."
        )
    if not (folder / FILE).is_file():
        raise StoreMissing(f"There is no chartcite store in {folder}.", "Name the store's folder with --store.")
    names = sorted(p.name for p in folder.iterdir() if p.name.endswith(_DATABASE) and p.is_file())
    for name in sorted(names, key=lambda n: (n != FILE, n == audit.FILE, n)):
        if name == FILE:
            source = open_database(folder, create=False)
        else:
            source = sqlite3.connect((folder / name).absolute().as_uri() + "?mode=rw", uri=True, timeout=10)
        with translated(folder), closing(source), closing(sqlite3.connect(copies / name)) as copy:
            source.backup(copy)
        yield name
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_other = name not in names and not name.endswith(_SIDES) and PurePosixPath(name).parts[0] not in _LEFT_OUT
        if is_other and path.is_file() and not path.is_symlink() and _NAME.fullmatch(name):
            (copies / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copies / name)
            yield name


def _pack(out: IO[bytes], manifest: bytes, copies: Path, files: list[Kept]) -> None:
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(_member(MANIFEST, len(manifest)), io.BytesIO(manifest))
        for kept in files:
            with (copies / kept.path).open("rb") as source:
                archive.addfile(_member(kept.path, kept.size), source)
    out.flush()
    os.fsync(out.fileno())


def _entry(copies: Path, name: str) -> Kept:
    with (copies / name).open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
        return Kept(name, handle.seek(0, os.SEEK_END), digest)


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


def _unpacked(raw: IO[bytes], made: Path, seal: str) -> Backup:
    try:
        with tarfile.open(fileobj=raw, mode="r:") as archive:
            found = _manifest(archive, seal)
            if found.size > shutil.disk_usage(made).free:
                raise StoreUnwritable(f"The backup holds {found.size:,} bytes, and the disk has less.", "Free space.")
            for kept in found.files:
                _unpack(archive, kept, made)
            if archive.next() is not None:
                raise _refused("has more in it than its manifest says")
    except (tarfile.TarError, EOFError) as error:
        raise _refused("is cut off, or no backup") from error
    return found


def _manifest(archive: tarfile.TarFile, seal: str) -> Backup:
    first = archive.next()
    if first is None or first.name != MANIFEST or first.type != tarfile.REGTYPE or first.size > _MANIFEST_BYTES:
        raise _refused("does not begin with a manifest")
    handle = archive.extractfile(first)
    raw = handle.read() if handle else b""
    digest = hashlib.sha256(raw).hexdigest()
    if seal and seal != digest:
        raise _refused("has another seal")
    try:
        content = json.loads(raw)
        files = tuple(Kept(str(f["path"]), int(f["size"]), str(f["sha256"])) for f in content["files"])
    except (ValueError, TypeError, KeyError) as error:
        raise _refused("has a manifest that cannot be read") from error
    paths = [kept.path for kept in files]
    if content.get("schema") != _SCHEMA or FILE not in paths or len({p.casefold() for p in paths}) != len(paths):
        raise _refused("has a manifest of another kind")
    if not all(_is_safe(kept) for kept in files):
        raise _refused("names a file that no backup holds")
    return Backup(files, digest)


def _is_safe(kept: Kept) -> bool:
    """A plain relative name, inside of the folder, that SQLite takes for no log of another file."""
    parts = kept.path.split("/")
    return (
        bool(_NAME.fullmatch(kept.path)) and not {".", ".."} & set(parts) and not kept.path.endswith(_SIDES)
        and kept.size >= 0 and bool(_SHA256.fullmatch(kept.sha256))
    )  # fmt: skip


def _unpack(archive: tarfile.TarFile, kept: Kept, made: Path) -> None:
    member = archive.next()
    if member is None or (member.name, member.size, member.type) != (kept.path, kept.size, tarfile.REGTYPE):
        raise _refused("does not hold what its manifest says")
    source, digest = archive.extractfile(member), hashlib.sha256()
    path = made / kept.path
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _new(path) as out:
        while source and (block := source.read(_AT_ONCE)):
            digest.update(block)
            out.write(block)
        out.flush()
        os.fsync(out.fileno())
    if digest.hexdigest() != kept.sha256:
        raise _refused("was changed")


def _new(path: Path) -> IO[bytes]:
    """A file that was not there, and that only its owner may read."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def _check_databases(made: Path, found: Backup) -> None:
    with translated(made):
        open_database(made, create=False).close()
        for name in (kept.path for kept in found.files if kept.path.endswith(_DATABASE)):
            with closing(sqlite3.connect(made / name)) as connection:
                if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                    raise _refused("holds a damaged database")


def _refused(what: str) -> BackupRefused:
    return BackupRefused(f"The backup {what}.", "Nothing was restored; use another copy of it.")


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise UsageError("The target was made meanwhile by somebody else.", "Name a new one.") from error
    except OSError as error:
        raise StoreUnwritable(
            f"The disk refused: {error.strerror}.", "Check the permissions of the target, and the free space."
        ) from error
