"""One JSON request to a server that the user named: no proxy, no redirect, a time limit, retries that wait as asked.

Neither a proxy of the environment nor a redirect may carry text to another place, so neither is followed. What a server
says in an error may repeat the text; only its status is reported.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import math
import random
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

from chartcite.core.chat import Stop
from chartcite.core.errors import EndpointFailed, ModelRefused
from chartcite.models.http_incoming import Incoming
from chartcite.models.http_watch import watched

T = TypeVar("T")
_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
_NOT_SO = frozenset({400, 415, 422, 501})
_LONGEST_WAIT_S = 60.0
_LONGEST_CONNECT_S = 20.0


class TooMuch(EndpointFailed):
    """The server takes less at once (status 413)."""


class Refused(EndpointFailed):
    """The server does not take such a request (status 400, 415, 422 or 501)."""


class _Status(Exception):
    """The server answered with another status than 200."""

    def __init__(self, status: int, after: str | None) -> None:
        super().__init__(status)
        self.status, self.after = status, after


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's base URL (for example `http://127.0.0.1:8000/v1`) and how patient to be with it.

    Attributes:
        key: never shown.
        timeout_s: of one try.
        retries: tries after the first.
        retries_late: whether what took too long is tried again.
        most_bytes: of an answer.
        key_name: the variable that the key is given by.
        described: where the endpoint's settings are.
        passes_on: whether it stands on this machine and sends what it gets to another one.
        sleep, now, jitter: there for tests; the jitter is a number from 0 to 1.
    """

    url: str
    key: str = field(default="", repr=False)
    timeout_s: float = 60.0
    retries: int = 4
    plain_http: bool = False
    key_name: str = "CHARTCITE_ENCODER_KEY"
    described: str = "endpoint.json"
    retries_late: bool = True
    most_bytes: int = 256 << 20
    passes_on: bool = False
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    jitter: Callable[[], float] = random.random

    def check(self) -> None:
        """Refuse a URL that cannot be used.

        Raises:
            ModelRefused: another scheme, a password in it, or plain http to another machine.
        """
        if not all("!" <= char <= "~" for char in self.key):
            raise ModelRefused("The endpoint's key holds what no key can hold.", f"Set {self.key_name} anew.")
        if not _is_url(self.url):
            raise ModelRefused(
                "The endpoint's url is not one of http or https.", "For example http://127.0.0.1:8000/v1"
            )
        parts = urlsplit(self.url)
        if parts.username or parts.password:
            raise ModelRefused("The endpoint's url holds a password.", f"Give the key as {self.key_name}.")
        if parts.scheme == "http" and not self._is_here and not self.plain_http:
            raise ModelRefused(
                "The endpoint's url would send text to another machine without encryption.",
                "Use https." + (f" Or say plain_http in {self.described}." if "." in self.described else ""),
            )

    @property
    def is_remote(self) -> bool:
        """Whether text that it gets reaches another machine."""
        return self.passes_on or not self._is_here

    @property
    def _is_here(self) -> bool:
        return _is_loopback(urlsplit(self.url).hostname or "")

    def check_remote(self, *, allowed: bool) -> None:
        """Refuse another machine unless it was allowed.

        Raises:
            ModelRefused: text would leave this machine.
        """
        if self.is_remote and not allowed:
            raise ModelRefused(
                "The endpoint is on another machine or passes text on to one, and text of the record would go there.",
                "Set allow_remote = true if it may, or name one on this machine.",
            )

    def post(self, path: str, body: Mapping[str, Any], stop: Stop | None = None) -> Any:
        """Send an object, return the answer's; raises as `converse` does, also where something else than JSON comes."""
        return self.converse(path, body, lambda incoming: incoming.json(), stop)

    def get(self, path: str, *, at_root: bool = False) -> Any:
        """The object at a path below the base URL, or below the server's root; raises as `converse` does."""
        return self._tried("GET", path, None, lambda incoming: incoming.json(), None, at_root=at_root)

    def converse(
        self, path: str, body: Mapping[str, Any], read: Callable[[Incoming], T], stop: Stop | None = None
    ) -> T:
        """Send an object and give what comes to `read` while it comes; return what `read` makes of it.

        Args:
            path: below the base URL.
            body: the object.
            read: raises `EndpointFailed` where it cannot use what comes; that is not tried again.
            stop: when to give up all tries.

        Raises:
            EndpointFailed: not reached, refused, or unusable, after all retries.
            TooMuch: status 413.
            Refused: see there.
            Cancelled: as `stop` says.
        """
        return self._tried("POST", path, json.dumps(body, ensure_ascii=False).encode(), read, stop)

    def _tried(
        self, method: str, path: str, data: bytes | None, read: Callable[[Incoming], T], stop: Stop | None,
        *, at_root: bool = False,
    ) -> T:  # fmt: skip
        until = math.inf if stop is None or stop.at is None else stop.at
        wait = 0.5
        for attempt in range(self.retries + 1):
            if stop is not None:
                stop.check()
            after = None
            try:
                this_try = min(until, time.monotonic() + self.timeout_s)
                return self._once(method, path, data, read, this_try, stop, at_root)
            except TimeoutError as error:
                failure = EndpointFailed("The endpoint took too long.", "Is the server busy? Raise the time limit.")
                if not self.retries_late:
                    raise failure from error
            except (OSError, http.client.HTTPException) as error:
                failure = EndpointFailed(
                    f"The endpoint cannot be reached ({type(error).__name__}).", "Is the server running? Check the url."
                )
            except _Status as answered:
                failure, after = self._failure(answered.status), answered.after
                if answered.status not in _AGAIN:
                    raise failure from None
            if attempt < self.retries:
                asked = self._seconds(after)
                # Clients that were turned away together must not come back together: the jitter follows no seed.
                pause = wait * (1 + self.jitter()) if asked is None else min(_LONGEST_WAIT_S, asked)
                if time.monotonic() + pause >= until:
                    break
                (stop.sleep if stop is not None else self.sleep)(pause)
                wait *= 2
        raise failure

    def _once(
        self, method: str, path: str, data: bytes | None, read: Callable[[Incoming], T], until: float,
        stop: Stop | None, at_root: bool,
    ) -> T:  # fmt: skip
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        seconds = max(0.001, until - time.monotonic())
        connection = kind(parts.hostname or "", parts.port, timeout=min(seconds, _LONGEST_CONNECT_S))
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        base = "" if at_root else parts.path.rstrip("/")
        try:
            connection.connect()
            socket = connection.sock
            socket.settimeout(seconds)
            with watched(connection, until, stop) as watch:
                try:
                    connection.request(method, base + path, data, headers)
                    with closing(connection.getresponse()) as answer:
                        if answer.status != 200:
                            raise _Status(answer.status, answer.getheader("Retry-After"))
                        return read(Incoming(answer, socket, self.most_bytes))
                except (OSError, http.client.HTTPException, EndpointFailed, ValueError) as error:
                    if stop is not None and watch.cut == "cancelled":
                        stop.check()
                    if watch.cut:
                        raise TimeoutError from None
                    if isinstance(error, ValueError):  # a connection closed under the reader's hands
                        raise http.client.HTTPException from error
                    raise
        finally:
            connection.close()

    def _failure(self, status: int) -> EndpointFailed:
        if status == 413:
            return TooMuch("The endpoint takes less text at once (status 413).", f"Send less: see {self.described}.")
        if status in (401, 403):
            return EndpointFailed(f"The endpoint refuses the key (status {status}).", f"Set {self.key_name}.")
        if 300 <= status < 400:
            return EndpointFailed(
                f"The endpoint sends on to another place (status {status}); text is not sent there.", "Name that url."
            )
        if status in (404, 405):
            return EndpointFailed(
                f"The endpoint has no such path or model (status {status}).", f"Check {self.described}."
            )
        if status in _NOT_SO:
            return Refused(f"The endpoint does not take this (status {status}).", f"Check {self.described}.")
        advice = "Try again later." if status in _AGAIN else f"Check {self.described}."
        return EndpointFailed(f"The endpoint answered with status {status}.", advice)

    def _seconds(self, after: str | None) -> float | None:
        """What `Retry-After` asks for: seconds, or a date (RFC 9110, 10.2.3)."""
        if after is None:
            return None
        if after.strip().isascii() and after.strip().isdigit():
            return float(after)
        try:
            until = parsedate_to_datetime(after)
        except (ValueError, OverflowError):
            return None
        return max(0.0, (until - self.now()).total_seconds()) if until.tzinfo else None


def server_of(url: str) -> str:
    """Scheme, host and port of a url: who gets what is sent there, its key among it.

    >>> server_of("https://Host.example/v1") == server_of("https://host.example/other")
    True
    """
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    except ValueError:
        return url
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"


def _is_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return known and not parts.query and all("!" <= char <= "~" for char in url)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
