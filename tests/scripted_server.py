"""A chat server on the loopback that says what a test wants, for faults that no real server makes on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], "Said"]


class Said:
    """One answer: a status, headers, and the body's bytes.

    `close` breaks off, `wait_s` is late, `drip_s` is slow; `events` is a stream, `gap_s` the time between its events.
    """

    def __init__(
        self, body: Any = b"", status: int = 200, headers: dict[str, str] | None = None, *, wait_s: float = 0.0,
        close: bool = False, drip_s: float = 0.0, events: Sequence[bytes] | None = None, gap_s: float = 0.0,
    ) -> None:  # fmt: skip
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers = status, headers or {}
        self.wait_s, self.close, self.drip_s = wait_s, close, drip_s
        self.events, self.gap_s = events, gap_s


def chat(text: Any, finish: str = "stop") -> Said:
    """A well-formed answer with this reply."""
    return Said({"choices": [{"message": {"content": text}, "finish_reason": finish}]})


def chunk(said: str = "", finish: str | None = None, **more: Any) -> bytes:
    """One event of a stream; `more` goes into its delta."""
    choice = {"index": 0, "delta": {"content": said, **more}, "finish_reason": finish}
    return b"data: " + json.dumps({"object": "chat.completion.chunk", "choices": [choice]}).encode() + b"\n\n"


USAGE = b'data: {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}}\n\n'
DONE = b"data: [DONE]\n\n"


def streamed(text: str, finish: str = "stop", **how: Any) -> Said:
    """A well-formed stream of this reply, in pieces of five characters."""
    pieces = [chunk(text[n : n + 5]) for n in range(0, len(text), 5)]
    return Said(events=[*pieces, chunk("", finish), USAGE, DONE], **how)


@contextmanager
def serving(reply: Reply, get: Callable[[str], Said] | None = None) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The url of a server that gives `reply(body)` to each request, and the bodies it was sent; `get` by path."""
    seen: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append({**body, "path": self.path, "authorization": self.headers.get("Authorization")})
            self._say(reply(body))

        def do_GET(self) -> None:
            self._say(get(self.path) if get else Said({}, 404))

        def _say(self, said: Said) -> None:
            time.sleep(said.wait_s)
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            if said.events is None:
                self.send_header("Content-Length", str(len(said.body)))
            else:
                self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.end_headers()
            with suppress(OSError):  # the client has gone, as it should when we are late
                if said.events is not None:
                    self._pieces(said.events, said.gap_s)
                elif said.drip_s:
                    self._pieces([said.body[n : n + 1] for n in range(len(said.body))], said.drip_s)
                else:
                    self.wfile.write(said.body[: len(said.body) // 2] if said.close else said.body)

        def _pieces(self, pieces: Iterable[bytes], gap_s: float) -> None:
            for piece in pieces:
                self.wfile.write(piece)
                self.wfile.flush()
                time.sleep(gap_s)

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
