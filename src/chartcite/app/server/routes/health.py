"""Whether the server runs, and whether it takes questions. Nothing about the store is told."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from chartcite.app.server.state import state_of

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """One word."""

    status: Literal["ok", "not ready"]


@router.get("/healthz", response_model=Health)
async def healthz() -> Health:
    """The process runs."""
    return Health(status="ok")


@router.get("/readyz", response_model=Health, responses={503: {"model": Health, "description": "not ready"}})
async def readyz(request: Request) -> JSONResponse:
    """The store can be read and questions are taken; 503 while the server goes down."""
    is_ready = state_of(request).desks.is_ready()
    return JSONResponse({"status": "ok" if is_ready else "not ready"}, 200 if is_ready else 503)
