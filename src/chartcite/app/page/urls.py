"""Addresses of pages. A patient's name is one percent-encoded part of a path, whatever it holds."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from chartcite.core.scope import Scope


def place_url(scope: Scope, *parts: str) -> str:
    """The page of a partition, or one below it.

    >>> place_url(Scope.patient("a/b ü"), "timeline"), place_url(Scope.collection("x"))
    ('/p/a%2Fb%20%C3%BC/timeline', '/c/x')
    """
    return "/".join(("/p" if scope.kind == "patient" else "/c", quote(scope.name, safe=""), *parts))


def document_address(scope: Scope, doc_id: str) -> str:
    """A document's page, without a span."""
    return place_url(scope, "d", quote(doc_id, safe="", errors="replace"))


def document_url(scope: Scope, doc_id: str, start: int, end: int) -> str:
    """A document with a span shown; the browser goes to the mark."""
    asked = urlencode({"start": start, "end": end})
    return f"{document_address(scope, doc_id)}?{asked}#mark"
