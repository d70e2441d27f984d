"""How to reach the cluster, and what its answers mean in our words. The one place that knows the client library."""

from __future__ import annotations

import base64
import ipaddress
import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from opensearchpy import ConnectionError as Unreachable
from opensearchpy import ConnectionTimeout, ImproperlyConfigured, NotFoundError, OpenSearch, TransportError
from opensearchpy.exceptions import AuthenticationException, AuthorizationException, SSLError

from chartcite.core.errors import EndpointFailed, NotConfigured

Json = dict[str, Any]

OLDEST = (2, 11)  # the first whose scripts can ask for a term's frequency
# The client's log repeats requests; what goes wrong is an error of ours.
logging.getLogger("opensearch").setLevel(logging.CRITICAL)

_BUSY = frozenset({429, 502, 503, 504})
_TRIES, _FIRST_WAIT, _LONGEST_WAIT = 8, 0.1, 5.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where the cluster is and who asks.

    Attributes:
        urls: one or more of its nodes; another is asked where one does not answer.
        user, password: basic authentication; empty: none.
        ca: file with the certificates that a node's must lead to; empty: those of the system.
        prefix: what the names of all indexes of this store begin with.
        shards, replicas: of an index that is made.
        timeout_s: of one request.
    """

    urls: tuple[str, ...]
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""
    prefix: str = "chartcite"
    shards: int = 3
    replicas: int = 1
    timeout_s: float = 30.0


class Connection:
    """Requests to the cluster. Every error that it gives is one of ours, and none repeats what was sent."""

    def __init__(self, address: Address) -> None:
        """Check the address; nothing is asked yet.

        Raises:
            NotConfigured: it is none, or sends a password in the clear to another machine.
        """
        self.address = address
        for url in address.urls or ("",):
            if "@" in url or not url.startswith(("http://", "https://")):
                raise NotConfigured(
                    "opensearch_url is no address of http or https without a login.",
                    "Write https://HOST:9200; name the user in opensearch_user.",
                )
            if url.startswith("http:") and not _is_this_machine(url):
                raise NotConfigured(
                    "opensearch_url names another machine without TLS.", "Write https://, and see docs/cluster.md."
                )
        secure: Json = {"verify_certs": True, "ssl_show_warn": False}
        try:
            self._client = OpenSearch(
                list(address.urls),
                headers=_login(address),
                timeout=address.timeout_s, max_retries=len(address.urls), retry_on_timeout=False,
                http_compress=address.urls[0].startswith("https"),  # on this machine it would only take time
                **(secure | ({"ca_certs": address.ca} if address.ca else {})
                   if address.urls[0].startswith("https") else {}),
            )  # fmt: skip
        except (ImproperlyConfigured, OSError, ValueError) as error:
            raise NotConfigured("The settings of OpenSearch cannot be used.", "See docs/cluster.md.") from error

    def close(self) -> None:
        """Close all sockets."""
        self._client.close()

    def version(self) -> tuple[int, ...]:
        """Of the server that answers.

        Raises:
            EndpointFailed: it is no OpenSearch, or too old.
        """
        said = self.ask("GET", "/")
        number = str(said.get("version", {}).get("number", ""))
        found = tuple(int(part) for part in number.split(".") if part.isdigit())
        if said.get("version", {}).get("distribution") != "opensearch" or found < OLDEST:
            raise EndpointFailed(
                f"What answers at opensearch_url is no OpenSearch of version {OLDEST[0]}.{OLDEST[1]} or later.",
                "Name a cluster of OpenSearch 2.19 or 3.",
            )
        return found

    def ask(self, method: str, path: str, body: Any = None, parameters: Mapping[str, Any] | None = None) -> Json:
        """One request. What is only busy, or just lost a node, is asked again for a while.

        Raises:
            EndpointFailed: no answer, or one that is an error.
        """
        return self._again(lambda: self._once(method, path, body, parameters))

    def find(self, path: str, parameters: Mapping[str, Any] | None = None) -> Json | None:
        """As `ask` with GET; None where there is nothing."""
        try:
            return self._again(lambda: self._once("GET", path, None, parameters))
        except _Nothing:
            return None

    def _once(self, method: str, path: str, body: Any, parameters: Mapping[str, Any] | None) -> Json:
        with _translated():
            said = self._client.transport.perform_request(method, path, params=dict(parameters or {}), body=body)
        return said if isinstance(said, dict) else {}

    def _again(self, request: Callable[[], Json]) -> Json:
        wait = _FIRST_WAIT
        for last in (*[False] * (_TRIES - 1), True):
            try:
                return request()
            except _Busy as busy:
                if last:
                    raise EndpointFailed(str(busy.args[0]), busy.advice) from busy
            time.sleep(wait * random.uniform(0.5, 1.5))  # noqa: S311 - so that many do not come back at once
            wait = min(2 * wait, _LONGEST_WAIT)
        raise AssertionError("unreachable")


class _Busy(EndpointFailed):
    """Worth another try."""


class _Nothing(EndpointFailed):
    """There is nothing at this path."""


class Conflict(EndpointFailed):
    """Somebody else wrote the document first."""


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except SSLError as error:
        raise EndpointFailed(
            "The certificate of OpenSearch is not trusted.", "Name the authority's file in opensearch_ca."
        ) from error
    except ConnectionTimeout as error:
        raise _Busy("OpenSearch did not answer in time.", "See to the cluster's health, then try again.") from error
    except Unreachable as error:
        raise _Busy("OpenSearch cannot be reached.", "Check opensearch_url, and that the cluster runs.") from error
    except (AuthenticationException, AuthorizationException) as error:
        raise EndpointFailed(
            "OpenSearch refuses this user.", "Check opensearch_user and its role; docs/cluster.md has the least one."
        ) from error
    except NotFoundError as error:
        raise _Nothing("An index of OpenSearch is not there.", "Run `chartcite index`.") from error
    except TransportError as error:
        raise _as_ours(error) from error


def _as_ours(error: TransportError) -> EndpointFailed:
    # The server's own words may repeat what was sent; its code and type do not.
    code = error.status_code if isinstance(error.status_code, int) else 0
    kind = error.error if isinstance(error.error, str) and error.error.replace("_", "").isalpha() else "error"
    if code == 409:
        return Conflict("A document of OpenSearch was changed at the same time.", "Try again.")
    said, advice = f"OpenSearch answers {code} ({kind}).", "See to the cluster's health, then try again."
    return _Busy(said, advice) if code in _BUSY else EndpointFailed(said, advice)


def _login(address: Address) -> dict[str, str]:
    """In UTF-8 (RFC 7617), which the client library does not write."""
    if not address.user:
        return {}
    said = base64.b64encode(f"{address.user}:{address.password}".encode()).decode()
    return {"authorization": f"Basic {said}"}


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def in_batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Slices of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
