"""Layer 1: does a stored citation still exist? Span, quote and hash against the document's text of today."""

from __future__ import annotations

from typing import Literal

from chartcite.core.documents import text_sha256

Problem = Literal["missing", "out of range", "quote differs", "text changed", "moved", "quote gone"]


def check_quote(document_text: str | None, start: int, end: int, quote: str, sha256: str) -> tuple[Problem, ...]:
    """What is wrong with a stored citation; empty when all of it holds.

    Args:
        document_text: the text today; None when the document is gone.
        start: first code point of the span.
        end: one past its last.
        quote: what `document_text[start:end]` was.
        sha256: hash of the whole text then, with or without `sha256:` in front.

    Returns:
        `missing`; or any of `text changed`, `out of range`, `quote differs`, and then either `moved` (the quote stands
        elsewhere in the text) or `quote gone`.
    """
    if document_text is None:
        return ("missing",)
    problems: list[Problem] = []
    if text_sha256(document_text) != sha256.removeprefix("sha256:").lower():
        problems.append("text changed")
    is_inside = 0 <= start < end <= len(document_text)
    if not is_inside:
        problems.append("out of range")
    elif document_text[start:end] != quote:
        problems.append("quote differs")
    if not is_inside or document_text[start:end] != quote:
        problems.append("moved" if quote.strip() and quote in document_text else "quote gone")
    return tuple(problems)
