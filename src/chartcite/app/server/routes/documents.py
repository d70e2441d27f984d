"""The documents of one patient or one collection, and one of them with its text."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from chartcite.app.server.models import ERRORS, CollectionQuery, Limit, Offset, PatientQuery, documented
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.core.stored import DocumentInfo, OpenDocument

router = APIRouter(prefix="/api/v1", tags=["documents"])


@router.get("/documents", response_model=None, responses={**ERRORS, **documented("`chartcite.documents/1`.")})
async def documents(
    request: Request, visitor: Reader, patient: PatientQuery = None, collection: CollectionQuery = None,
    limit: Limit = 100, offset: Offset = 0,
) -> JSONResponse:  # fmt: skip
    """The documents that may be evidence, oldest first, without their texts."""
    found = await state_of(request).desks.run(
        visitor, lambda granted: granted.documents(patient=patient, collection=collection)
    )
    rows = [_row(one) for one in found[offset : offset + limit]]
    return JSONResponse({"schema": "chartcite.documents/1", "total": len(found), "documents": rows})


@router.get(
    "/documents/{doc_id:path}", response_model=None, responses={**ERRORS, **documented("`chartcite.document/1`.")}
)
async def document(
    request: Request, visitor: Reader, doc_id: str, patient: PatientQuery = None, collection: CollectionQuery = None
) -> JSONResponse:
    """One document whole: `text[start:end]`, counted in code points, is a sentence, and a quote of it."""
    found = await state_of(request).desks.run(
        visitor, lambda granted: granted.document(doc_id, patient=patient, collection=collection)
    )
    return JSONResponse(_whole(found))


def _row(info: DocumentInfo) -> dict[str, Any]:
    return {
        "doc_id": info.doc_id, "title": info.title, "note_type": info.note_type,
        "time": info.time.text if info.time else None, "status": info.status, "encounter_id": info.encounter_id or None,
        "sha256": info.sha256,
    }  # fmt: skip


def _whole(opened: OpenDocument) -> dict[str, Any]:
    document = opened.document
    return {
        "schema": "chartcite.document/1", "doc_id": document.doc_id, "title": document.title,
        "note_type": document.note_type, "time": document.time.text if document.time else None,
        "author": document.author or None, "lang": document.lang or None, "status": document.status,
        "standing": opened.standing, "encounter_id": document.encounter_id or None,
        "format": document.source.format, "text": document.text, "pages": list(document.pages),
        "hidden": [[span.start, span.end] for span in document.hidden],
        "sentences": [
            {"n": s.n, "start": s.start, "end": s.end, "kind": s.kind, "section": list(s.section)}
            for s in opened.sentences
        ],
        "bibliography": document.bibliography.to_dict(),
    }  # fmt: skip
