"""What is left out of a page on purpose, as lines of the ledger: one wording for all formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from chartcite.core.errors import ReadError, UnsupportedFormat

Kind = Literal[
    "hidden", "struck", "deleted", "comments", "pictures", "signs", "references", "pictured", "embedded", "pieces"
]


NO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""For `str.translate`: characters of no width, shown as nothing; `5`, one of them and `0` are seen as 50."""


def left_out(counts: Counter[Kind]) -> Iterator[ReadError]:
    """A line for each kind that there was, in the order of their names."""
    for kind in sorted(counts):
        if counts[kind]:
            yield _line(kind, f"{counts[kind]:,}")


def _line(kind: Kind, count: str) -> ReadError:  # noqa: PLR0911 - a table of sentences
    match kind:
        case "hidden":
            return UnsupportedFormat(f"characters that a reader of the page cannot see, left out: {count}")
        case "struck":
            return UnsupportedFormat(f"characters that are struck out, left out: {count}")
        case "deleted":
            return UnsupportedFormat(f"characters that a tracked change deleted, left out: {count}")
        case "comments":
            return UnsupportedFormat(f"comments in the margin, left out: {count}")
        case "pictures":
            return UnsupportedFormat(f"pictures, left out: {count}")
        case "signs":
            return UnsupportedFormat(f"signs that no font or code page explains, shown as a mark: {count}")
        case "references":
            return UnsupportedFormat(f"references, which are no evidence of the article, left out: {count}")
        case "pictured":
            return UnsupportedFormat(f"tables and formulas that are pictures, left out: {count}")
        case "embedded":
            return UnsupportedFormat(f"embedded objects, charts and files, left out: {count}")
        case "pieces":
            return UnsupportedFormat(f"pieces in a form that is not read, left out: {count}")
