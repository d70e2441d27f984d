"""An answer as a file. The answer comes with the request, and is checked again before it is written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from chartcite.app.export.formats import FORMATS
from chartcite.app.export.stored import answer_from, checked_again
from chartcite.app.server.models import ERRORS, VerifyRequest
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.app.words import Language, Words
from chartcite.library.granted import GrantedBook

router = APIRouter(prefix="/api/v1", tags=["export"])
_Format = Annotated[Literal["docx", "md", "csv", "json"], Query(description="ending of the file")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {f.media_type.partition(";")[0]: {} for f in FORMATS.values()}}
}


@router.post("/export", response_model=None, responses={**ERRORS, **_FILE})
async def export(
    request: Request, asked: VerifyRequest, visitor: Reader, format: _Format = "docx",  # noqa: A002 - the parameter's name
    lang: Language | None = None,
) -> Response:  # fmt: skip
    """Write an answer that `ask` gave. Its sentences are marked as the check of today finds them, whatever it says."""

    def make(granted: GrantedBook) -> bytes:
        checks = granted.verify_answer(asked.answer)
        found = checked_again(answer_from(asked.answer), checks)
        return FORMATS[format].make(found, Words(lang or found.lang))

    return as_file(await state_of(request).desks.run(visitor, make), format)


def as_file(content: bytes, ending: str) -> Response:
    """A download that no browser opens by itself; its name says nothing of the patient."""
    named = {"Content-Disposition": f'attachment; filename="answer.{ending}"'}
    return Response(content, media_type=FORMATS[ending].media_type, headers=named)
