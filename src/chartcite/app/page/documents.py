"""The page of one document: its text with the asked span marked, and its pages as they look, where they were kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

from chartcite.app.page.pages import page
from chartcite.app.page.paths import CollectionName, DocId, PatientName
from chartcite.app.page.sources import window
from chartcite.app.page.urls import document_address
from chartcite.app.server.errors import NotHere
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.core.access import Visitor
from chartcite.core.documents import Document
from chartcite.core.layout import PageBox
from chartcite.core.scope import Scope

router = APIRouter(include_in_schema=False)
AROUND = 40_000
"""Characters shown on each side of a span."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of a file: where its picture is, and what is marked on it, in thousandths of its width and height."""

    number: int
    url: str
    boxes: tuple[tuple[float, float, float, float], ...]


@router.get("/p/{patient}/d/{doc_id}")
async def of_patient(
    request: Request, visitor: Reader, name: PatientName, doc_id: DocId, start: int = 0, end: int = 0
) -> Response:
    """A document of a record."""
    return await _shown(request, visitor, Scope.patient(name), doc_id, start, end)


@router.get("/c/{collection}/d/{doc_id}")
async def of_collection(
    request: Request, visitor: Reader, name: CollectionName, doc_id: DocId, start: int = 0, end: int = 0
) -> Response:
    """A document of a collection."""
    return await _shown(request, visitor, Scope.collection(name), doc_id, start, end)


@router.get("/p/{patient}/d/{doc_id}/page/{number}")
async def picture_of_patient(
    request: Request, visitor: Reader, name: PatientName, doc_id: DocId, number: int
) -> Response:
    """A page of a record's document as a PNG."""
    return await _picture(request, visitor, Scope.patient(name), doc_id, number)


@router.get("/c/{collection}/d/{doc_id}/page/{number}")
async def picture_of_collection(
    request: Request, visitor: Reader, name: CollectionName, doc_id: DocId, number: int
) -> Response:
    """A page of a collection's document as a PNG."""
    return await _picture(request, visitor, Scope.collection(name), doc_id, number)


async def _shown(request: Request, visitor: Visitor, scope: Scope, doc_id: str, start: int, end: int) -> Response:
    opened = await state_of(request).desks.run(
        visitor, lambda granted: granted.document(doc_id, **{scope.kind: scope.name})
    )
    document = opened.document
    first = min(max(start, 0), len(document.text))
    last = min(max(end, first), len(document.text))
    return page(
        request, "document.html", scope=scope, document=document, standing=opened.standing,
        day=document.time.text[:10] if document.time else "", window=window(document, first, last, around=AROUND),
        sheets=sheets_of(document, scope, first, last), mark_id="mark",
    )  # fmt: skip


def sheets_of(document: Document, scope: Scope, start: int, end: int) -> tuple[Sheet, ...]:
    """The pages that a span stands on, the first page where there is no span; none of a file without pages."""
    if document.source.format.partition(";")[0].strip() not in ("pdf", "image"):
        return ()
    boxes = document.boxes_of(start, end)
    numbers = sorted({box.page for box in boxes}) or [document.page_at(start) or 1]
    own = document_address(scope, document.doc_id)
    return tuple(Sheet(n, f"{own}/page/{n}", _rectangles(n, boxes)) for n in numbers)


def _rectangles(number: int, boxes: Sequence[PageBox]) -> tuple[tuple[float, float, float, float], ...]:
    """Left, top, width, height."""
    found = [(b.left, b.top, b.right - b.left, b.bottom - b.top) for b in boxes if b.page == number]
    return tuple((_thousandths(a), _thousandths(b), _thousandths(c), _thousandths(d)) for a, b, c, d in found)


def _thousandths(share: float) -> float:
    return round(1000 * share, 1)


async def _picture(request: Request, visitor: Visitor, scope: Scope, doc_id: str, number: int) -> Response:
    found = await state_of(request).desks.run(
        visitor, lambda granted: granted.page_picture(doc_id, number, **{scope.kind: scope.name})
    )
    if found is None:
        raise NotHere(
            "The file of this document was not kept.", "Ingest it again with keep_originals_mb above its size."
        )
    return Response(found.png, media_type="image/png")
