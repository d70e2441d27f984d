"""Logins of browsers: a token once, then a cookie that no script reads and no other site sends.

What is kept is in memory: a restart logs everybody out. The token is looked up at every request, so that one that is
revoked or expires ends its sessions too. Ids are kept as hashes.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import Response

COOKIE = "chartcite_session"
FIELD, HEADER = "csrf", "x-csrf-token"
_MOST = 10_000


@dataclass(slots=True)
class _Session:
    token: str
    begun: float
    seen: float


class Sessions:
    """All logins of one server. Safe for threads."""

    def __init__(
        self, *, hours: float, idle_minutes: float, is_tls: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds, self.idle, self.is_tls, self.clock = hours * 3600, idle_minutes * 60, is_tls, clock
        self._secret = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._open: dict[bytes, _Session] = {}

    @property
    def cookie(self) -> str:
        """Its name; with TLS a browser takes it from this host alone."""
        return f"__Host-{COOKIE}" if self.is_tls else COOKIE

    def begin(self, token: str, response: Response) -> None:
        """Log in: the response sets the cookie. The token must have been looked up before."""
        name, now = secrets.token_urlsafe(32), self.clock()
        with self._lock:
            self._drop_old(now)
            while len(self._open) >= _MOST:
                del self._open[min(self._open, key=lambda one: self._open[one].seen)]
            self._open[_hashed(name)] = _Session(token, now, now)
        response.set_cookie(
            self.cookie, name, max_age=int(self.seconds), path="/", secure=self.is_tls, httponly=True, samesite="strict"
        )

    def end(self, request: Request, response: Response) -> None:
        """Log out, here and in the browser."""
        self.forget(request)
        response.delete_cookie(self.cookie, path="/", secure=self.is_tls, httponly=True, samesite="strict")

    def forget(self, request: Request) -> None:
        """End the login that a request comes with, if there is one."""
        with self._lock:
            self._open.pop(_hashed(request.cookies.get(self.cookie, "")), None)

    def token(self, request: Request) -> str | None:
        """The token behind a request's cookie; None where there is none, or the login has ended."""
        name = request.cookies.get(self.cookie)
        if not name:
            return None
        with self._lock:
            now = self.clock()
            self._drop_old(now)
            session = self._open.get(_hashed(name))
            if session is None:
                return None
            session.seen = now
            return session.token

    def csrf(self, request: Request) -> str:
        """What a form of a page must send back (`csrf`), bound to the login; before one, to this server."""
        name = request.cookies.get(self.cookie, "")
        return hmac.digest(self._secret, b"csrf" + _hashed(name), "sha256").hex()

    def is_own(self, request: Request, given: str) -> bool:
        """Whether what came back is what was given out."""
        return hmac.compare_digest(self.csrf(request).encode(), given.encode("utf-8", "replace"))

    def _drop_old(self, now: float) -> None:
        for name, one in list(self._open.items()):
            if now - one.begun > self.seconds or now - one.seen > self.idle:
                del self._open[name]


def _hashed(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "replace")).digest()
