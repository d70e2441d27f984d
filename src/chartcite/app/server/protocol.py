"""HTTP/1.1 as uvicorn speaks it, with an end to waiting for the head of a request."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 15.0


class ImpatientProtocol(H11Protocol):
    """Closes a connection whose request does not begin, or whose head does not end, in time.

    uvicorn ends idle connections only behind a response; without this, whoever opens many and says nothing keeps them.
    """

    head_seconds = HEAD_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Wait on while a head is not whole."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.head_seconds, self._give_up)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()
