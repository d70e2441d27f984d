"""One line of JSON on stderr for each request: when, what kind, how it ended. No path, name, question or text."""

from __future__ import annotations

import json
import secrets
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chartcite.app.server.problems import respond

Write = Callable[[str], None]


def to_stderr(line: str) -> None:
    """The default."""
    print(line, file=sys.stderr, flush=True)


class Logs:
    """Behind the headers only: gives a request its id, tells how it ended, makes a plain 500 of what nobody caught."""

    def __init__(self, app: ASGIApp, *, write: Write) -> None:
        self.app, self.write = app, write

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["request_id"] = secrets.token_hex(8)
        begun, status = time.monotonic(), 0

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = (b"x-request-id", state["request_id"].encode())
                message = {**message, "headers": [*message["headers"], named]}
            await send(message)

        fault = ""
        try:
            await self.app(scope, receive, watch)
        except Exception as error:  # noqa: BLE001  (the last resort: no internals may reach a visitor)
            fault = type(error).__name__
            if status == 0:
                await respond(Request(scope, receive), error)(scope, receive, watch)
        finally:
            self.write(self._line(scope, status, time.monotonic() - begun, fault))

    def _line(self, scope: Scope, status: int, seconds: float, fault: str) -> str:
        state = scope["state"]
        content = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"), "request": state["request_id"],
            "method": scope["method"] if scope["method"].isalpha() and len(scope["method"]) < 10 else "other",
            "route": template_of(scope), "status": status, "ms": round(seconds * 1000),
            "visitor": state.get("pseudonym"), "problem": state.get("problem"), "fault": fault or None,
        }  # fmt: skip
        return json.dumps({name: value for name, value in content.items() if value is not None})


def template_of(scope: Scope) -> str:
    """The route as it is written in the code (`/p/{patient}`); what no route takes is only `other`."""
    route = scope.get("route")
    return str(getattr(route, "path_format", None) or getattr(route, "path", None) or "other")
