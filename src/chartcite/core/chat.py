"""Port of a chat model. Nothing it says is believed: every id of a reply is checked, and what it wrote is verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Finish = Literal["stop", "length", "other"]


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
    """

    messages: tuple[Message, ...]
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.0
    seed: int = 0
    stage: str = ""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back. Token counts as the server tells them; None where it does not."""

    text: str
    finish: Finish
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


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
