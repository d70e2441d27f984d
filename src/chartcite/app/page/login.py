"""Signing in with a token and out again. The token is sent once; after that a cookie stands for it."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from chartcite.app.page.pages import page, words_of
from chartcite.app.page.said import said_of
from chartcite.app.server.desks import UNKNOWN
from chartcite.app.server.errors import ForgedRequest, TooMany
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Entered, check_csrf, check_origin
from chartcite.core.errors import AccessDenied

router = APIRouter(include_in_schema=False)


@router.get("/login")
async def login_page(request: Request, next: str = "/") -> Response:  # noqa: A002 - the name in the address
    """The form."""
    return page(request, "login.html", error=None, next=own_path(next))


@router.post("/login")
async def login(request: Request, token: str = Form(""), next: str = Form("/")) -> Response:  # noqa: A002
    """Begin a session; a token that is not valid is refused without saying why, and so many a minute."""
    state = state_of(request)
    try:
        state.logins.take(request.client.host if request.client else "")
        check_origin(request)
        await check_csrf(request)
    except (ForgedRequest, TooMany) as error:
        await state.desks.turned_away(UNKNOWN, error)
        raise
    try:
        visitor = state.access.visitor(token.strip()[:500])
    except AccessDenied as error:
        await state.desks.turned_away(UNKNOWN, error)
        said = said_of(
            AccessDenied("This needs a valid token.", "Ask whoever runs this server for one."), words_of(request)
        )
        return page(request, "login.html", 401, error=said, next=own_path(next))
    response = RedirectResponse(own_path(next), 303)
    state.sessions.forget(request)  # a login of before ends with the one that takes its place
    state.sessions.begin(token.strip(), response)
    await state.desks.entered(visitor.user)
    return response


@router.post("/logout")
async def logout(request: Request, _visitor: Entered) -> Response:
    """End the session."""
    response = RedirectResponse("/login", 303)
    state_of(request).sessions.end(request, response)
    response.headers["Clear-Site-Data"] = '"storage"'
    return response


def own_path(asked: str) -> str:
    r"""Where to go on: a path of this server, never another site.

    >>> own_path("/p/a?lang=pt"), own_path("//evil.example"), own_path("/\\evil.example"), own_path("https://x")
    ('/p/a?lang=pt', '/', '/', '/')
    """
    try:
        parts = urlsplit(asked)
    except ValueError:  # an address with a bracket that is not closed
        return "/"
    is_own = asked.startswith("/") and not asked.startswith(("//", "/\\")) and not parts.scheme and not parts.netloc
    return asked if is_own and asked.isprintable() and "\\" not in asked else "/"
