"""A stored answer against the documents of today."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from chartcite.app.server.models import ERRORS, VerifyRequest, documented
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.library.granted import GrantedBook

router = APIRouter(prefix="/api/v1", tags=["verify"])


@router.post("/verify", response_model=None, responses={**ERRORS, **documented("`chartcite.recheck/1`.")})
async def verify(request: Request, asked: VerifyRequest, visitor: Reader) -> JSONResponse:
    """Whether each citation still stands as it was quoted, and each sentence is what it says; no model is asked."""

    def check(granted: GrantedBook) -> dict[str, Any]:
        checks = granted.verify_answer(asked.answer)
        rows, holds = [one.to_dict() for one in checks], all(one.holds for one in checks)
        quality = granted.citation_quality(asked.answer)
        return {"schema": "chartcite.recheck/1", "holds": holds, "sentences": rows, **quality}

    return JSONResponse(await state_of(request).desks.run(visitor, check))
