"""Errors as responses: problem JSON (RFC 9457) for programs, the form of OpenAI under /v1, a page for browsers."""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from chartcite.app.server.errors import InvalidRequest, NotHere, ServerError, status_of
from chartcite.core.errors import ChartciteError, InvalidScope, UnknownPartition


@dataclass(frozen=True, slots=True)
class Problem:
    """What is said of an error, and to whom."""

    status: int
    kind: str
    message: str
    advice: str = ""
    retry_after: float | None = None
    request_id: str = ""

    def to_dict(self) -> dict[str, Any]:
        """RFC 9457, with `kind` and `advice` beside its own members."""
        return {
            "type": "about:blank", "title": self.kind, "status": self.status, "detail": self.message,
            "advice": self.advice, "request_id": self.request_id,
        }  # fmt: skip


ErrorPage = Callable[[Request, Problem], Response]


def problem_of(error: Exception, request_id: str = "") -> Problem:
    """An error in words without internals: what lies below a fault of the server is in no response."""
    if isinstance(error, RequestValidationError):
        error = InvalidRequest(_fields(error), "The form of each request is in /openapi.json.")
    elif isinstance(error, HTTPException) and isinstance(error.__cause__, ServerError):
        error = error.__cause__  # the framework's word for a body that could not be read
    elif isinstance(error, HTTPException):
        status = error.status_code
        if status == 404:
            error = NotHere("There is nothing at this address.", "Begin at the start page.")
        else:
            names = {405: ("MethodNotAllowed", "This address does not take that method.")}
            kind, message = names.get(status, ("InvalidRequest", "The request cannot be read."))
            return Problem(status, kind, message, request_id=request_id)
    if not isinstance(error, ChartciteError):
        return Problem(500, "ServerFault", "Something went wrong in the server.", "Try again.", None, request_id)
    status = status_of(error)
    if isinstance(error, UnknownPartition | InvalidScope):
        return Problem(
            404, UnknownPartition.__name__, "There is no such patient or collection.",
            "See what is granted to you on the start page.", None, request_id,
        )  # fmt: skip
    if status >= 500 and not isinstance(error, ServerError):
        retry = 1.0 if status == 503 else None
        return Problem(
            status, error.kind, _BELOW.get(status, _BELOW[500]), "Tell who runs the server.", retry, request_id
        )
    retry = error.retry_after if isinstance(error, ServerError) else None
    return Problem(status, error.kind, str(error.args[0]), error.advice, retry, request_id)


_BELOW = {
    500: "The store cannot do what was asked.",
    502: "A model that the server was told to use does not answer as it should.",
    503: "The server is not ready for this.",
}


def respond(request: Request, error: Exception) -> Response:
    """The response to an error, in the form that whoever asks understands."""
    problem = problem_of(error, getattr(request.state, "request_id", ""))
    request.state.problem = problem.kind
    response = _shaped(request, problem)
    if problem.retry_after is not None:
        response.headers["Retry-After"] = str(max(1, math.ceil(problem.retry_after)))
    if problem.status == 401 and shape_of(request) != "page":
        response.headers["WWW-Authenticate"] = 'Bearer realm="chartcite"'
    return response


def shape_of(request: Request) -> Literal["problem", "openai", "page"]:
    """Which form of an error is understood."""
    if request.url.path.startswith("/v1/"):
        return "openai"
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return "problem"
    return "page"


def _shaped(request: Request, problem: Problem) -> Response:
    shape = shape_of(request)
    if shape == "openai":
        kind = "server_error" if problem.status >= 500 else "invalid_request_error"
        error = {"message": f"{problem.message} {problem.advice}".strip(), "type": kind, "code": problem.kind}
        return JSONResponse({"error": {**error, "param": None}}, problem.status)
    if shape == "problem":
        return JSONResponse(problem.to_dict(), problem.status, media_type="application/problem+json")
    page: ErrorPage = getattr(request.app.state, "error_page", None) or _plain
    return page(request, problem)


def _plain(_request: Request, problem: Problem) -> Response:
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in (problem.message, problem.advice) if line)
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{problem.status}</title></head>'
        f"<body><h1>{problem.status}</h1>{lines}</body></html>",
        problem.status,
    )


def _fields(error: RequestValidationError) -> str:
    """Which fields are wrong and how; never what was sent, for it may be text of a record."""
    said = []
    for one in error.errors()[:5]:
        place = ".".join(str(part) for part in one["loc"][:3] if isinstance(part, str))
        said.append(f"{place[:80]}: {_WRONG.get(one['type'], 'is not of the form that is documented')}")
    return f"The request is not of the form that is documented ({'; '.join(said)})."


_WRONG = {
    "missing": "is missing", "extra_forbidden": "is not known", "json_invalid": "is no JSON",
    "string_too_long": "is too long", "string_too_short": "is too short", "string_type": "is no text",
    "literal_error": "is none of the values it may have",
}  # fmt: skip
