"""A quoted unit as a sentence to read: list marker off, line ends folded, closed with a full stop."""

from __future__ import annotations

import re

_MARKER = re.compile(r"^\s*(?:[-*•◦‣·–]+\s*|\(?\d{1,3}[.)]\s+|\(?[a-z]\)\s+)")
_HASHES = re.compile(r"^\s*#{1,6}\s+")  # of a Markdown title or a problem list
_OPEN_END = re.compile(r"[\s,;:|]+$")


def as_statement(quote: str, *, is_item: bool = False) -> str:
    r"""The quote for reading; its words and numbers are untouched. Only a list item has a marker to lose.

    >>> as_statement("1. Prednisone 40 mg\n   daily x 5 days", is_item=True)
    'Prednisone 40 mg daily x 5 days.'
    >>> as_statement("E. coli in the urine")
    'E. coli in the urine.'
    """
    bare = _HASHES.sub("", _MARKER.sub("", quote, count=1) if is_item else quote, count=1)
    folded = " ".join(bare.split())
    folded = _OPEN_END.sub("", folded) or " ".join(quote.split())
    return folded if folded.endswith((".", "!", "?", ".)", '."', ".”")) else folded + "."
