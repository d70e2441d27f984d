"""How every page is made: templates, the language of whoever reads, and what each page shows beside its own."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from chartcite.app.page.language import COOKIE, chosen
from chartcite.app.page.sources import Piece, PieceKind
from chartcite.app.page.text import exact
from chartcite.app.page.urls import document_url, place_url
from chartcite.app.render.answer import NOTICE
from chartcite.app.render.safe import one_line
from chartcite.app.server.state import state_of
from chartcite.app.words import Words
from chartcite.core.access import Visitor

_YEAR = 365 * 24 * 3600
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})")


def words_of(request: Request) -> Words:
    """The words of the language that this request asks for."""
    return Words(
        chosen(request.query_params.get("lang"), request.cookies.get(COOKIE), request.headers.get("accept-language"))
    )


def page(request: Request, template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """A whole page. `shown` is what the template names beside `request`, `words`, `csrf` and `visitor`."""
    response = HTMLResponse(fragment(request, template, **shown), status)
    if request.query_params.get("lang"):
        response.set_cookie(COOKIE, words_of(request).lang, max_age=_YEAR, httponly=True, samesite="strict")
    return response


def fragment(request: Request, template: str, **shown: Any) -> str:
    """A template as text, in the language of the request."""
    words = words_of(request)
    visitor: Visitor | None = getattr(request.state, "visitor", None)
    own = {"request": request, "words": words, "csrf": state_of(request).sessions.csrf(request), "visitor": visitor}
    return environment().get_template(template).render(own | shown)


@cache
def environment() -> Environment:
    """The templates: everything is escaped, and a name that nobody gave is an error."""
    made = Environment(
        loader=PackageLoader("chartcite.app.page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters.update(exact=exact, line=one_line, piece=_piece, whole_days=_whole_days)
    made.globals.update(
        _=_said, plural=_plural, number=_number, asset=asset_url, place_url=place_url, document_url=document_url,
        language_url=_language_url, NOTICE=NOTICE,
    )  # fmt: skip
    return made


def _whole_days(text: str) -> Markup:
    """A sentence of ours whose dates are not broken at their hyphens."""
    return Markup("").join(
        Markup('<span class="days">{}</span>').format(part) if n % 2 else escape(part)
        for n, part in enumerate(_DAY.split(text))
    )


@pass_context
def _piece(context: Context, piece: Piece) -> Markup:
    """A run of a document's text; nothing is added to the text itself."""
    words: Words = context["words"]
    titles: dict[PieceKind, str] = {
        "hidden": words("A reader of the page cannot see this; it is no evidence."),
        "unsure": words("hardly readable in the image"),
        "columns": words("names the columns of the cited row"),
    }
    text = exact(piece.text)
    if piece.kind == "text":
        return text
    if piece.kind == "header":
        return Markup('<b class="header">{}</b>').format(text)
    return Markup('<span class="{}" title="{}">{}</span>').format(piece.kind, titles[piece.kind], text)


@pass_context
def _said(context: Context, text: str, **values: object) -> str:
    words: Words = context["words"]
    return words(text, **values)


@pass_context
def _plural(context: Context, count: int, one: str, many: str = "") -> str:
    words: Words = context["words"]
    return words.plural(count, one, many)


@pass_context
def _number(context: Context, count: int) -> str:
    words: Words = context["words"]
    return words.number(count)


@pass_context
def _language_url(context: Context, lang: str) -> str:
    """This page in another language; an answer that was posted goes back to its question."""
    request: Request = context["request"]
    asked = {**request.query_params, "lang": lang}
    path: bytes = request.scope.get("raw_path") or quote(request.url.path).encode()
    return f"{path.decode('ascii', 'replace').partition('?')[0]}?{urlencode(asked)}"


@cache
def asset(name: str) -> bytes:
    """A file of `assets/`."""
    return files("chartcite.app.page").joinpath("assets", name).read_bytes()


@cache
def asset_url(name: str) -> Markup:
    """Its address with its hash: it may be kept for ever, and a new version has another address."""
    return Markup("/assets/{}?v={}").format(name, hashlib.sha256(asset(name)).hexdigest()[:12])
