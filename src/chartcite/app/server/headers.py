"""Headers of every response, errors among them: what a browser may do with it; nobody keeps a record's text."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    )
)  # fmt: skip
_ALWAYS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer a form would tell no Origin, which a write must
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
    "x-robots-tag": "noindex, nofollow",
}
"""A route that sets one of them (a built asset may be kept; a report is sandboxed) has it as it set it."""


class Headers:
    """Puts them on. `is_tls`: browsers are told to come by TLS only."""

    def __init__(self, app: ASGIApp, *, is_tls: bool) -> None:
        self.app = app
        self.fixed = _ALWAYS | ({"strict-transport-security": "max-age=31536000"} if is_tls else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def put_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                more = [(n.encode(), v.encode()) for n, v in self.fixed.items() if n.encode() not in there]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self.app(scope, receive, put_on)
