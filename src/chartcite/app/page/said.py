"""Errors as pages say them: in the reader's language, without internals."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from chartcite.app.page.pages import page, words_of
from chartcite.app.server.problems import Problem
from chartcite.app.words import Words
from chartcite.core.errors import ChartciteError


@dataclass(frozen=True, slots=True)
class Said:
    """An error and what to do about it."""

    said: str
    advice: str
    title: str = ""


def said_of(error: ChartciteError | Problem, words: Words) -> Said:
    """In a language."""
    message = error.message if isinstance(error, Problem) else str(error.args[0])
    return Said(words.told(message), words.told(error.advice))


def error_page(request: Request, problem: Problem) -> Response:
    """What a browser is shown; one that nobody has signed in is shown the way to sign in."""
    if problem.status == 401 and request.method in ("GET", "HEAD"):
        raw: bytes = request.scope.get("raw_path") or b"/"
        return RedirectResponse(f"/login?next={quote(raw.decode('ascii', 'replace'), safe='')}", 303)
    words = words_of(request)
    said = said_of(problem, words)
    title = words("Not found") if problem.status == 404 else words("That did not work")
    return page(request, "error.html", problem.status, error=Said(said.said, said.advice, title))
