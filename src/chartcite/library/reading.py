"""How sources are read, by the settings."""

from __future__ import annotations

from dataclasses import replace

from chartcite.core.errors import UnknownImplementation
from chartcite.core.reading import ReadOptions
from chartcite.library.registry import ROOMS, known
from chartcite.library.settings import Settings


def reading_options(settings: Settings, given: ReadOptions | None = None) -> ReadOptions:
    """What a caller gave, with the limits of the settings and the OCR engine that they name.

    Raises:
        UnknownImplementation: there is no such engine. One whose library is lacking costs only the files that need it.
    """
    ocr = "" if settings.ocr == "off" else f"{ROOMS['ocr']}.{settings.ocr}"
    if ocr and settings.ocr not in known("ocr"):
        raise UnknownImplementation(
            f"There is no ocr called {settings.ocr!r}.", f"Known: off, {', '.join(known('ocr'))}."
        )
    return replace(
        given or ReadOptions(), max_seconds=settings.max_seconds_per_file,
        max_bytes_memory=settings.max_mb_per_file << 20, ocr=ocr, ocr_seconds=settings.ocr_seconds_per_page,
        ocr_pages=settings.ocr_pages_per_file,
    )  # fmt: skip
