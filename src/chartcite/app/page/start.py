"""The start page: patients and collections that are granted, found by name, a screen at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from chartcite.app.page.pages import page, words_of
from chartcite.app.render.answer import days_of
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.app.words import Words
from chartcite.core.scope import Scope
from chartcite.core.stored import PartitionSummary

router = APIRouter(include_in_schema=False)
A_SCREEN = 60


@dataclass(frozen=True, slots=True)
class Row:
    """A partition as it is listed."""

    scope: Scope
    documents: int
    days: str


@dataclass(frozen=True, slots=True)
class Group:
    """One kind of partitions: how many fit, and which of them are on this screen (`first` to `last`, from 1)."""

    kind: str
    total: int
    rows: tuple[Row, ...]
    first: int
    last: int
    before: str
    after: str


@router.get("/")
async def start(
    request: Request, visitor: Reader, q: str = "", patients: int = 1, collections: int = 1
) -> HTMLResponse:
    """Records that the visitor may see."""
    found = await state_of(request).desks.run(visitor, lambda granted: (granted.patients(), granted.collections()))
    asked = q.strip()[:200]
    shown = {"patients": patients, "collections": collections}
    groups = [
        _group(name, rows, asked, shown, words_of(request)) for name, rows in zip(shown, found, strict=True) if rows
    ]
    return page(request, "start.html", asked=asked, groups=[g for g in groups if g.total or g.kind == "patient"])


def row_of(partition: PartitionSummary, words: Words) -> Row:
    """How a partition is listed."""
    days = days_of(partition.first, partition.last, words) if partition.first and partition.last else ""
    return Row(partition.scope, partition.documents, days)


def _group(name: str, found: Sequence[PartitionSummary], asked: str, pages: dict[str, int], words: Words) -> Group:
    fitting = [p for p in found if asked.casefold() in p.scope.name.casefold()]
    last_page = max(-(-len(fitting) // A_SCREEN), 1)
    now = min(max(pages[name], 1), last_page)
    first = (now - 1) * A_SCREEN

    def at(number: int) -> str:
        said = dict(_named(asked), **{k: v for k, v in (pages | {name: number}).items() if v != 1})
        return f"/?{urlencode(said)}" if 1 <= number <= last_page else ""

    rows = tuple(row_of(p, words) for p in fitting[first : first + A_SCREEN])
    kind = "patient" if name == "patients" else "collection"
    return Group(kind, len(fitting), rows, first + 1, first + len(rows), at(now - 1), at(now + 1))


def _named(asked: str) -> Iterator[tuple[str, object]]:
    if asked:
        yield "q", asked
