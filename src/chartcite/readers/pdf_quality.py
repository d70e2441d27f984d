"""Whether the characters of a page are the ones that its glyphs show."""

from __future__ import annotations

import unicodedata


def is_garbled(text: str) -> bool:
    """Mostly controls, private or unassigned characters: a font without a character map."""
    shown = [c for c in text if not c.isspace() and c != "\ufffe"]
    strange = sum(unicodedata.category(c) in {"Cc", "Co", "Cn"} or c == "\ufffd" for c in shown)
    return strange * 3 > len(shown)
