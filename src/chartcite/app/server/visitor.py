"""Who is asking: a bearer token, a login of a browser, or, on loopback before any user is made, the process's user."""

from __future__ import annotations

import hashlib
import os
import pwd
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request

from chartcite.app.server.desks import UNKNOWN
from chartcite.app.server.errors import ForgedRequest, TooMany
from chartcite.app.server.sessions import FIELD, HEADER
from chartcite.app.server.state import state_of
from chartcite.core.access import Permission, Visitor
from chartcite.core.errors import AccessDenied, ChartciteError, NotPermitted

_SAFE = ("GET", "HEAD", "OPTIONS")
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def denied() -> AccessDenied:
    """Which of unknown, expired and revoked it was is not said."""
    return AccessDenied("This needs a valid token.", "Send one as Authorization: Bearer TOKEN, or log in.")


async def enter(request: Request) -> AsyncIterator[Visitor]:
    """Let somebody in, within the limits, for as long as the request lasts.

    Raises:
        AccessDenied: no token, or one that is not valid.
        ForgedRequest: a write that a page of another site has sent.
        TooMany: more, or more at once, than one visitor may.
    """
    state = state_of(request)
    try:
        visitor, by_cookie = _known(request)
        if not _is_bearer(request):
            await _must_be_own(request, by_cookie=by_cookie)
        request.state.pseudonym = hashlib.sha256(state.salt + visitor.user.encode()).hexdigest()[:12]
        state.rates.take(visitor.user)
    except ChartciteError as error:
        await state.desks.turned_away(_user_of(request), error)
        raise
    try:
        state.at_once.begin(visitor.user)
    except TooMany as error:
        await state.desks.turned_away(visitor.user, error)
        raise
    try:
        request.state.visitor = visitor
        yield visitor
    finally:
        state.at_once.end(visitor.user)


Entered = Annotated[Visitor, Depends(enter)]


def may(permission: Permission) -> Callable[[Request, Visitor], Awaitable[Visitor]]:
    """A dependency: a visitor whose token allows a kind of use."""

    async def permitted(request: Request, visitor: Entered) -> Visitor:
        if permission not in visitor.permissions:
            error = NotPermitted(
                f"The token was not made for this ({permission}).", "Ask the operator for another one."
            )
            await state_of(request).desks.turned_away(visitor.user, error)
            raise error
        return visitor

    return permitted


Reader = Annotated[Visitor, Depends(may("read"))]
Ingester = Annotated[Visitor, Depends(may("ingest"))]
Reviewer = Annotated[Visitor, Depends(may("feedback"))]
Auditor = Annotated[Visitor, Depends(may("audit"))]
Admin = Annotated[Visitor, Depends(may("admin"))]


def _is_bearer(request: Request) -> bool:
    return "authorization" in request.headers


def _known(request: Request) -> tuple[Visitor, bool]:
    """The visitor, and whether a cookie says so. A header that is no valid token is never made good by a cookie."""
    state = state_of(request)
    if _is_bearer(request):
        scheme, _, token = request.headers["authorization"].partition(" ")
        if scheme.lower() != "bearer" or len(token) > 500:
            raise denied()
        return _by_token(request, token.strip()), False
    token_of_login = state.sessions.token(request)
    if token_of_login is not None:
        return _by_token(request, token_of_login), True
    if state.config.is_loopback and not state.access.has_users():
        return Visitor(_process_user(), is_local=True), False
    raise denied()


def _by_token(request: Request, token: str) -> Visitor:
    try:
        return state_of(request).access.visitor(token)
    except AccessDenied:
        raise denied() from None


def _user_of(request: Request) -> str:
    """Whom the audit trail names for a request that was turned away: the user where one is known."""
    try:
        return _known(request)[0].user
    except ChartciteError:
        return UNKNOWN


def _process_user() -> str:
    return pwd.getpwuid(os.geteuid()).pw_name


async def _must_be_own(request: Request, *, by_cookie: bool) -> None:
    """What a browser does by itself on behalf of another site is refused.

    Every browser tells with a write where it comes from (Origin, Sec-Fetch-Site). A login's writes need its token as
    well, and so does every form.
    """
    if request.method in _SAFE:
        return
    check_origin(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if by_cookie or kind in _FORMS or kind == "text/plain":
        await check_csrf(request)


def check_origin(request: Request) -> None:
    """Raises ForgedRequest where a browser says that the request comes from another site."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
    own = request.headers.get("host", "").lower()
    if site not in ("same-origin", "none") or (origin is not None and _place(origin) != own):
        raise _forged()


def _place(origin: str) -> str:
    """Host and port of an origin; of what is none, something that no host is."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # an address with a bracket that is not closed
        return "?"


async def check_csrf(request: Request) -> None:
    """Raises ForgedRequest where the token of the page is not sent: as field `csrf`, or as header X-CSRF-Token."""
    sessions = state_of(request).sessions
    given = request.headers.get(HEADER, "")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not given and kind == _FORMS[0]:
        given = str((await request.form()).get(FIELD, ""))
    elif not given and kind == _FORMS[1]:
        given = request.query_params.get(FIELD, "")  # an upload is not read before it is known whose it is
    if not sessions.is_own(request, given):
        raise _forged()


def _forged() -> ForgedRequest:
    return ForgedRequest("The request does not come from a page of this server.", "Load the page again, and repeat.")
