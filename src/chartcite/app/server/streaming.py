"""Server-sent events of one question: stages, verified sentences, then the answer or an error."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import Request
from fastapi.responses import StreamingResponse

from chartcite.app.server.desks import Desks
from chartcite.app.server.problems import problem_of
from chartcite.core.access import Visitor
from chartcite.core.answer import Answer, AnswerSentence
from chartcite.core.listener import Listener
from chartcite.library.granted import GrantedBook

Ask = Callable[[GrantedBook, Listener, threading.Event], Answer]
_SILENCE = 10.0
"""Seconds after which a comment shows that the connection still stands, and that somebody is still there."""


@dataclass(slots=True)
class _Heard:
    """A listener in the thread of the question; what it hears is taken in the loop."""

    loop: asyncio.AbstractEventLoop
    cancel: threading.Event
    events: asyncio.Queue[tuple[str, Any]] = field(default_factory=asyncio.Queue)

    def put(self, name: str, content: Any) -> None:
        self.loop.call_soon_threadsafe(self.events.put_nowait, (name, content))

    def stage(self, name: str) -> None:
        self.put("stage", {"stage": name})

    def sentence(self, sentence: AnswerSentence) -> None:
        self.put("sentence", sentence.to_dict())


async def stream(request: Request, desks: Desks, visitor: Visitor, ask: Ask) -> StreamingResponse:
    """Answer in events. What is refused before anything begins is refused as without events, with its status.

    The question is cancelled as soon as nobody reads any more.
    """
    cancel = threading.Event()
    heard = _Heard(asyncio.get_running_loop(), cancel)

    def work(granted: GrantedBook) -> None:
        try:
            heard.put("answer", ask(granted, heard, cancel).to_dict())
        except Exception as error:  # noqa: BLE001  (told as an event, or raised below where nothing was told yet)
            heard.put("error", error)

    async def go() -> None:
        try:
            await desks.run(visitor, work)
        except Exception as error:  # noqa: BLE001  (no book was free)
            heard.put("error", error)

    task = asyncio.create_task(go())
    try:
        first = await heard.events.get()
        if first[0] == "error":
            raise first[1]
    except BaseException:
        cancel.set()
        raise
    return StreamingResponse(
        _events(request, desks, heard, task, first), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


async def _events(
    request: Request, desks: Desks, heard: _Heard, task: asyncio.Task[None], event: tuple[str, Any]
) -> AsyncIterator[str]:
    with desks.cancellable() as by_server:
        try:
            while True:
                name, content = event
                if name == "error":
                    content = problem_of(content, request.state.request_id).to_dict()
                yield event_of(name, content)
                if name in ("answer", "error"):
                    return
                waited = 0.0
                while True:
                    try:
                        event = await asyncio.wait_for(heard.events.get(), 0.25)
                        break
                    except TimeoutError:
                        waited += 0.25
                        if by_server.is_set() or await request.is_disconnected():
                            heard.cancel.set()
                        if waited >= _SILENCE:
                            waited = 0.0
                            yield ": still at it\n\n"
        finally:
            heard.cancel.set()
            await asyncio.shield(task)


def event_of(name: str, content: Any) -> str:
    """One event; JSON has no line breaks of its own, so it is one `data` line."""
    return f"event: {name}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
