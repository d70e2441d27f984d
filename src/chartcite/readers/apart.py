"""Bodies of hostile formats inside sources that are not hostile: parsed in a child process, one after the other.

The child starts with the first such body and ends with the source.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from chartcite.core.errors import CorruptSource, ReadError
from chartcite.core.reading import Found, ReadOptions
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

    def pdf(self, data: bytes) -> Body:
        """The text of a PDF, with its pages, what cannot be seen of it, and what is wrong with single pages.

        Raises:
            ReadError: as the PDF's reader, or that it took too much time or memory.
        """
        from chartcite.readers.pdf import READER  # noqa: PLC0415 - most sources have no PDF in them
        from chartcite.readers.sandbox import Sandbox  # noqa: PLC0415

        if self._made is None:
            folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="chartcite-"))
            self._made = self._stack.enter_context(Sandbox()), Path(folder)
        sandbox, place = self._made
        path = place / "attachment.pdf"
        path.write_bytes(data)
        items = list(sandbox.read(READER, path, "attachment.pdf", "", self._options))
        found = next((item.document for item in items if isinstance(item, Found)), None)
        if found is None:
            raise CorruptSource("the PDF of an attachment gave no document")
        said = (item.error for item in items if not isinstance(item, Found))
        problems = tuple(error for error in said if isinstance(error, ReadError))
        return Body(found.text, "application/pdf", found.pages, found.hidden, problems, found.words, found.running)
