"""Requests of the API as they are documented. Scope is always one patient or one collection."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_TEXT = 20_000
Patient = Annotated[str | None, Field(max_length=400, description="identifier, exactly as the source names them")]
Collection = Annotated[str | None, Field(max_length=400, description="name of a collection")]
AsOf = Annotated[str | None, Field(max_length=40, description="ISO date: nothing written later is used")]


class Problem(BaseModel):
    """An error (RFC 9457, application/problem+json)."""

    type: str = "about:blank"
    title: str = Field(description="kind of the error: stable, fit for programs")
    status: int
    detail: str = Field(description="what is wrong; never text of a record")
    advice: str = Field(description="what to do")
    request_id: str


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class _Scoped(_Request):
    patient: Patient = None
    collection: Collection = None


class AskRequest(_Scoped):
    """A question to one patient's record or one collection: name exactly one of the two."""

    model_config = ConfigDict(
        extra="forbid",
        hide_input_in_errors=True,
        json_schema_extra={"examples": [{"question": "What is the warfarin dose?", "patient": "p1"}]},
    )

    question: str = Field(max_length=_TEXT, description="as asked")
    narrative: str = Field(default="", max_length=_TEXT, description="the longer story around the question")
    as_of: AsOf = None
    audience: Literal["clinician", "patient"] = Field(
        default="clinician", description="patient: plain words stand beside each sentence"
    )


class SearchRequest(_Scoped):
    """A search for passages."""

    query: str = Field(max_length=_TEXT)
    as_of: AsOf = None
    order: Literal["rank", "time"] = "rank"


def is_plain(value: object) -> bool:
    """Whether something can be written again as JSON in UTF-8: no NaN, no half a surrogate pair, not too deep."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):  # an encoding error is a ValueError
        return False
    return True


def _plain(answer: dict[str, Any]) -> dict[str, Any]:
    if not is_plain(answer):
        raise ValueError("not plain JSON")
    return answer


StoredAnswer = Annotated[dict[str, Any], AfterValidator(_plain)]


class VerifyRequest(_Request):
    """An answer as `ask` gave it (`chartcite.answer/1`), perhaps long ago."""

    answer: StoredAnswer


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "content": {"application/problem+json": {"schema": Problem.model_json_schema()}}}
    for status, text in {
        400: "the request cannot be read",
        401: "no token, or one that is not valid",
        403: "the token was not made for this, or the request comes from another site",
        404: "no such patient, collection or document, or not granted: which of them is not said",
        408: "the body came too slowly",
        409: "the store lacks what the settings ask for",
        413: "the body is too large",
        421: "not a name of this server",
        422: "the request is not of the documented form",
        429: "too many requests; see Retry-After",
        499: "the request was given up",
        500: "a fault of the server",
        502: "a model's endpoint failed",
        503: "busy or not configured; see Retry-After",
    }.items()
}
"""For `responses=` of every route."""


def documented(text: str) -> dict[int | str, dict[str, Any]]:
    """What a route answers; its form is in docs/formats.md under its `schema`."""
    schema = {"type": "object", "additionalProperties": True}
    return {200: {"description": text, "content": {"application/json": {"schema": schema}}}}


PatientName = Annotated[str, Query(max_length=400, description="identifier, exactly as the source names them")]
PatientQuery = Annotated[str | None, Query(max_length=400, description="identifier, exactly as the source names them")]
CollectionQuery = Annotated[str | None, Query(max_length=400, description="name of a collection")]
Topic = Annotated[str, Query(max_length=_TEXT, description="measured things or drugs by any name; empty for all")]
AsOfQuery = Annotated[str | None, Query(max_length=40, description="ISO date: nothing written later is used")]
Named = Annotated[str, Query(max_length=400)]
Day = Annotated[str, Query(pattern=r"^(\d{4}-\d{2}-\d{2})?$", description="YYYY-MM-DD, UTC")]
Limit = Annotated[int, Query(ge=1, le=1000)]
Offset = Annotated[int, Query(ge=0, le=10_000_000)]
