"""Puts the pages into an application."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI, Response

from chartcite.app.page import ask, documents, exports, lab, ledger, login, start, timeline
from chartcite.app.page.pages import asset
from chartcite.app.page.paths import Names
from chartcite.app.page.said import error_page
from chartcite.app.server.errors import NotHere

_ASSETS = {
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_assets = APIRouter(include_in_schema=False)


@_assets.get("/assets/{name}")
async def built(name: str) -> Response:
    """A built file; its address changes with its content."""
    if name not in _ASSETS:
        raise NotHere("There is nothing at this address.", "Begin at the start page.")
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(asset(name), media_type=_ASSETS[name], headers=kept)


ROUTERS = (
    start.router, timeline.router, documents.router, exports.router, ask.router, ledger.router, lab.router,
    login.router, _assets,
)  # fmt: skip
"""More pages are one more line here."""


def add_pages(app: FastAPI) -> None:
    """Routes, the form of errors, and names with slashes."""
    for router in ROUTERS:
        app.include_router(router)
    app.state.error_page = error_page
    app.add_middleware(Names)
