"""One JSON request to a server that the user named: no proxy, no redirect, a time limit, retries that wait as asked.

Neither a proxy of the environment nor a redirect may carry text to another place, so neither is followed. What a server
says in an error may repeat the text; only its status is reported.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from chartcite.core.errors import EndpointFailed, ModelRefused

_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
_MOST_BYTES = 256 << 20
_LONGEST_WAIT_S = 60.0


class TooMuch(EndpointFailed):
    """The server takes less at once (status 413)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's base URL (for example `http://127.0.0.1:8000/v1`) and how patient to be with it.

    `key` is never shown. `sleep` and `now` are there for tests.
    """

    url: str
    key: str = field(default="", repr=False)
    timeout_s: float = 60.0
    retries: int = 4
    plain_http: bool = False
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def check(self) -> None:
        """Refuse a URL that cannot be used.

        Raises:
            ModelRefused: another scheme, a password in it, or plain http to another machine.
        """
        parts = urlsplit(self.url)
        try:
            port_fits = parts.port != 0
        except ValueError:
            port_fits = False
        if parts.scheme not in ("http", "https") or not parts.hostname or not port_fits or parts.query:
            raise ModelRefused(
                "The endpoint's url is not one of http or https.", "For example http://127.0.0.1:8000/v1"
            )
        if parts.username or parts.password:
            raise ModelRefused("The endpoint's url holds a password.", "Give the key as CHARTCITE_ENCODER_KEY.")
        if parts.scheme == "http" and not _is_loopback(parts.hostname) and not self.plain_http:
            raise ModelRefused(
                "The endpoint's url would send text to another machine without encryption.",
                'Use https, or say "plain_http": true in endpoint.json if the network is trusted.',
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
                failure = _failure(status)
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
            connection.request("POST", parts.path.rstrip("/") + path, data, headers)
            answer = connection.getresponse()
            body = answer.read(_MOST_BYTES + 1) if answer.status == 200 else b""
            return answer.status, answer.getheader("Retry-After"), body
        finally:
            connection.close()

    def _seconds(self, after: str | None) -> float | None:
        """What `Retry-After` asks for: seconds, or a date (RFC 9110, 10.2.3)."""
        if after is None:
            return None
        if after.strip().isdigit():
            return float(after)
        try:
            until = parsedate_to_datetime(after)
        except ValueError:
            return None
        return max(0.0, (until - self.now()).total_seconds()) if until.tzinfo else None


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _failure(status: int) -> EndpointFailed:
    if status == 413:
        return TooMuch("The endpoint takes less text at once (status 413).", "Lower batch_tokens in endpoint.json.")
    if status in (401, 403):
        return EndpointFailed(f"The endpoint refuses the key (status {status}).", "Set CHARTCITE_ENCODER_KEY.")
    if 300 <= status < 400:
        return EndpointFailed(
            f"The endpoint sends on to another place (status {status}); text is not sent there.", "Name that url."
        )
    advice = "Try again later." if status in _AGAIN else "Check model, dimensions and max_tokens in endpoint.json."
    return EndpointFailed(f"The endpoint answered with status {status}.", advice)


def _parsed(answer: bytes) -> Any:
    if len(answer) > _MOST_BYTES:
        raise EndpointFailed("The endpoint's answer is far too long.", "Lower batch_tokens in endpoint.json.")
    try:
        return json.loads(answer)
    except ValueError as error:
        raise EndpointFailed(
            "The endpoint's answer is not JSON.", "Is the url that of an OpenAI-compatible API?"
        ) from error
