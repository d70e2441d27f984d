"""Questions to answers: at once, or in events."""

from __future__ import annotations

import threading
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from chartcite.app.server.models import ERRORS, AskRequest
from chartcite.app.server.problems import problem_of
from chartcite.app.server.state import state_of
from chartcite.app.server.streaming import Events, Heard, stream
from chartcite.app.server.visitor import Reader
from chartcite.core.answer import Answer
from chartcite.core.listener import Listener
from chartcite.library.granted import GrantedBook

router = APIRouter(prefix="/api/v1", tags=["ask"])
_ANSWER: dict[str, Any] = {
    "description": "The answer, `chartcite.answer/1` (docs/formats.md); as events where `Accept: text/event-stream`: "
    "`stage` {stage}, `sentence` (verified, will be in the answer), then one `answer` or one `error`.",
    "content": {
        "application/json": {"schema": {"type": "object", "additionalProperties": True}},
        "text/event-stream": {"schema": {"type": "string"}},
    },
}


@router.post("/ask", response_model=None, responses={**ERRORS, 200: _ANSWER})
async def ask(request: Request, asked: AskRequest, visitor: Reader) -> Response:
    """Answer a question from one patient's record or one collection, in sentences that cite their sources.

    No answer is an answer too (`abstained`, with its reason). Whoever goes away cancels the question.
    """
    desks = state_of(request).desks

    def put(granted: GrantedBook, listener: Listener | None, cancel: threading.Event) -> Answer:
        return granted.ask(
            asked.question, patient=asked.patient, collection=asked.collection, narrative=asked.narrative,
            as_of=asked.as_of, cancel=cancel, listener=listener, audience=asked.audience,
        )  # fmt: skip

    if "text/event-stream" in request.headers.get("accept", ""):

        def work(granted: GrantedBook, events: Events) -> None:
            events.put("answer", put(granted, Heard(events), events.cancel).to_dict())

        return await stream(
            request, visitor, work, told=lambda error: problem_of(error, request.state.request_id).to_dict()
        )
    answer = await desks.run_while_heard(request, visitor, lambda granted, cancel: put(granted, None, cancel))
    return JSONResponse(answer.to_dict())
