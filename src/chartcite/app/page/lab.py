"""Reports of lab runs, for those who may see everything: they may quote any record.

A report is a page of its own making. It is given away in a sandbox: no script of it runs, and nothing is loaded.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response

from chartcite.app.page.pages import page
from chartcite.app.server.errors import NotHere
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Admin
from chartcite.core.access import Visitor

router = APIRouter(include_in_schema=False)
_FILE = "report.html"
_MOST_BYTES = 64 << 20
_SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"


@dataclass(frozen=True, slots=True)
class Report:
    """The report of one run: the run's folder, and when it was written (UTC)."""

    name: str
    written: str


@router.get("/lab")
async def lab(request: Request, visitor: Admin) -> Response:
    """All reports of the folder that the server was told of, by name."""
    await _must_see_everything(request, visitor)
    folder = state_of(request).config.lab
    reports = await asyncio.to_thread(_reports, folder) if folder else []
    return page(request, "lab.html", reports=reports, has_folder=folder is not None)


@router.get("/lab/{run}")
async def report(request: Request, visitor: Admin, run: str) -> Response:
    """One report, in a sandbox."""
    await _must_see_everything(request, visitor)
    folder = state_of(request).config.lab
    known = {one.name for one in await asyncio.to_thread(_reports, folder)} if folder else set()
    if folder is None or run not in known:
        raise NotHere("There is no such report.", "Choose one of those that are listed.")
    content = await asyncio.to_thread((folder / run / _FILE).read_bytes)
    headers = {"Content-Security-Policy": _SANDBOX, "Content-Disposition": "inline"}
    return Response(content, media_type="text/html; charset=utf-8", headers=headers)


async def _must_see_everything(request: Request, visitor: Visitor) -> None:
    await state_of(request).desks.run(visitor, lambda granted: granted.must_see_everything("admin", "report"))


def _reports(folder: Path) -> list[Report]:
    """Only files of the folder's own runs: neither links nor what is too large to be one."""
    found = []
    for path in sorted(folder.glob(f"*/{_FILE}")):
        if path.is_symlink() or path.parent.is_symlink() or not path.is_file() or path.stat().st_size > _MOST_BYTES:
            continue
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
        found.append(Report(path.parent.name, written))
    return found
