"""Watch over one connection: it is cut off at a time, or when whoever asked gives up, whatever still comes over it."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from socket import SHUT_RDWR
from typing import Literal

from chartcite.core.chat import Stop

_LOOK_EVERY_S = 0.05


@dataclass(slots=True)
class Watch:
    """Why the connection was cut, if it was."""

    cut: Literal["", "late", "cancelled"] = ""


@contextmanager
def watched(connection: http.client.HTTPConnection, until: float, stop: Stop | None) -> Iterator[Watch]:
    """Cut an open connection off at `until` (`time.monotonic`), or as soon as `stop` is set."""
    socket, watch, done = connection.sock, Watch(), threading.Event()

    def look() -> None:
        while not done.is_set():
            left = until - time.monotonic()
            if stop is not None and stop.cancelled.is_set():
                watch.cut = "cancelled"
            elif left <= 0:
                watch.cut = "late"
            if watch.cut:
                with suppress(OSError):  # closed in the meantime
                    socket.shutdown(SHUT_RDWR)
                return
            done.wait(min(left, _LOOK_EVERY_S) if stop is not None else left)

    thread = threading.Thread(target=look, name="watch", daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        done.set()
        thread.join()
