"""ZIP and TAR archives, with gzip or without: member by member, each as a file of its own for the other readers.

An archive is not trusted: its names never become paths, links and devices are left alone, and how much comes out of it
is bounded by count, size and ratio, whatever its headers say. Members are unpacked one at a time into a private
folder that goes when the reading ends.
"""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NoReturn

from chartcite.core.errors import CorruptSource, EncryptedSource, LimitExceeded, ReadError, UnsupportedFormat
from chartcite.core.reading import Problem
from chartcite.readers.bytes_in import CHUNK_BYTES, open_maybe_gzip

MAX_MEMBERS = 50_000
MAX_MEMBER_BYTES = 512 << 20
MAX_TOTAL_BYTES = 4 << 30
MAX_RATIO = 200
MAX_DEPTH = 3
INSIDE = "!/"
"""Between an archive's name and a member's: `notes.zip!/p1/visit.txt`."""

_RATIO_FROM_BYTES = 4 << 20
_LONGEST_READ = 16 << 20
_MAX_DIRECTORY_BYTES = 32 << 20
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TAR, _TAR_AT = b"ustar", 257
_END = struct.Struct("<4s4H2LH")
_LONGEST_COMMENT = 1 << 16
_PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_OFFICE = frozenset(("[Content_Types].xml", "mimetype"))


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive, unpacked at `path` until the next one is asked for. `name` has the archive's in front."""

    path: Path
    name: str


def is_archive(head: bytes) -> bool:
    """By its first bytes, after gunzip."""
    return head.startswith(_ZIP) or head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR


def members(path: Path, name: str, head: bytes) -> Iterator[Member | Problem]:
    """Yield the files of an archive in its order, and what of it is left out.

    Raises:
        CorruptSource: its structure is damaged; what came before is good.
        LimitExceeded: more than 50,000 members, 4 GiB in all, or 200 times what is packed.
        UnsupportedFormat: an office document, or a ZIP inside gzip.
    """
    with tempfile.TemporaryDirectory(prefix="chartcite-") as folder:
        yield from (_zip if head.startswith(_ZIP) else _tar)(path, _Budget(name, Path(folder)))


