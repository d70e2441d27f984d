"""Bodies of hostile formats inside sources that are not hostile: parsed in a child process, one after the other.

The child starts with the first such body and ends with the source.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, cast

from chartcite.core.errors import CorruptSource, ReadError
from chartcite.core.reading import Found, Reader, ReadOptions
from chartcite.readers.embedded import Body

if TYPE_CHECKING:
    from chartcite.readers.sandbox import Sandbox


class Apart:
    """Used as a block around the reading of one source."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._stack = ExitStack()
        self._made: tuple[Sandbox, Path] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def body(self, data: bytes, name: Literal["pdf", "docx", "rtf"]) -> Body:
        """The text of an attachment in a format of pages, and what is wrong with it or was left out.

        Raises:
            ReadError: as the format's reader, or that it took too much time or memory.
        """
        from chartcite.readers.sandbox import Sandbox  # noqa: PLC0415 - most sources have no such attachment

        reader = cast(Reader, import_module(f"chartcite.readers.{name}").READER)
        if self._made is None:
            folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="chartcite-"))
            self._made = self._stack.enter_context(Sandbox()), Path(folder)
        sandbox, place = self._made
        path = place / f"attachment.{name}"
        path.write_bytes(data)
        items = list(sandbox.read(reader, path, path.name, "", self._options))
        found = next((item.document for item in items if isinstance(item, Found)), None)
        if found is None:
            raise CorruptSource("an attachment gave no document")
        said = (item.error for item in items if not isinstance(item, Found))
        problems = tuple(error for error in said if isinstance(error, ReadError))
        shown = "application/pdf" if name == "pdf" else name
        return Body(found.text, shown, found.pages, found.hidden, problems, found.words, found.running, found.units)
