"""A chat server on the loopback that says what a test wants, for faults that no real server makes on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], "Said"]


class Said:
    """One answer: a status, headers, and the body's bytes; `close` breaks off, `wait_s` is late, `drip_s` is slow."""

    def __init__(
        self, body: Any, status: int = 200, headers: dict[str, str] | None = None, *, wait_s: float = 0.0,
        close: bool = False, drip_s: float = 0.0,
    ) -> None:  # fmt: skip
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers = status, headers or {}
        self.wait_s, self.close, self.drip_s = wait_s, close, drip_s


def chat(text: Any, finish: str = "stop") -> Said:
    """A well-formed answer with this reply."""
    return Said({"choices": [{"message": {"content": text}, "finish_reason": finish}], "usage": {"prompt_tokens": 9}})


@contextmanager
def serving(reply: Reply) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The url of a server that gives `reply(body)` to each request, and the bodies it was sent."""
    seen: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append({**body, "path": self.path, "authorization": self.headers.get("Authorization")})
            said = reply(body)
            time.sleep(said.wait_s)
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said.body)))
            self.end_headers()
            with suppress(OSError):  # the client has gone, as it should when we are late
                for n in range(len(said.body) if said.drip_s else 0):
                    self.wfile.write(said.body[n : n + 1])
                    self.wfile.flush()
                    time.sleep(said.drip_s)
                if not said.drip_s:
                    self.wfile.write(said.body[: len(said.body) // 2] if said.close else said.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", seen
    finally:
        server.shutdown()
        server.server_close()
