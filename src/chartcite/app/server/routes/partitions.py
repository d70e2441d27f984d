"""The patients and collections that are granted; nothing shows that there are others."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from chartcite.app.server.jobs import jobs_of
from chartcite.app.server.models import ERRORS, Limit, Named, Offset, documented
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Admin, Reader
from chartcite.core.access import Visitor
from chartcite.core.scope import Scope
from chartcite.core.stored import PartitionSummary
from chartcite.library.granted import GrantedBook

router = APIRouter(prefix="/api/v1", tags=["patients and collections"])
_SHOWN = {**ERRORS, **documented("`chartcite.partitions/1`.")}


@router.get("/patients", response_model=None, responses=_SHOWN)
async def patients(
    request: Request, visitor: Reader, q: Named = "", limit: Limit = 100, offset: Offset = 0
) -> JSONResponse:
    """Patients granted, with what the store has of each; `q` is a part of the identifier."""
    found = await state_of(request).desks.run(visitor, lambda granted: granted.patients())
    return JSONResponse(_page("patients", found, q, limit, offset))


@router.get("/collections", response_model=None, responses=_SHOWN)
async def collections(
    request: Request, visitor: Reader, q: Named = "", limit: Limit = 100, offset: Offset = 0
) -> JSONResponse:
    """Collections granted."""
    found = await state_of(request).desks.run(visitor, lambda granted: granted.collections())
    return JSONResponse(_page("collections", found, q, limit, offset))


@router.delete("/patients/{patient:path}", response_model=None, responses={**ERRORS, **documented("What went.")})
async def delete_patient(request: Request, visitor: Admin, patient: str) -> JSONResponse:
    """Remove a patient with everything derived from the documents; it cannot be undone."""
    count = await _deleted(request, visitor, patient=patient)
    return JSONResponse({"deleted": {"patient": patient}, "documents": count})


@router.delete("/collections/{collection:path}", response_model=None, responses={**ERRORS, **documented("What went.")})
async def delete_collection(request: Request, visitor: Admin, collection: str) -> JSONResponse:
    """Remove a collection with everything derived from the documents; it cannot be undone."""
    count = await _deleted(request, visitor, collection=collection)
    return JSONResponse({"deleted": {"collection": collection}, "documents": count})


async def _deleted(
    request: Request, visitor: Visitor, *, patient: str | None = None, collection: str | None = None
) -> int:
    """Delete a partition; uploads that are on their way into it are given up first, or they would bring it back."""

    def work(granted: GrantedBook) -> int:
        granted.must_see("admin", "delete", patient=patient, collection=collection)
        scope = Scope.patient(patient) if patient is not None else Scope.collection(str(collection))
        jobs_of(request).forget(scope)
        return granted.delete(patient=patient, collection=collection)

    return await state_of(request).desks.run(visitor, work)


def _page(kind: str, found: list[PartitionSummary], part: str, limit: int, offset: int) -> dict[str, Any]:
    named = [one for one in found if part.casefold() in one.scope.name.casefold()]
    rows = [
        {
            "id": one.scope.name, "documents": one.documents, "first": one.first or None, "last": one.last or None,
            "partition_seq": one.seq,
        }
        for one in named[offset : offset + limit]
    ]  # fmt: skip
    return {"schema": "chartcite.partitions/1", "total": len(named), kind: rows}
