"""Bytes of a source: opened through gzip, hashed, bounded, and with the operating system's complaints named.

Knows nothing of formats or characters.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from chartcite.core.errors import CorruptSource, LimitExceeded, ReadError, UnreadableSource

HEAD_BYTES = 4096
CHUNK_BYTES = 1 << 20
MAX_RECORD_BYTES = 64 << 20
"""One line of JSON Lines, NDJSON or CSV: room for a long note with its attachments, not for a memory bomb."""

_GZIP_MAGIC = b"\x1f\x8b"


@contextmanager
def named_errors() -> Iterator[None]:
    """Turn what the operating system and the standard library raise into a `ReadError` without any content."""
    try:
        yield
    except ReadError:
        raise
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise CorruptSource(
            "the gzip data are damaged or cut short", "copy or export the file again, and test it with gzip -t"
        ) from error
    except FileNotFoundError as error:
        raise UnreadableSource("the file is not there any more") from error
    except PermissionError as error:
        raise UnreadableSource("no permission to read the file", "change its permissions") from error
    except OSError as error:
        raise UnreadableSource(
            f"the operating system cannot read the file ({error.strerror or 'I/O error'})"
        ) from error
    except UnicodeError as error:
        raise CorruptSource("the bytes are not text in the encoding given", "leave the encoding to be found") from error
    except csv.Error as error:
        raise CorruptSource("the table cannot be split into cells") from error
    except RecursionError as error:
        raise CorruptSource("the data are nested too deeply") from error
    except MemoryError as error:
        raise LimitExceeded("reading the file took too much memory", "split the file") from error


def open_maybe_gzip(path: Path) -> BinaryIO:
    """Open a file for reading; gzip is recognised by its first bytes, whatever the file is called."""
    return cast(BinaryIO, gzip.open(path, "rb")) if _is_gzip(path) else path.open("rb")


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as plain:
        return plain.read(2) == _GZIP_MAGIC


def read_head(path: Path) -> bytes:
    """The first 4,096 bytes after gunzip; reads no more of the file than that needs."""
    with open_maybe_gzip(path) as stream:
        return stream.read(HEAD_BYTES)


def read_all(path: Path, limit: int, advice: str) -> bytes:
    """The whole file after gunzip.

    Raises:
        LimitExceeded: it holds more than `limit` bytes; no more than that is ever unpacked.
    """
    too_much = LimitExceeded(f"the file holds more than {limit >> 20:,} MiB", advice)
    if path.stat().st_size > limit and not _is_gzip(path):
        raise too_much
    with open_maybe_gzip(path) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise too_much
    return data


def sha256_of(path: Path) -> str:
    """Hexadecimal SHA-256 of the bytes as stored (before gunzip); memory does not grow with the file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Pieces of at most 1 MiB up to the end."""
    while chunk := stream.read(CHUNK_BYTES):
        yield chunk


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their number, counted from 1, without their end; None stands for a line over `MAX_RECORD_BYTES`."""
    number = 0
    while line := stream.readline(MAX_RECORD_BYTES):
        number += 1
        if len(line) < MAX_RECORD_BYTES or line.endswith(b"\n"):
            yield number, line.rstrip(b"\r\n")
            continue
        while (rest := stream.readline(CHUNK_BYTES)) and not rest.endswith(b"\n"):
            pass
        yield number, None


def bare_suffix(path: Path) -> str:
    """The suffix in lower case, seen through `.gz`: `.csv` for `notes.CSV.gz`; empty when there is none."""
    stem = path.name.lower()
    return Path(stem.removesuffix(".gz")).suffix


def bare_stem(name: str) -> str:
    """The file's name without folders, `.gz` and suffix."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    if last.lower().endswith(".gz"):
        last = last[:-3]
    return Path(last).stem
