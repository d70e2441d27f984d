"""A quoted unit as a sentence to read: list marker off, line ends folded, closed with a full stop."""

from __future__ import annotations

import re

_MARKER = re.compile(r"^\s*(?:[-*•◦‣·–]+\s+|[-*•◦‣·](?=\w)|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s+|#{1,6}\s+|\|\s*)")
_OPEN_END = re.compile(r"[\s,;:|]+$")


def as_statement(quote: str) -> str:
    r"""The quote for reading; its words and numbers are untouched.

    >>> as_statement("1. Prednisone 40 mg\n   daily x 5 days")
    'Prednisone 40 mg daily x 5 days.'
    """
    folded = " ".join(_MARKER.sub("", quote, count=1).split())
    folded = _OPEN_END.sub("", folded) or " ".join(quote.split())
    return folded if folded.endswith((".", "!", "?", ".)", '."', ".”")) else folded + "."
