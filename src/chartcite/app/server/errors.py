"""Named errors of the server. Like all named errors they hold nothing of a record; each has its HTTP status."""

from __future__ import annotations

from typing import ClassVar

from chartcite.core.errors import (
    AccessDenied,
    Cancelled,
    ChartciteError,
    EndpointFailed,
    InvalidScope,
    NotConfigured,
    NotPermitted,
    ReadError,
    StoreError,
    StoreLocked,
    StoreMismatch,
    UnknownDocument,
    UnknownPartition,
    UsageError,
)


class UnsafeBind(NotConfigured):
    """A way to listen that would show records to others."""


class InvalidServe(NotConfigured):
    """A setting of the server that is not known, or has a value of another kind."""


class CannotListen(NotConfigured):
    """The address or the port is not to be had."""


class ServerError(ChartciteError):
    """A request that is not served. `retry_after`: seconds after which it may be."""

    status: ClassVar[int] = 500
    retry_after: float | None = None

    def __init__(self, message: str, advice: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, advice)
        self.retry_after = retry_after


class ForgedRequest(ServerError):
    """A write that does not come from a page of this server."""

    status = 403


class NotHere(ServerError):
    """There is no such page or thing."""

    status = 404


class TooSlow(ServerError):
    """The body of a request did not come in time."""

    status = 408


class TooLarge(ServerError):
    """The body of a request is larger than it may be."""

    status = 413


class WrongHost(ServerError):
    """The request names a host that this server is not."""

    status = 421


class InvalidRequest(ServerError):
    """The request is not of the form that is documented."""

    status = 422


class TooMany(ServerError):
    """A visitor asks more, or more at once, than is allowed."""

    status = 429


class Busy(ServerError):
    """All desks are taken and the queue is full, or the server is going down."""

    status = 503


_STATUS: tuple[tuple[type[ChartciteError], int], ...] = (
    (AccessDenied, 401),
    (NotPermitted, 403),
    (UnknownDocument, 404),
    (UnknownPartition, 404),
    (InvalidScope, 404),
    (UsageError, 422),
    (Cancelled, 499),
    (EndpointFailed, 502),
    (NotConfigured, 503),
    (StoreLocked, 503),
    (StoreMismatch, 409),
    (ReadError, 422),
    (StoreError, 500),
)
"""The first that fits. A name that cannot be one is not there either, and nobody learns which it was."""


def status_of(error: ChartciteError) -> int:
    """The HTTP status of a named error."""
    if isinstance(error, ServerError):
        return error.status
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
