"""Uploads: documents for one patient or one collection, read in the background."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.datastructures import UploadFile as Part

from chartcite.app.server.errors import InvalidRequest
from chartcite.app.server.jobs import Job, jobs_of
from chartcite.app.server.models import ERRORS
from chartcite.app.server.state import state_of
from chartcite.app.server.streaming import event_of
from chartcite.app.server.visitor import Ingester
from chartcite.core.access import Visitor
from chartcite.core.scope import Scope

router = APIRouter(prefix="/api/v1", tags=["ingest"])
_MOST_FILES = 200
_TICK, _SILENCE = 0.25, 10.0
_JOB: dict[str, Any] = {
    "description": "The job, `chartcite.job/1` (docs/formats.md).",
    "content": {"application/json": {"schema": {"type": "object", "additionalProperties": True}}},
}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object", "required": ["files"],
                    "properties": {
                        "patient": {"type": "string", "description": "identifier; or"},
                        "collection": {"type": "string", "description": "name: exactly one of the two"},
                        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
                    },
                }
            }
        },
    }
}  # fmt: skip


@router.post("/ingest", status_code=202, response_model=None, responses={**ERRORS, 202: _JOB}, openapi_extra=_BODY)
async def ingest(request: Request, visitor: Ingester) -> JSONResponse:
    """Send files for one patient or one collection; they are read in the background (`GET /api/v1/jobs/{id}`).

    When this answers, the files are on the server's disk: a server that is killed takes them up again. Archives are
    opened within limits; a file is parsed in a process of its own. Nothing that a file names is ever fetched.
    """
    job = await take(request, visitor)
    return JSONResponse(job.to_dict(), 202, {"Location": f"/api/v1/jobs/{job.id}"})


async def take(request: Request, visitor: Visitor) -> Job:
    """Put an upload into the queue, whoever's form it came from.

    Raises:
        InvalidRequest: it is no upload, or does not say for whom.
        UnknownPartition, NotPermitted: not granted, or not for this.
        Busy, StoreUnwritable, UsageError: see `Jobs.place` and `Jobs.add`.
    """
    # A form is read by hand, after it is known whose it is: as a parameter it would be read before.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "multipart/form-data":
        raise InvalidRequest("The request is no upload.", "Send multipart/form-data with `files`.")
    jobs, told = jobs_of(request), request.headers.get("content-length", "0")
    with jobs.place(int(told) if told.isdigit() else 0):
        async with request.form(max_files=_MOST_FILES, max_fields=8, max_part_size=4096) as form:
            scope = _scope(form.getlist("patient"), form.getlist("collection"))
            named = {scope.kind: scope.name}
            await state_of(request).desks.run(
                visitor,
                lambda granted: granted.must_see(
                    "ingest", "ingest", patient=named.get("patient"), collection=named.get("collection")
                ),
            )
            parts = [part for part in form.getlist("files") if isinstance(part, Part)]
            files = [(part.filename or "", part.file) for part in parts]
            return await asyncio.to_thread(jobs.add, visitor, scope, files)


@router.get("/jobs", response_model=None, responses=ERRORS)
async def jobs(request: Request, visitor: Ingester) -> JSONResponse:
    """Your uploads, oldest first."""
    found = await asyncio.to_thread(jobs_of(request).of, visitor)
    return JSONResponse({"schema": "chartcite.jobs/1", "jobs": [job.to_dict() for job in found]})


@router.get("/jobs/{job_id}", response_model=None, responses={**ERRORS, 200: _JOB})
async def job(request: Request, job_id: str, visitor: Ingester) -> JSONResponse:
    """One of your uploads: how far it is, and what became of every file (its ledger)."""
    found = await asyncio.to_thread(jobs_of(request).one, visitor, job_id)
    return JSONResponse(found.to_dict())


@router.delete("/jobs/{job_id}", response_model=None, responses={**ERRORS, 200: _JOB})
async def cancel(request: Request, job_id: str, visitor: Ingester) -> JSONResponse:
    """Give one of your uploads up; documents that are in the store already stay."""
    found = await asyncio.to_thread(jobs_of(request).one, visitor, job_id)
    await asyncio.to_thread(jobs_of(request).cancel, found)
    return JSONResponse(found.to_dict())


@router.get("/jobs/{job_id}/events", response_model=None, responses=ERRORS)
async def events(request: Request, job_id: str, visitor: Ingester) -> StreamingResponse:
    """The same as events: `job` at every change, the last one when it is over."""
    found = await asyncio.to_thread(jobs_of(request).one, visitor, job_id)
    return StreamingResponse(
        _events(request, found), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


async def _events(request: Request, found: Job) -> AsyncIterator[str]:
    last: dict[str, Any] = {}
    silence = 0.0
    while not await request.is_disconnected():
        now = found.to_dict()
        if now != last:
            last, silence = now, 0.0
            yield event_of("job", now)
        if now["ended"] is not None or state_of(request).desks.stopping:
            return
        silence += _TICK
        if silence >= _SILENCE:
            silence = 0.0
            yield ": still at it\n\n"
        await asyncio.sleep(_TICK)


def _scope(patients: list[Part | str], collections: list[Part | str]) -> Scope:
    named = [("patient", p) for p in patients if p != ""] + [("collection", c) for c in collections if c != ""]
    if len(named) != 1 or not isinstance(named[0][1], str):
        raise InvalidRequest("One patient or one collection must be named.", "Send `patient` or `collection`, once.")
    return Scope.patient(named[0][1]) if named[0][0] == "patient" else Scope.collection(named[0][1])
