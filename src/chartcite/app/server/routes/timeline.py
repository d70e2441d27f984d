"""A patient's values, courses of drugs and encounters by day."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from chartcite.app.server.models import ERRORS, AsOfQuery, PatientName, Topic, documented
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader

router = APIRouter(prefix="/api/v1", tags=["timeline"])


@router.get("/timeline", response_model=None, responses={**ERRORS, **documented("`chartcite.timeline/1`.")})
async def timeline(
    request: Request, visitor: Reader, patient: PatientName, topic: Topic = "", as_of: AsOfQuery = None
) -> JSONResponse:
    """What was measured and taken on which day, each with the sentences that state it."""
    found = await state_of(request).desks.run(
        visitor, lambda granted: granted.timeline(topic, patient=patient, as_of=as_of).to_dict()
    )
    return JSONResponse(found)
