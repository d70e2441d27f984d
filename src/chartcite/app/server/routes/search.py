"""Passages of one patient's record or one collection."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from chartcite.app.server.models import ERRORS, SearchRequest, documented
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.library.granted import GrantedBook

router = APIRouter(prefix="/api/v1", tags=["search"])


@router.post("/search", response_model=None, responses={**ERRORS, **documented("Passages, `chartcite.search/1`.")})
async def search(request: Request, asked: SearchRequest, visitor: Reader) -> JSONResponse:
    """The best passages with their text and every place where it stands."""
    fallbacks: list[dict[str, Any]] = []

    def find(granted: GrantedBook) -> list[dict[str, Any]]:
        found = granted.search(
            asked.query, patient=asked.patient, collection=asked.collection, as_of=asked.as_of, order=asked.order,
            fallback=lambda name, count: fallbacks.append({"name": name, "count": count}),
        )  # fmt: skip
        return [passage.to_dict() for passage in found]

    hits = await state_of(request).desks.run(visitor, find)
    return JSONResponse({"schema": "chartcite.search/1", "query": asked.query, "hits": hits, "fallbacks": fallbacks})
