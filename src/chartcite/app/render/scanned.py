"""Whether an entry of a timeline was read from images, and whether it could hardly be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from chartcite.core.answer import UNSURE_OCR

if TYPE_CHECKING:
    from chartcite.records.entries import Source

Reading = Literal["", "read", "unsure"]
"""`read`: recognised from an image. `unsure`: with a word that could hardly be read."""


def reading_of(sources: Sequence[Source]) -> Reading:
    """How an entry was read: by its surest source; a source of written text needs no reading."""
    confidences = [source.ocr_confidence for source in sources]
    known = [one for one in confidences if one is not None]
    if not known or len(known) < len(confidences):
        return ""
    return "unsure" if max(known) < UNSURE_OCR else "read"
