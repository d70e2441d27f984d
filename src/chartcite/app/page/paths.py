"""Names in the path of a page. A slash in a name comes percent-encoded, and must not end the name before it is read."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import unquote_to_bytes

from fastapi import Depends, Request
from starlette.types import ASGIApp, Receive, Scope, Send

_OWN = (b"/p/", b"/c/")


class Names:
    """Middleware: in pages of partitions a slash within a name stays `%2F` (and a percent sign `%25`) in the path."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        raw: bytes = scope.get("raw_path") or b"" if scope["type"] == "http" else b""
        if raw.startswith(_OWN):
            # In place: who logs the request, outside of this, reads the route from the same scope.
            scope["path"] = "/".join(map(_kept, raw.partition(b"?")[0].split(b"/")))
        await self.app(scope, receive, send)


def _kept(part: bytes) -> str:
    return unquote_to_bytes(part).decode("utf-8", "replace").replace("%", "%25").replace("/", "%2F")


def name_of(kept: str) -> str:
    """A name as it was before `Names` kept its slashes.

    >>> name_of("a%2Fb 50%25")
    'a/b 50%'
    """
    return kept.replace("%2F", "/").replace("%25", "%")


def _patient(request: Request) -> str:
    return name_of(request.path_params["patient"])


def _collection(request: Request) -> str:
    return name_of(request.path_params["collection"])


def _doc_id(request: Request) -> str:
    return name_of(request.path_params["doc_id"])


PatientName = Annotated[str, Depends(_patient)]
"""Of a route with `{patient}` in its path; `CollectionName` and `DocId` likewise."""
CollectionName = Annotated[str, Depends(_collection)]
DocId = Annotated[str, Depends(_doc_id)]
