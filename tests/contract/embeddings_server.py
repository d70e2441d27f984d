"""A real server on the loopback interface that speaks `/v1/embeddings`, with what can go wrong on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

Answer = tuple[int, dict[str, str], bytes]
Vectors = Callable[[list[str]], list[list[float]]]


@dataclass
class EmbeddingsServer:
    """What it was asked, and what it answers next before it goes on as usual."""

    url: str
    requests: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)  # path, body, Authorization
    next_answers: list[Answer] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    @property
    def texts(self) -> list[str]:
        return [text for _, body, _ in self.requests for text in body["input"]]


@contextmanager
def running(vectors: Vectors) -> Iterator[EmbeddingsServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    state = EmbeddingsServer(f"http://127.0.0.1:{server.server_address[1]}/v1")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with state.lock:
                state.requests.append((self.path, body, self.headers.get("Authorization", "")))
                status, headers, data = state.next_answers.pop(0) if state.next_answers else (200, {}, b"")
            if status == 200 and not data:
                rows = vectors(body["input"])
                # Out of order: the index says which text a vector belongs to.
                listed = [{"index": i, "embedding": row} for i, row in reversed(list(enumerate(rows)))]
                data = json.dumps({"object": "list", "data": listed, "model": body["model"]}).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server.RequestHandlerClass = Handler
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
