"""What all requests of a server share."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from fastapi import Request

if TYPE_CHECKING:
    from chartcite.app.server.config import ServerConfig
    from chartcite.app.server.desks import Desks
    from chartcite.app.server.limits import AtOnce, Buckets
    from chartcite.app.server.sessions import Sessions
    from chartcite.store.access import AccessStore


@dataclass(frozen=True, slots=True)
class ServerState:
    """Made once by `make_application`."""

    config: ServerConfig
    access: AccessStore
    desks: Desks
    sessions: Sessions
    rates: Buckets
    at_once: AtOnce
    logins: Buckets
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(16))


def state_of(request: Request) -> ServerState:
    """The state of the server that a request came to."""
    return cast("ServerState", request.app.state.server)
