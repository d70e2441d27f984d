"""Reading pages from their images, in the sandbox's child: which engine, for how many pages, and for how long each.

The engine is named by its module, as the reader itself is: this room knows none of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from chartcite.core.errors import ChartciteError, EmptySource, LimitExceeded, ReadError
from chartcite.core.ocr import OcrEngine
from chartcite.core.reading import ReadOptions
from chartcite.readers.alive import page_begins
from chartcite.readers.ocr_words import words_on_page

if TYPE_CHECKING:
    from chartcite.core.ocr import GreyImage
    from chartcite.readers.pdf_words import Word

ADVICE = "install the extra (pip install 'chartcite[ocr]') and set ocr = \"rapidocr\""
DPI = 200
"""At which pages of a PDF are drawn to be read: below, points and signs are lost (docs/ocr.md)."""
MOST_PIXELS = 40_000_000
"""Of one page: A4 at 600 dpi has 35 million."""
_MEMORY_BYTES = 1_200 * 1024 * 1024


class TooLong(Exception):
    """A page took longer than it may."""


@dataclass(slots=True)
class PageOcr:
    """The OCR of one file, and what became of its pages."""

    options: ReadOptions
    read: int = 0
    too_long: list[int] = field(default_factory=list)
    too_large: list[int] = field(default_factory=list)
    not_begun: int = 0

    @property
    def engine_name(self) -> str:
        """As in the settings."""
        return self.options.ocr.rpartition(".")[2]

    @property
    def is_on(self) -> bool:
        """Whether an engine is configured."""
        return bool(self.options.ocr)

    def words(self, image: GreyImage, number: int) -> tuple[Word, ...]:
        """The words of a page; none where it has none, takes too long, or is one too many.

        Args:
            image: uint8 [height, width], 0 is black.
            number: of the page, from 1.

        Raises:
            EmptySource: the engine cannot be loaded.
        """
        if self.read + len(self.too_long) >= self.options.ocr_pages:
            self.not_begun += 1
            return ()
        if image.size > MOST_PIXELS:
            self.too_large.append(number)
            return ()
        _more_room(self.options.ocr_seconds, first=not self.read and not self.too_long)
        page_begins()
        engine = _engine(self.options.ocr)
        until = time.monotonic() + self.options.ocr_seconds

        def check_time() -> None:
            if time.monotonic() > until:
                raise TooLong

        try:
            page = engine.read(image, check_time)
        except TooLong:
            self.too_long.append(number)
            return ()
        self.read += 1
        return words_on_page(page)

    def said(self, total: str) -> Iterator[ReadError]:
        """For the ledger: how many pages were read so, and which were not."""
        if self.read:
            yield EmptySource(f"{self.read:,} of {total} read by OCR ({self.engine_name}): compare figures")
        yield from self.failures()

    def failures(self) -> Iterator[ReadError]:
        """For the ledger: what was left out."""
        for number in self.too_long:
            yield LimitExceeded(
                f"page {number:,} took more than {self.options.ocr_seconds:g} s of OCR and was left out",
                "raise ocr_seconds_per_page, or leave it",
            )
        for number in self.too_large:
            yield LimitExceeded(f"page {number:,} is larger than {MOST_PIXELS // 1_000_000} million pixels")
        if self.not_begun:
            yield LimitExceeded(
                f"{self.not_begun:,} more need OCR: no more than {self.options.ocr_pages:,} pages of a file are read",
                "raise ocr_pages_per_file",
            )


@lru_cache(maxsize=1)
def _engine(module: str) -> OcrEngine:
    """Loaded once a child.

    Raises:
        EmptySource: it is not installed, or its files are not the pinned ones.
    """
    try:
        return cast(OcrEngine, import_module(module).load())
    except ModuleNotFoundError as error:
        raise EmptySource(f"the page needs OCR, and {error.name} is not installed", ADVICE) from error
    except ChartciteError as error:
        raise EmptySource(f"the page needs OCR, and the engine cannot be loaded: {error.args[0]}", ADVICE) from error


def _more_room(seconds: float, *, first: bool) -> None:
    """A page's processor time and, once a file, memory on top of what the sandbox gave; the parent's clock rules."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415

    used = resource.getrusage(resource.RUSAGE_SELF)
    _raise(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + 2 * seconds) + 2)
    if first:
        _raise(resource.RLIMIT_AS, resource.getrlimit(resource.RLIMIT_AS)[0] + _MEMORY_BYTES)


def _raise(limit: int, value: int) -> None:
    import resource  # noqa: PLC0415

    soft, hard = resource.getrlimit(limit)
    if soft != resource.RLIM_INFINITY and value > soft:
        resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
