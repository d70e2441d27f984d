"""One JSON request to a server that the user named: no proxy, no redirect, a time limit, retries that wait as asked.

Neither a proxy of the environment nor a redirect may carry text to another place, so neither is followed. What a server
says in an error may repeat the text; only its status is reported.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import urlsplit

from chartcite.core.errors import EndpointFailed, ModelRefused

_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
_NOT_SO = frozenset({400, 404, 405, 415, 422, 501})
_MOST_BYTES = 256 << 20
_LONGEST_WAIT_S = 60.0


class TooMuch(EndpointFailed):
    """The server takes less at once (status 413)."""


class Refused(EndpointFailed):
    """The server does not take such a request (status 400, 404, 405, 415, 422 or 501)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's base URL (for example `http://127.0.0.1:8000/v1`) and how patient to be with it.

    `key` is never shown; `key_name` is the variable it is given by, `described` where the endpoint's settings are.
    `sleep` and `now` are there for tests.
    """

    url: str
    key: str = field(default="", repr=False)
    timeout_s: float = 60.0
    retries: int = 4
    plain_http: bool = False
    key_name: str = "CHARTCITE_ENCODER_KEY"
    described: str = "endpoint.json"
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

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
        if parts.scheme == "http" and self.is_remote and not self.plain_http:
            raise ModelRefused(
                "The endpoint's url would send text to another machine without encryption.",
                "Use https." + (f" Or say plain_http in {self.described}." if "." in self.described else ""),
            )

    @property
    def is_remote(self) -> bool:
        """Whether it is on another machine."""
        return not _is_loopback(urlsplit(self.url).hostname or "")

    def check_remote(self, *, allowed: bool) -> None:
        """Refuse another machine unless it was allowed.

        Raises:
            ModelRefused: text would leave this machine.
        """
        if self.is_remote and not allowed:
            raise ModelRefused(
                "The endpoint is on another machine, and text of the record would go there.",
                "Set allow_remote = true if it may, or name one on this machine.",
            )

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send an object, return the answer's.

        Raises:
            EndpointFailed: not reached, refused, or something else than JSON came back, after all retries.
            TooMuch: status 413.
        """
        data = json.dumps(body, ensure_ascii=False).encode()
        wait = 0.5
        for attempt in range(self.retries + 1):
            try:
                status, after, answer = self._once(path, data)
            except (OSError, http.client.HTTPException) as error:
                failure = EndpointFailed(
                    f"The endpoint cannot be reached ({type(error).__name__}).", "Is the server running? Check the url."
                )
                after = None
            else:
                if status == 200:
                    return _parsed(answer)
                failure = self._failure(status)
                if status not in _AGAIN:
                    raise failure
            if attempt < self.retries:
                asked = self._seconds(after)
                self.sleep(min(_LONGEST_WAIT_S, wait if asked is None else asked))
                wait *= 2
        raise failure

    def _once(self, path: str, data: bytes) -> tuple[int, str | None, bytes]:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.timeout_s)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            connection.connect()
            with _deadline(connection, self.timeout_s):
                connection.request("POST", parts.path.rstrip("/") + path, data, headers)
                answer = connection.getresponse()
                body = answer.read(_MOST_BYTES + 1) if answer.status == 200 else b""
            return answer.status, answer.getheader("Retry-After"), body
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


@contextmanager
def _deadline(connection: http.client.HTTPConnection, seconds: float) -> Iterator[None]:
    """Cut a connection off at a time, however often something small still comes over it."""
    socket = connection.sock

    def cut() -> None:
        with suppress(OSError):  # closed in the meantime
            socket.shutdown(SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


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


def _parsed(answer: bytes) -> Any:
    if len(answer) > _MOST_BYTES:
        raise EndpointFailed("The endpoint's answer is far too long.", "Ask it for less at once.")
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise EndpointFailed(
            "The endpoint's answer is not JSON.", "Is the url that of an OpenAI-compatible API?"
        ) from error
