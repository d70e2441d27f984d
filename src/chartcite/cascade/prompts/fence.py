"""Fences around text of a record or a person in a prompt: data, marked as such."""

from __future__ import annotations

import hashlib


def fenced(name: str, text: str) -> str:
    """The text between marks that it cannot hold: they bear a hash of it.

    >>> print(fenced("message", "x"))
    <message-2d711642>
    x
    </message-2d711642>
    """
    mark = f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return f"<{mark}>\n{text}\n</{mark}>"
