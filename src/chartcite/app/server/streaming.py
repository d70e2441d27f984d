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

from chartcite.app.server.state import state_of
from chartcite.core.access import Visitor
from chartcite.core.answer import AnswerSentence
from chartcite.library.granted import GrantedBook

_SILENCE = 10.0
"""Seconds after which a comment shows that the connection still stands, and that somebody is still there."""
Told = dict[str, Any]


@dataclass(slots=True)
class Events:
    """What a question says while it is worked at, put in from its thread and taken in the loop.

    `cancel` is set when nobody reads any more.
    """

    loop: asyncio.AbstractEventLoop
    cancel: threading.Event = field(default_factory=threading.Event)
    queue: asyncio.Queue[tuple[str, Told | Exception]] = field(default_factory=asyncio.Queue)

    def put(self, name: str, content: Told | Exception) -> None:
        """One event; `answer` and `error` are the last."""
        self.loop.call_soon_threadsafe(self.queue.put_nowait, (name, content))


@dataclass(frozen=True, slots=True)
class Heard:
    """A listener that puts what it hears as it is."""

    events: Events

    def stage(self, name: str) -> None:
        """By its name."""
        self.events.put("stage", {"stage": name})

    def sentence(self, sentence: AnswerSentence) -> None:
        """As in the answer."""
        self.events.put("sentence", sentence.to_dict())


Work = Callable[[GrantedBook, Events], None]
"""Asks, tells the events, and ends with `answer`."""


async def stream(
    request: Request,
    visitor: Visitor,
    work: Work,
    *,
    told: Callable[[Exception], Told],
    is_event: Callable[[Exception], bool] = lambda _error: False,
) -> StreamingResponse:
    """Answer in events. The question is cancelled as soon as nobody reads any more.

    Args:
        request: whose connection is watched.
        visitor: who asks.
        work: see there; what it raises becomes the event `error`.
        told: an error as the content of an event.
        is_event: which errors are events even where nothing was told yet; others are raised then, for their status.
    """
    desks, events = state_of(request).desks, Events(asyncio.get_running_loop())

    async def go() -> None:
        try:
            await desks.run(visitor, lambda granted: work(granted, events))
        except Exception as error:  # noqa: BLE001  (told as an event, or raised below where nothing was told yet)
            events.put("error", error)

    task = asyncio.create_task(go())
    try:
        first = await events.queue.get()
        if isinstance(first[1], Exception) and not is_event(first[1]):
            raise first[1]
    except BaseException:
        events.cancel.set()
        raise
    return StreamingResponse(
        _lines(request, events, task, first, told), media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )  # fmt: skip


async def _lines(
    request: Request, events: Events, task: asyncio.Task[None], event: tuple[str, Told | Exception],
    told: Callable[[Exception], Told],
) -> AsyncIterator[str]:  # fmt: skip
    with state_of(request).desks.cancellable() as by_server:
        try:
            while True:
                name, content = event
                yield event_of(name, told(content) if isinstance(content, Exception) else content)
                if name in ("answer", "error"):
                    return
                waited = 0.0
                while True:
                    try:
                        event = await asyncio.wait_for(events.queue.get(), 0.25)
                        break
                    except TimeoutError:
                        waited += 0.25
                        if by_server.is_set() or await request.is_disconnected():
                            events.cancel.set()
                        if waited >= _SILENCE:
                            waited = 0.0
                            yield ": still at it\n\n"
        finally:
            events.cancel.set()
            await asyncio.shield(task)


def event_of(name: str, content: Any) -> str:
    """One event; JSON has no line breaks of its own, so it is one `data` line."""
    return f"event: {name}\ndata: {json.dumps(content)}\n\n"
