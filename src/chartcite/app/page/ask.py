"""The page of one record: a question is a form; the answer is a page, or, to a script that asks for it, a stream."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from chartcite.app.page.pages import fragment, page, words_of
from chartcite.app.page.paths import CollectionName, PatientName
from chartcite.app.page.said import said_of
from chartcite.app.page.shown import shown, shown_sentence
from chartcite.app.page.stages import stage_said
from chartcite.app.page.start import Row, row_of
from chartcite.app.server.problems import problem_of
from chartcite.app.server.state import state_of
from chartcite.app.server.streaming import Events, stream
from chartcite.app.server.visitor import Reader
from chartcite.app.words import Words
from chartcite.core.access import Visitor
from chartcite.core.answer import Answer, AnswerSentence, Audience
from chartcite.core.documents import Document
from chartcite.core.errors import UnknownPartition, UsageError
from chartcite.core.scope import Scope
from chartcite.library.granted import GrantedBook

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the form holds."""

    question: str = ""
    as_of: str = ""
    audience: Audience = "clinician"


@router.get("/p/{patient}")
async def patient_page(request: Request, visitor: Reader, name: PatientName) -> Response:
    """The ask box of a patient's record."""
    return await _empty(request, visitor, Scope.patient(name))


@router.get("/c/{collection}")
async def collection_page(request: Request, visitor: Reader, name: CollectionName) -> Response:
    """The ask box of a collection."""
    return await _empty(request, visitor, Scope.collection(name))


@router.post("/p/{patient}")
async def ask_patient(
    request: Request, visitor: Reader, name: PatientName, question: str = Form(""), as_of: str = Form(""),
    audience: Literal["clinician", "patient"] = Form("clinician"),
) -> Response:  # fmt: skip
    """A question about a patient."""
    return await _answered(request, visitor, Scope.patient(name), Asked(question.strip(), as_of.strip(), audience))


@router.post("/c/{collection}")
async def ask_collection(
    request: Request, visitor: Reader, name: CollectionName, question: str = Form(""), as_of: str = Form(""),
    audience: Literal["clinician", "patient"] = Form("clinician"),
) -> Response:  # fmt: skip
    """A question to a collection."""
    return await _answered(request, visitor, Scope.collection(name), Asked(question.strip(), as_of.strip(), audience))


async def _empty(request: Request, visitor: Visitor, scope: Scope) -> Response:
    summary = await state_of(request).desks.run(visitor, lambda granted: _summary(granted, scope, words_of(request)))
    return _page(request, scope, summary, Asked())


async def _answered(request: Request, visitor: Visitor, scope: Scope, asked: Asked) -> Response:
    if "text/event-stream" in request.headers.get("accept", ""):
        return await _stream(request, visitor, scope, asked)
    words = words_of(request)
    summary = await state_of(request).desks.run(visitor, lambda granted: _summary(granted, scope, words))

    def work(granted: GrantedBook, cancel: threading.Event) -> dict[str, Any]:
        return {"answer": _ask(granted, scope, asked, words, cancel)}

    try:
        found = await state_of(request).desks.run_while_heard(request, visitor, work)
    except UsageError as error:
        return _page(request, scope, summary, asked, 422, error=said_of(error, words))
    return _page(request, scope, summary, asked, **found)


def _page(request: Request, scope: Scope, summary: Row, asked: Asked, status: int = 200, **shown: Any) -> HTMLResponse:
    own = {"answer": None, "error": None, **shown}
    return page(request, "ask.html", status, scope=scope, summary=summary, asked=asked, **own)


def _summary(granted: GrantedBook, scope: Scope, words: Words) -> Row:
    """What is in a partition; raises as everything does that is not granted."""
    named = {scope.kind: scope.name}
    granted.must_see("read", "documents", **named)
    listed = granted.patients() if scope.kind == "patient" else granted.collections()
    for partition in listed:
        if partition.scope == scope:
            return row_of(partition, words)
    raise UnknownPartition(f"There is no such {scope.kind} here.", "Choose one of those that are listed.")


def _ask(
    granted: GrantedBook, scope: Scope, asked: Asked, words: Words, cancel: threading.Event, listener: Any = None
) -> Any:
    named = {scope.kind: scope.name}
    answer: Answer = granted.ask(
        asked.question, **named, as_of=asked.as_of or None, cancel=cancel, listener=listener, audience=asked.audience
    )

    def find(doc_id: str) -> Document:
        return granted.document(doc_id, **named).document

    return shown(answer, words, find)


@dataclass(frozen=True, slots=True)
class _Teller:
    """A listener that puts what it hears as the page shows it."""

    request: Request
    events: Events

    def stage(self, name: str) -> None:
        """In words."""
        self.events.put("stage", {"said": stage_said(name, words_of(self.request))})

    def sentence(self, sentence: AnswerSentence) -> None:
        """As it will stand in the answer, but for its numbers, which the whole answer decides."""
        told = shown_sentence(sentence, words_of(self.request), None)
        self.events.put("sentence", {"html": fragment(self.request, "_draft.html", sentence=told)})


async def _stream(request: Request, visitor: Visitor, scope: Scope, asked: Asked) -> Response:
    """`stage`, `sentence`, then `answer` or `error`. What is refused at once is refused with its status."""
    words = words_of(request)

    def work(granted: GrantedBook, events: Events) -> None:
        found = _ask(granted, scope, asked, words, events.cancel, _Teller(request, events))
        told = {
            "html": fragment(request, "_answer.html", answer=found),
            "sources": fragment(request, "_sources.html", answer=found),
            "said": words("Answered.") if found.sentences else words("No answer."),
        }
        events.put("answer", told)

    def told_of(error: Exception) -> dict[str, str]:
        said = said_of(problem_of(error), words)
        return {"html": fragment(request, "_error.html", error=said), "sources": "", "said": ""}

    return await stream(request, visitor, work, told=told_of, is_event=lambda error: isinstance(error, UsageError))
