"""Keeping an answer from its page: as a file, or with a word on whether it is right. The page sends the answer back."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from chartcite.app.export.formats import FORMATS
from chartcite.app.export.stored import answer_from, checked_again
from chartcite.app.page.pages import page, words_of
from chartcite.app.page.paths import CollectionName, PatientName
from chartcite.app.server.models import is_plain
from chartcite.app.server.routes.exports import as_file
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader, Reviewer
from chartcite.core.access import Visitor
from chartcite.core.errors import UsageError
from chartcite.core.feedback import Feedback
from chartcite.core.scope import Scope
from chartcite.library.granted import GrantedBook

router = APIRouter(include_in_schema=False)
_Answer = Annotated[str, Form()]
_Ending = Annotated[Literal["docx", "md", "csv", "json"], Form()]
_Verdict = Annotated[Literal["right", "wrong", "missing"], Form()]


@router.post("/p/{patient}/export")
async def of_patient(
    request: Request, visitor: Reader, name: PatientName, answer: _Answer, ending: _Ending = "docx"
) -> Response:
    """An answer about a patient as a file."""
    return await _file(request, visitor, Scope.patient(name), answer, ending)


@router.post("/c/{collection}/export")
async def of_collection(
    request: Request, visitor: Reader, name: CollectionName, answer: _Answer, ending: _Ending = "docx"
) -> Response:
    """An answer of a collection as a file."""
    return await _file(request, visitor, Scope.collection(name), answer, ending)


@router.post("/p/{patient}/feedback")
async def on_patient(
    request: Request, visitor: Reviewer, name: PatientName, answer: _Answer, verdict: _Verdict,
    comment: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """A word on an answer about a patient."""
    scope = Scope.patient(name)
    return await _kept(request, visitor, scope, Feedback(_stored(answer, scope), verdict, {}, comment))


@router.post("/c/{collection}/feedback")
async def on_collection(
    request: Request, visitor: Reviewer, name: CollectionName, answer: _Answer, verdict: _Verdict,
    comment: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """A word on an answer of a collection."""
    scope = Scope.collection(name)
    return await _kept(request, visitor, scope, Feedback(_stored(answer, scope), verdict, {}, comment))


async def _file(request: Request, visitor: Visitor, scope: Scope, answer: str, ending: str) -> Response:
    stored, words = _stored(answer, scope), words_of(request)

    def make(granted: GrantedBook) -> bytes:
        return FORMATS[ending].make(checked_again(answer_from(stored), granted.verify_answer(stored)), words)

    return as_file(await state_of(request).desks.run(visitor, make), ending)


async def _kept(request: Request, visitor: Visitor, scope: Scope, said: Feedback) -> Response:
    await state_of(request).desks.run(visitor, lambda granted: granted.give_feedback(said))
    return page(request, "kept.html", 201, scope=scope)


def _stored(answer: str, scope: Scope) -> dict[str, Any]:
    """The answer that a page sends back, which must be of the partition in the address."""
    try:
        stored = json.loads(answer)
    except (ValueError, RecursionError):
        stored = None
    if not isinstance(stored, dict) or not is_plain(stored) or stored.get("scope") != scope.to_dict():
        raise UsageError("The page sent no answer of its own.", "Ask again.")
    return stored
