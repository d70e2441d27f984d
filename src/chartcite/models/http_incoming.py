"""What a server sends with status 200: all of it, or line by line as it comes, never more than a limit."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from chartcite.core.errors import EndpointFailed


class Incoming:
    """One answer that is still coming. A line that is longer than the limit counts as too much, as all together do."""

    def __init__(self, answer: http.client.HTTPResponse, connection: socket.socket, most_bytes: int) -> None:
        self._answer, self._socket, self._most = answer, connection, most_bytes

    @property
    def is_stream(self) -> bool:
        """Whether it says that it is a stream of server-sent events."""
        return self._answer.getheader("Content-Type", "").partition(";")[0].strip().lower() == "text/event-stream"

    def json(self) -> Any:
        """All of it as JSON.

        Raises:
            EndpointFailed: too much, or no JSON.
        """
        body = self._answer.read(self._most + 1)
        if len(body) > self._most:
            raise too_long()
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise EndpointFailed(
                "The endpoint's answer is not JSON.", "Is the url that of an OpenAI-compatible API?"
            ) from error

    def lines(self) -> Iterator[bytes]:
        """Line by line with their ends; raises `EndpointFailed` where it becomes too much."""
        left = self._most
        while line := self._answer.readline(left + 1):
            left -= len(line)
            if left < 0:
                raise too_long()
            yield line

    def expect_within(self, seconds: float) -> None:
        """From now on, give up when nothing comes for so long."""
        with suppress(OSError):  # all has come, and the connection is closed
            before = self._socket.gettimeout()
            self._socket.settimeout(seconds if before is None else min(before, seconds))


def too_long() -> EndpointFailed:
    """More than anybody asked for."""
    return EndpointFailed("The endpoint's answer is far too long.", "Ask it for less at once.")
