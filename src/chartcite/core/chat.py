"""Port of a chat model. Nothing it says is believed: every id of a reply is checked, and what it wrote is verified."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, runtime_checkable

from chartcite.core.errors import Cancelled, EndpointFailed

Finish = Literal["stop", "length", "other"]


@dataclass(frozen=True, slots=True)
class Stop:
    """When a call must end, whatever it is waiting for.

    Attributes:
        cancelled: set by whoever asked when the answer is wanted no more.
        at: on the clock `time.monotonic`, in seconds; None: no time limit.
    """

    cancelled: threading.Event = field(default_factory=threading.Event)
    at: float | None = None

    @property
    def seconds_left(self) -> float | None:
        """Until `at`, never negative; None without a time limit."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())

    def check(self) -> None:
        """Go on only if nobody cancelled.

        Raises:
            Cancelled: somebody did.
        """
        if self.cancelled.is_set():
            raise Cancelled("The question was cancelled.", "Ask again.")

    def sleep(self, seconds: float) -> None:
        """Wait, but end at once when cancelled; raises as `check` does."""
        self.cancelled.wait(seconds)
        self.check()


@dataclass(frozen=True, slots=True)
class Message:
    """One turn."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked of a model.

    Attributes:
        messages: oldest first.
        max_tokens: of the reply.
        schema: JSON schema of the reply; a server that cannot hold the model to it is asked without.
        stage: which stage asks (`write`, `judge`, ...): for the account of calls, never sent.
        stop: when the call must end; stages leave it to the wrappers. Never sent.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.0
    seed: int = 0
    stage: str = ""
    stop: Stop | None = None


ASKED_WITHOUT_SCHEMA: Final = "asked_without_schema"
ASKED_WITHOUT_STREAM: Final = "asked_again_without_stream"
OF_THE_FORM: Final = frozenset({ASKED_WITHOUT_SCHEMA, ASKED_WITHOUT_STREAM})
"""Notes of how a reply had to be asked for; it is as good as any."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back. Token counts as the server tells them; None where it does not.

    Attributes:
        notes: names of fallbacks that happened on the wire (`another_model_answered`), for the answer.
    """

    text: str
    finish: Finish
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What one stage's calls cost.

    Attributes:
        calls: requests that went to the endpoint.
        cached: requests answered from the store instead.
        prompt_tokens: of the calls, as the server tells; None where it tells of none.
        completion_tokens: the same of the replies.
        seconds: waited for the endpoint; calls side by side count each.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The schema's form."""
        return {
            "calls": self.calls, "cached": self.cached, "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens, "seconds": round(self.seconds, 3),
        }  # fmt: skip


class ChatModel(Protocol):
    """A model behind an endpoint."""

    name: str
    is_remote: bool  # not on this machine
    context_tokens: int  # of prompt and reply together

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply.

        Raises:
            EndpointFailed: not reached, refused, or no reply in its answer.
        """
        ...


@runtime_checkable
class ChatsSideBySide(Protocol):
    """A chat model that can be asked several things at once."""

    def chat_all(self, requests: Sequence[ChatRequest]) -> list[ChatReply | EndpointFailed]:
        """See `ask_all`."""
        ...


def ask_all(chat: ChatModel, requests: Sequence[ChatRequest]) -> list[ChatReply | EndpointFailed]:
    """The replies in the order of the requests, asked side by side where the model allows it.

    After a failure nothing more is asked: that failure stands for all that comes later.
    """
    if isinstance(chat, ChatsSideBySide):
        return chat.chat_all(requests)
    found: list[ChatReply | EndpointFailed] = []
    for request in requests:
        try:
            found.append(chat.chat(request))
        except EndpointFailed as error:
            return found + [error] * (len(requests) - len(found))
    return found
