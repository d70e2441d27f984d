"""The wire format of OpenAI's chat completions, for clients that speak nothing else; citations come along.

The model's name is the scope: `chartcite/patient/ID` or `chartcite/collection/NAME`, of those that are granted. The
last message of the user is the question, and stands alone: earlier ones are not read (decision 0078).
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from chartcite.app.render.completion import Completion, completion
from chartcite.app.server.errors import InvalidRequest, NotHere
from chartcite.app.server.problems import problem_of
from chartcite.app.server.state import state_of
from chartcite.app.server.visitor import Reader
from chartcite.core.answer import Answer
from chartcite.core.errors import UnknownPartition
from chartcite.core.scope import Scope
from chartcite.library.granted import GrantedBook

router = APIRouter(prefix="/v1", tags=["chat completions"])
_OWN = "chartcite"
_AT_ONCE, _SILENCE = 2.0, 10.0
_NOT_DONE = ("tools", "functions", "audio", "logprobs")
_UNUSED = (
    "temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "stop", "presence_penalty",
    "frequency_penalty", "reasoning_effort",
)  # fmt: skip


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)
    type: str = Field(max_length=40)
    text: str = Field("", max_length=20_000)


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[str, Field(max_length=60_000)] | Annotated[list[_Part], Field(max_length=50)] | None = None


class _Streaming(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)
    include_usage: bool = False


class CompletionRequest(BaseModel):
    """A request as OpenAI's clients send it. What shapes no answer here is taken, and named in the response."""

    model_config = ConfigDict(
        extra="allow", hide_input_in_errors=True,
        json_schema_extra={"examples": [{
            "model": "chartcite/patient/p1", "messages": [{"role": "user", "content": "What is the warfarin dose?"}],
        }]},
    )  # fmt: skip
    model: str = Field(max_length=500, description="chartcite/patient/ID or chartcite/collection/NAME")
    messages: list[_Message] = Field(min_length=1, max_length=500)
    stream: bool = False
    stream_options: _Streaming | None = None
    n: int | None = Field(None, description="1, or left out")


@router.get("/models", response_model=None)
async def models(request: Request, visitor: Reader) -> JSONResponse:
    """The patients and collections granted, each as a model."""
    found = await state_of(request).desks.run(visitor, lambda g: [p.scope for p in (*g.patients(), *g.collections())])
    return JSONResponse({"object": "list", "data": [_model(scope) for scope in found]})


@router.get("/models/{model:path}", response_model=None)
async def model(request: Request, model: str, visitor: Reader) -> JSONResponse:
    """One of them."""
    scope = _scope(model)
    found = await state_of(request).desks.run(visitor, lambda g: [p.scope for p in (*g.patients(), *g.collections())])
    if scope not in found:
        raise UnknownPartition("There is no such model.", "List them at /v1/models.")
    return JSONResponse(_model(scope))


@router.post("/chat/completions", response_model=None)
async def complete(request: Request, asked: CompletionRequest, visitor: Reader) -> Response:
    """Answer the last message of the user from the record that the model's name names."""
    scope, question = _scope(asked.model), _question(asked)
    more = asked.model_extra or {}
    refused = [name for name in _NOT_DONE if more.get(name)]
    if refused or asked.n not in (None, 1) or _form_of(more) not in ("", "text"):
        raise InvalidRequest("The request asks for what this server does not do.", "Leave out tools, n, and formats.")
    ignored = sorted(name for name in _UNUSED if more.get(name) is not None)
    names = {scope.kind: scope.name}

    def put(granted: GrantedBook, cancel: threading.Event) -> Answer:
        return granted.ask(question, patient=names.get("patient"), collection=names.get("collection"), cancel=cancel)

    desks = state_of(request).desks
    task = asyncio.create_task(desks.run_while_heard(request, visitor, put))
    made = _Made(asked.model, ignored, len(asked.messages) - 1)
    if not asked.stream:
        return JSONResponse(made.whole(completion(await task)))
    await asyncio.wait([task], timeout=_AT_ONCE)
    if task.done():
        task.result()  # what is refused at once is refused with its status
    usage = asked.stream_options is not None and asked.stream_options.include_usage
    return StreamingResponse(
        _events(request, task, made, usage=usage), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


async def _events(request: Request, task: asyncio.Task[Answer], made: _Made, *, usage: bool) -> AsyncIterator[str]:
    try:
        while not (await asyncio.wait([task], timeout=_SILENCE))[0]:
            yield ": still at it\n\n"
        found = completion(task.result())
    except Exception as error:  # noqa: BLE001 - the status is sent already: told in the stream, by name
        problem = problem_of(error, request.state.request_id)
        told = {"message": f"{problem.message} {problem.advice}".strip(), "type": "server_error", "code": problem.kind}
        yield _data({"error": {**told, "param": None}})
    else:
        yield _data(made.chunk({"role": "assistant", "content": ""}))
        for piece in found.pieces:
            yield _data(made.chunk({"content": piece}))
        last = {"citations": found.citations, "chartcite": made.more(found)}
        yield _data({**made.chunk({}, finish="stop"), **last})
        if usage:
            yield _data({**made.head("chat.completion.chunk"), "choices": [], "usage": found.usage})
    finally:
        task.cancel()
    yield "data: [DONE]\n\n"


class _Made:
    """What all parts of one response share."""

    def __init__(self, model: str, ignored: list[str], unread: int) -> None:
        self.model, self.ignored, self.unread = model, ignored, unread
        self.id, self.created = f"chatcmpl-{secrets.token_hex(12)}", int(time.time())

    def head(self, kind: str) -> dict[str, Any]:
        """The fields that every object of the response begins with."""
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}

    def more(self, found: Completion) -> dict[str, Any]:
        """What the format has no place for: the whole answer, and what of the request was not used."""
        return {"answer": found.answer, "ignored_parameters": self.ignored, "unread_messages": self.unread}

    def chunk(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        """One part of a stream."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**self.head("chat.completion.chunk"), "choices": [choice]}

    def whole(self, found: Completion) -> dict[str, Any]:
        """A response in one piece."""
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "".join(found.pieces),
            "refusal": None,
            "annotations": [],
        }
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return {
            **self.head("chat.completion"), "choices": [choice], "usage": found.usage, "citations": found.citations,
            "chartcite": self.more(found),
        }  # fmt: skip


def _data(content: dict[str, Any]) -> str:
    return f"data: {json.dumps(content, ensure_ascii=False)}\n\n"


def _model(scope: Scope) -> dict[str, Any]:
    return {"id": f"{_OWN}/{scope.kind}/{scope.name}", "object": "model", "created": 0, "owned_by": _OWN}


def _scope(model: str) -> Scope:
    own, _, rest = model.partition("/")
    kind, _, name = rest.partition("/")
    if own != _OWN or kind not in ("patient", "collection") or not name:
        raise NotHere("There is no such model.", "List them at /v1/models.")
    return Scope.patient(name) if kind == "patient" else Scope.collection(name)


def _question(asked: CompletionRequest) -> str:
    """The text of the last message, which must be the user's."""
    last = asked.messages[-1]
    if last.role != "user":
        raise InvalidRequest("The last message is not the user's.", "Put the question last, with the role `user`.")
    if isinstance(last.content, str):
        return last.content
    parts = last.content or []
    if any(part.type != "text" for part in parts):
        raise InvalidRequest("A message has parts that are not text.", "Send text; upload files at /api/v1/ingest.")
    return "\n".join(part.text for part in parts)


def _form_of(more: dict[str, Any]) -> str:
    form = more.get("response_format")
    return str(form.get("type", "")) if isinstance(form, dict) else ""
