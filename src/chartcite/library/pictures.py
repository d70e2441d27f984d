"""Pictures of pages: the kept bytes of a document's file, drawn in the sandbox."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chartcite.core.reading import PagePicture, ReadOptions
    from chartcite.readers.sandbox import Sandbox


def picture(data: bytes, options: ReadOptions, sandbox: Sandbox) -> PagePicture:
    """Page `options.page` of a PDF or an image.

    Raises:
        ReadError: there is no such page, it cannot be drawn, or it takes too much time or memory.
    """
    with _as_file(data) as path:
        return sandbox.picture(path, options)


@contextmanager
def _as_file(data: bytes) -> Iterator[Path]:
    """A path that the child can read, in memory where the system has that: no page of a record stays on a disk."""
    if hasattr(os, "memfd_create") and Path("/proc/self/fd").is_dir():
        number = os.memfd_create("page")
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            yield Path(f"/proc/{os.getpid()}/fd/{number}")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page"
        path.write_bytes(data)
        yield path
