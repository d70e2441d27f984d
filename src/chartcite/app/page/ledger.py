"""The page of the ledger: documents that the visitor sends in, and what became of every file of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from chartcite.app.page.pages import page, words_of
from chartcite.app.page.said import Said, said_of
from chartcite.app.server.jobs import Job, jobs_of
from chartcite.app.server.routes.ingest import take
from chartcite.app.server.visitor import Ingester
from chartcite.app.words import Words
from chartcite.core.access import Visitor
from chartcite.core.errors import ChartciteError, UnknownPartition
from chartcite.core.scope import Scope

router = APIRouter(include_in_schema=False)
_MOST_PROBLEMS = 200  # of one upload on the page; the rest is counted, and whole in the API
_STATES = {
    "queued": "waits", "running": "is being read", "done": "done", "failed": "failed", "cancelled": "given up",
    "interrupted": "broke off",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why something is not in the store; how often the same was said of one file."""

    where: str
    reason: str
    advice: str
    is_skipped: bool
    count: int


@dataclass(frozen=True, slots=True)
class Row:
    """One upload as the page shows it."""

    id: str
    scope: Scope
    made: str
    state: str
    is_over: bool
    files: tuple[str, ...]
    documents: int
    formats: tuple[dict[str, Any], ...]
    troubles: tuple[Trouble, ...]
    left_out: int
    error: Said | None


@router.get("/ledger")
async def ledger(request: Request, visitor: Ingester) -> Response:
    """What the visitor has sent in, newest first."""
    return await _shown(request, visitor, None, 200)


@router.post("/ledger")
async def send_in(request: Request, visitor: Ingester) -> Response:
    """Documents for one patient or one collection."""
    try:
        await take(request, visitor)
    except UnknownPartition:
        raise
    except ChartciteError as error:
        return await _shown(request, visitor, said_of(error, words_of(request)), 422)
    return RedirectResponse("/ledger", 303)


async def _shown(request: Request, visitor: Visitor, error: Said | None, status: int) -> Response:
    found = await asyncio.to_thread(jobs_of(request).of, visitor)
    rows = [_row(job, words_of(request)) for job in reversed(found)]
    return page(request, "ledger.html", status, rows=rows, error=error, runs=any(not row.is_over for row in rows))


def _row(job: Job, words: Words) -> Row:
    known = job.ledger or {}
    troubles = _troubles(known.get("sources", []), words)
    told = None if job.error is None else Said(words.told(job.error["message"]), words.told(job.error["advice"]))
    return Row(
        job.id, job.scope, job.made[:16].replace("T", " "), words(_STATES[job.state]), job.is_over,
        tuple(file["name"] for file in job.files), known.get("added", 0) + known.get("updated", 0) or job.documents,
        tuple(known.get("formats", ())), tuple(troubles[:_MOST_PROBLEMS]), max(0, len(troubles) - _MOST_PROBLEMS), told,
    )  # fmt: skip


def _troubles(sources: list[dict[str, Any]], words: Words) -> list[Trouble]:
    """Problems of the files; the same reason of many records of a file is one line with its number."""
    counted: Counter[tuple[str, str, str, bool]] = Counter()
    first: dict[tuple[str, str, str, bool], str] = {}
    for source in sources:
        for one in source["problems"]:
            key = (source["source"], one["reason"], one["advice"], bool(one["skipped"]))
            counted[key] += 1
            first.setdefault(key, one["where"])
    return [
        Trouble(first[key] if count == 1 else key[0], words.told(key[1]), words.told(key[2]), key[3], count)
        for key, count in counted.items()
    ]
