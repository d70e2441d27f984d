"""How a model is told what it reads: whom the sources are about, when and in what a sentence was written."""

from __future__ import annotations

from chartcite.cascade.inquiry import Inquiry
from chartcite.core.answer import Evidence


def whom(inquiry: Inquiry) -> str:
    """What the sources are about."""
    return "medicine" if inquiry.is_collection else "a patient"


def described(item: Evidence, inquiry: Inquiry) -> str:
    """When and in what a sentence was written, on one line."""
    info = inquiry.shelf.info(item.key)
    parts = (info.time.date if info.time else "undated", info.note_type or info.title)
    return ", ".join(" ".join(part.split()) for part in parts if part)
