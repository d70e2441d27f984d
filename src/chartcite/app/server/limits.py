"""How much, how often and how long: bodies, requests at once, requests a minute."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chartcite.app.server.errors import Busy, InvalidRequest, TooLarge, TooMany, TooSlow
from chartcite.app.server.problems import respond

_UNCOUNTED = ("/healthz", "/readyz", "/assets/")
_MOST_KNOWN = 10_000
_LARGE = ("/api/v1/ingest", "/ledger")
"""Where a body may be as large as an upload."""
_WHOLE_ANSWERS = ("/verify", "/export", "/feedback")
"""Ends of paths to which an answer is sent back whole."""


class Bodies:
    """A body that is too large, or comes too slowly, is refused: before it is read where its length is told."""

    def __init__(self, app: ASGIApp, *, most_bytes: int, answer_bytes: int, upload_bytes: int, seconds: float) -> None:
        self.app, self.most, self.answer, self.upload = app, most_bytes, answer_bytes, upload_bytes
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_upload = scope["path"] in _LARGE
        most = self.upload if is_upload else self._most_of(scope["path"])
        seconds = self.seconds * (30 if is_upload else 1)
        heads = dict(scope["headers"])
        if b"transfer-encoding" in heads and b"content-length" in heads:  # a proxy may see the end elsewhere
            await _refuse_for_good(scope, receive, send)
            return
        told = heads.get(b"content-length", b"0")
        if not told.isdigit() or int(told) > most:
            await respond(Request(scope, receive), _too_large(most))(scope, receive, send)
            return
        seen, is_whole, begun = 0, False, time.monotonic()
        started = False

        async def counted() -> Message:
            nonlocal seen, is_whole
            if is_whole:  # only the end of the connection is still waited for
                return await receive()
            left = seconds - (time.monotonic() - begun)
            try:
                message = await asyncio.wait_for(receive(), max(left, 0.001))
            except TimeoutError:
                raise TooSlow("The body of the request did not come in time.", "Send it again, at once.") from None
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                is_whole = not message.get("more_body", False)
                if seen > most:
                    raise _too_large(most)
            return message

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, counted, watch)
        except (TooLarge, TooSlow) as error:
            if started:
                raise
            await respond(Request(scope, receive), error)(scope, receive, send)

    def _most_of(self, path: str) -> int:
        return self.answer if path.endswith(_WHOLE_ANSWERS) else self.most


async def _refuse_for_good(scope: Scope, receive: Receive, send: Send) -> None:
    """What follows on the connection may be a part of the body: nothing more is read from it."""
    error = InvalidRequest("The request states its length in two ways.", "State it in one.")
    response = respond(Request(scope, receive), error)
    response.headers["connection"] = "close"
    await response(scope, receive, send)


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"The body of the request is larger than {most:,} bytes.", "Send less at once.")


class InFlight:
    """At most so many requests at once; one more is told to come again. None after `close`."""

    def __init__(self, app: ASGIApp, *, most: int, closing: Callable[[], bool]) -> None:
        self.app, self.most, self.closing, self.now = app, most, closing, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["path"].startswith(_UNCOUNTED):
            await self.app(scope, receive, send)
            return
        if self.closing() or self.now >= self.most:
            error = Busy("The server has too much to do just now.", "Try again in a moment.", retry_after=2)
            await respond(Request(scope, receive), error)(scope, receive, send)
            return
        self.now += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.now -= 1


class Buckets:
    """A token bucket for each name: `burst` together, then `rate` a minute. Safe for threads."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second, self.burst, self.clock = rate / 60, burst, clock
        self._lock = threading.Lock()
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> None:
        """One more.

        Raises:
            TooMany: the bucket is empty; it says when not.
        """
        with self._lock:
            now = self.clock()
            level, then = self._levels.pop(name, (float(self.burst), now))
            level = min(float(self.burst), level + (now - then) * self.per_second)
            taken = level >= 1
            self._levels[name] = (level - 1 if taken else level, now)
            while len(self._levels) > _MOST_KNOWN:
                self._levels.popitem(last=False)
        if not taken:
            wait = (1 - level) / self.per_second
            raise TooMany("Too many requests have come from you.", "Wait a little.", retry_after=wait)


class AtOnce:
    """At most so many requests of one name at once. Safe for threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._now: dict[str, int] = {}

    def begin(self, name: str) -> None:
        """One request of a name more.

        Raises:
            TooMany: as many as may be are being worked at.
        """
        with self._lock:
            if self._now.get(name, 0) >= self.most:
                raise TooMany("Too many of your requests are being worked at.", "Wait for one of them.", retry_after=1)
            self._now[name] = self._now.get(name, 0) + 1

    def end(self, name: str) -> None:
        """One request of a name less."""
        with self._lock:
            self._now[name] -= 1
            if not self._now[name]:
                del self._now[name]
