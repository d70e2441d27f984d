"""What people say of answers."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from chartcite.app.server.models import ERRORS, CollectionQuery, PatientQuery, StoredAnswer, documented
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reviewer
from chartcite.core.feedback import MOST_COMMENT_CHARS, Feedback

router = APIRouter(prefix="/api/v1", tags=["feedback"])
Verdict = Literal["right", "wrong", "missing"]


class FeedbackRequest(BaseModel):
    """A verdict on an answer as `ask` gave it, and perhaps on single sentences of it."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    answer: StoredAnswer
    verdict: Verdict = Field(description="missing: the answer lacks what the record has")
    sentences: dict[int, Verdict] = Field(default_factory=dict, description="by the number of the sentence, from 1")
    comment: str = Field(default="", max_length=MOST_COMMENT_CHARS)


@router.post("/feedback", status_code=201, response_model=None, responses={**ERRORS, 201: documented("Kept.")[200]})
async def give(request: Request, said: FeedbackRequest, visitor: Reviewer) -> JSONResponse:
    """Keep a verdict with the patient. When this has answered, it is on the disk."""
    given = Feedback(said.answer, said.verdict, said.sentences, said.comment)
    number = await state_of(request).desks.run(visitor, lambda granted: granted.give_feedback(given))
    return JSONResponse({"schema": "chartcite.feedback_kept/1", "id": number}, 201)


@router.get("/feedback", response_model=None, responses={**ERRORS, **documented("`chartcite.feedback/1` rows.")})
async def listed(
    request: Request, visitor: Reviewer, patient: PatientQuery = None, collection: CollectionQuery = None
) -> JSONResponse:
    """What was said of the answers about one patient or collection, oldest first."""
    rows = await state_of(request).desks.run(
        visitor, lambda granted: granted.feedback(patient=patient, collection=collection)
    )
    return JSONResponse({"schema": "chartcite.feedback_list/1", "feedback": rows})
