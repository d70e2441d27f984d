"""The Host of a request must be a name of this server: a foreign page cannot point its own name at loopback."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from chartcite.app.server.errors import WrongHost
from chartcite.app.server.problems import respond


class Hosts:
    """Refuses the rest."""

    def __init__(self, app: ASGIApp, *, names: frozenset[str]) -> None:
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http":
            told = [value for name, value in scope["headers"] if name == b"host"]
            if len(told) != 1 or host_of(told[0].decode("latin-1")) not in self.names:
                error = WrongHost("This server does not go by that name.", "Let it know the name by --allowed-host.")
                await respond(Request(scope, receive), error)(scope, receive, send)
                return
        await self.app(scope, receive, send)


def host_of(header: str) -> str:
    """The name in a Host header without its port, in lower case.

    >>> host_of("LOCALHOST:8321"), host_of("[::1]:80"), host_of("10.0.0.1")
    ('localhost', '::1', '10.0.0.1')
    """
    name = header.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0].rstrip(".")
