"""A word on stderr when a question over time takes longer than it must, because the rules changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chartcite.app.cli import output

if TYPE_CHECKING:
    from chartcite.library.book import Book

ENOUGH = 20
"""Fewer documents are read in no time."""


def hint(book: Book, patient: str | None) -> None:
    """Say it for a patient; nothing for a collection, which has no timeline."""
    if patient is not None and (unkept := book.unkept_findings(patient)) >= ENOUGH:
        output.warn(
            f"note: what {unkept:,} documents say over time was found by earlier rules and is read anew; "
            "`chartcite index` keeps it"
        )