class _Budget:
    """What one archive may still unpack, and what it left out."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._folder = folder
        self._bytes = 0
        self._seen: set[str] = set()
        self.left_out: Counter[str] = Counter()
        self.is_used_up = False

    def admit(self, inner: str) -> str:
        """The full name of a member; empty for one that a folder walk would leave out as well.

        Raises:
            UnsupportedFormat: its name leads out of the archive, or came before.
            LimitExceeded: one too many.
        """
        shown = inner.encode("utf-8", "backslashreplace").decode()
        parts = PurePosixPath(shown.replace("\\", "/")).parts
        if any(part.startswith(".") and part != ".." for part in parts) or "__MACOSX" in parts:
            return ""
        if not parts or shown.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in shown:
            raise UnsupportedFormat("members whose name leads out of the archive")
        if len(self._seen) >= MAX_MEMBERS:
            raise LimitExceeded(f"the archive has more than {MAX_MEMBERS:,} members", "unpack it and ingest the folder")
        plain = "/".join(parts)
        if plain in self._seen:
            raise UnsupportedFormat("members whose name came before")
        self._seen.add(plain)
        return f"{self.name}{INSIDE}{plain}"

    def unpack(self, source: BinaryIO, full_name: str, stated: int, packed: int) -> Member:
        """Write a member to the folder, in place of the one before.

        Raises:
            LimitExceeded: too much comes out.
        """
        self._check(stated, packed)  # before a byte is unpacked, by what its header says
        target = self._folder / f"member{_suffixes(full_name)}"
        for old in self._folder.iterdir():
            old.unlink()
        size = 0
        with target.open("wb") as out:
            while chunk := source.read(CHUNK_BYTES):
                size += len(chunk)
                self._bytes += len(chunk)
                self._check(size, packed)
                out.write(chunk)
        return Member(target, full_name)

    def _check(self, size: int, packed: int) -> None:
        if size > max(_RATIO_FROM_BYTES, packed * MAX_RATIO):
            raise LimitExceeded(f"what is packed grows more than {MAX_RATIO} times", "unpack it and look at it first")
        if size > MAX_MEMBER_BYTES:
            raise LimitExceeded(f"a member holds more than {MAX_MEMBER_BYTES >> 20} MiB")
        if self._bytes > MAX_TOTAL_BYTES:
            self.is_used_up = True
            raise LimitExceeded(f"the archive holds more than {MAX_TOTAL_BYTES >> 30} GiB", "ingest it in parts")

    def problems(self) -> Iterator[Problem]:
        """A line for each reason of what was left out."""
        for reason, count in sorted(self.left_out.items()):
            yield Problem(self.name, UnsupportedFormat(f"{reason}, left out: {count:,}"), skipped=True)


def _suffixes(name: str) -> str:
    """The suffixes by which readers know a format, and nothing else of the name."""
    last = name.rsplit("/", 1)[-1].lower()
    found = "".join(PurePosixPath(last).suffixes[-2:])
    return found if found.isascii() and found.replace(".", "").isalnum() and len(found) < 20 else ""


def _zip(path: Path, budget: _Budget) -> Iterator[Member | Problem]:
    with path.open("rb") as stream:
        if stream.read(4) not in _ZIP:
            raise UnsupportedFormat("a ZIP inside gzip is not read", "unpack it first")
        check_directory(stream)
        try:
            with zipfile.ZipFile(stream) as archive:
                infos = archive.infolist()
                if infos and infos[0].filename in _OFFICE:
                    raise UnsupportedFormat("an office document or book is not read, though it is a ZIP inside")
                for info in infos:
                    yield from _zip_member(archive, info, budget)
        except (zipfile.BadZipFile, struct.error, NotImplementedError, ValueError) as error:
            raise CorruptSource("the ZIP is damaged; its list of members cannot be read") from error
    yield from budget.problems()


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: _Budget) -> Iterator[Member | Problem]:
    if info.is_dir():
        return
    try:
        if not (full_name := budget.admit(info.filename)):
            return
        if (info.external_attr >> 16) & 0o170000 not in (0, 0o100000):
            raise UnsupportedFormat("links and devices")
    except UnsupportedFormat as error:
        budget.left_out[str(error)] += 1
        return
    try:
        if info.flag_bits & 0x1:
            raise EncryptedSource("a password is needed for this member of the archive", "save it without password")
        if info.compress_type not in _PLAIN_METHODS:
            raise UnsupportedFormat("a member is packed with a method that is not read", "pack it with deflate")
        with archive.open(info) as source:
            yield budget.unpack(source, full_name, info.file_size, info.compress_size)  # type: ignore[arg-type]
    except ReadError as error:
        if budget.is_used_up:
            raise
        yield Problem(full_name, error, skipped=isinstance(error, UnsupportedFormat))
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError) as error:
        damage = CorruptSource("the member of the archive is damaged", "pack it again")
        damage.__cause__ = error
        yield Problem(full_name, damage)


def check_directory(stream: BinaryIO) -> None:
    """Refuse a list of members that would not fit into memory, before it is read.

    Raises:
        CorruptSource: there is no list.
        LimitExceeded: it is too long.
    """
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - _LONGEST_COMMENT - _END.size))
    tail = stream.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise CorruptSource("the ZIP is cut short or damaged; its list of members is missing", "copy it again")
    _, _, _, _, count, length, _, _ = _END.unpack_from(tail, at)
    if count == 0xFFFF or length == 0xFFFFFFFF:
        at = tail.rfind(b"PK\x06\x06")  # the record of a ZIP of more than 65,535 members
        if at < 0 or len(tail) - at < 56:
            raise CorruptSource("the ZIP is damaged; the record of its list of members is missing")
        count, length = struct.unpack_from("<QQ", tail, at + 32)
    if count > MAX_MEMBERS or length > _MAX_DIRECTORY_BYTES:
        raise LimitExceeded(f"the archive has more than {MAX_MEMBERS:,} members", "unpack it and ingest the folder")
    stream.seek(0)


class _Bounded(io.RawIOBase):
    """What a tar's headers may make us read: never much at once, never out of proportion to what is packed."""

    def __init__(self, stream: BinaryIO, packed: int) -> None:
        super().__init__()
        self._stream = stream
        self._most = max(_RATIO_FROM_BYTES, packed * MAX_RATIO)
        self._bytes = 0
        self._last = 0
        self.packed = packed
        self.is_used_up = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """As a file's; bounded."""
        if size < 0 or size > _LONGEST_READ:
            self._refuse("the archive's headers are out of proportion")
        data = self._stream.read(size)
        if said := data.rstrip(b"\0"):
            self._last = self._bytes + len(said)
        self._bytes += len(data)
        if self._bytes > self._most:
            self._refuse(f"what is packed grows more than {MAX_RATIO} times")
        return data

    def expect(self, size: int) -> None:
        """Refuse a member that would be out of proportion, before it is read or skipped."""
        if self._bytes + size > self._most:
            self._refuse(f"what is packed grows more than {MAX_RATIO} times")

    def is_done_at(self, offset: int) -> bool:
        """Whether the archive says there that it ends, and nothing but padding follows."""
        while self.read(CHUNK_BYTES):
            pass
        return self._last <= offset and self._bytes >= offset + tarfile.BLOCKSIZE

    def _refuse(self, why: str) -> NoReturn:
        self.is_used_up = True
        raise LimitExceeded(why, "unpack it and look at it first")


def _tar(path: Path, budget: _Budget) -> Iterator[Member | Problem]:
    with open_maybe_gzip(path) as stream:
        bounded = _Bounded(stream, path.stat().st_size)
        try:
            with tarfile.open(fileobj=bounded, mode="r|") as archive:
                for info in archive:
                    yield from _tar_member(archive, info, bounded, budget)
                if not bounded.is_done_at(archive.offset):
                    raise CorruptSource("the TAR is cut short, or another follows it; what stands there was not read")
        except (tarfile.TarError, ValueError, OverflowError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise CorruptSource("the TAR is damaged or cut short", "copy it again") from error
    yield from budget.problems()


def _tar_member(
    archive: tarfile.TarFile, info: tarfile.TarInfo, bounded: _Bounded, budget: _Budget
) -> Iterator[Member | Problem]:
    bounded.expect(info.size)
    if info.isdir():
        return
    try:
        if not (full_name := budget.admit(info.name)):
            return
        if not info.isreg() or info.issparse():
            raise UnsupportedFormat("links and devices")
        source = archive.extractfile(info)
        if source is None:
            raise UnsupportedFormat("links and devices")
    except UnsupportedFormat as error:
        budget.left_out[str(error)] += 1
        return
    try:
        yield budget.unpack(source, full_name, info.size, bounded.packed)  # type: ignore[arg-type]
    except ReadError as error:
        if budget.is_used_up or bounded.is_used_up:
            raise
        yield Problem(full_name, error)
