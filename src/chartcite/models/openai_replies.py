"""What an OpenAI-compatible server says of a reply: whole, or in chunks as the model makes it.

Thinking, in its own field or in tags, is no reply. What is not as the protocol has it ends in `EndpointFailed`; a fault
of the stream alone in `BadStream`, so that the server can be asked without one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from chartcite.core.chat import ChatReply, Finish
from chartcite.core.errors import EndpointFailed
from chartcite.models.http_incoming import too_long
from chartcite.models.thoughts import is_thinking, without_thoughts

MOST_CHARS = 50_000
CHARS_A_TOKEN = 8
"""More than any tokenizer needs on average, for limits that are counted in characters."""
ONLY_THOUGHT = "model_only_thought"
_FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length"}


class BadStream(EndpointFailed):
    """The chunks of a stream are not as they should be, or it ended before the reply did."""


@dataclass(slots=True)
class Chunks:
    """A reply that is being made.

    Attributes:
        think_tokens: after so much thinking the reply is given up; 0: only the server's limit holds.
        is_done: the server said that nothing more comes.
        has_begun: something of the model has come.
    """

    think_tokens: int
    is_done: bool = False
    has_begun: bool = False
    model: str = ""
    _said: list[str] = field(default_factory=list)
    _chars: int = 0
    _thought_chars: int = 0
    _thought_chunks: int = 0
    _in_tags: bool = False
    _finish: object = None
    _usage: Any = None
    _events: int = 0
    _repeated: int = 0
    _last: str = ""

    def take(self, data: str) -> None:
        """One event.

        Raises:
            BadStream: no chunk, or one that comes after the end.
            EndpointFailed: an error of the server's, or too much.
        """
        if data.strip() == "[DONE]":
            self.is_done = True
            return
        self._events += 1
        if self._events % 2 == 0:
            self._repeated += data == self._last
        self._last = data
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise _bad("The endpoint's stream holds what is no JSON.") from error
        if not isinstance(chunk, dict):
            raise _bad("The endpoint's stream holds what is no chunk of a reply.")
        refuse_error(chunk)
        self.model = _text(chunk.get("model")) or self.model
        self._usage = chunk.get("usage") or self._usage
        for choice in chunk.get("choices") or ():
            if isinstance(choice, dict) and choice.get("index", 0) == 0:
                self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> None:
        delta = choice.get("delta") or choice.get("message") or {}
        if not isinstance(delta, dict):
            raise _bad("The endpoint's stream holds what is no chunk of a reply.")
        thought, said = _thought(delta), content_of(delta)
        if (thought or said) and self._finish is not None:
            raise _bad("The endpoint's stream goes on after its end.")
        self._finish = choice.get("finish_reason") or self._finish
        self.has_begun = self.has_begun or bool(thought or said)
        self._said.append(said)
        self._chars += len(said)
        if any(mark in said for mark in ">]▷"):
            self._in_tags = is_thinking("".join(self._said))
        if thought or (said and self._in_tags):
            self._thought_chunks += 1
            self._thought_chars += len(thought or said)
        if self._chars > MOST_CHARS + CHARS_A_TOKEN * self.think_tokens:
            raise too_long()

    @property
    def thought_too_long(self) -> bool:
        """Whether the model has thought for longer than it may."""
        tokens = max(self._thought_chunks, self._thought_chars // CHARS_A_TOKEN)
        return 0 < self.think_tokens < tokens

    def reply(self) -> ChatReply:
        """What came.

        Raises:
            BadStream: it broke off, or every chunk came twice.
        """
        if self.thought_too_long:
            return made("", "length", self._usage, has_thought=True)
        if self._events > 6 and self._repeated == self._events // 2:
            raise _bad("The endpoint's stream holds every chunk twice.")
        if self._finish is None:
            raise _bad("The endpoint's stream broke off.")
        return made("".join(self._said), self._finish, self._usage, has_thought=self._thought_chunks > 0)


def whole(answer: Any) -> tuple[ChatReply, str]:
    """The reply in an answer that came at once, and the name of the model that it gives.

    Raises:
        EndpointFailed: there is none in it.
    """
    try:
        refuse_error(answer)
        choice = answer["choices"][0]
        message = choice["message"]
        said, thought = content_of(message), _thought(message)
        finish = choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise EndpointFailed(
            "The endpoint's answer holds no reply.", "Is the url that of an OpenAI-compatible API?"
        ) from error
    if len(said) > MOST_CHARS * CHARS_A_TOKEN:
        raise too_long()
    return made(said, finish, answer.get("usage"), has_thought=bool(thought)), _text(answer.get("model"))


def made(said: str, finish: object, usage: Any, *, has_thought: bool) -> ChatReply:
    """A reply without its thinking, and with a note if there is nothing else."""
    text = without_thoughts(said).encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    counts = usage if isinstance(usage, dict) else {}
    has_thought = has_thought or bool(said.strip())
    return ChatReply(
        text[:MOST_CHARS],
        _FINISHES.get(finish, "other") if isinstance(finish, str) else "other",
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
        (ONLY_THOUGHT,) if has_thought and not text.strip() else (),
    )


def refuse_error(answer: Any) -> None:
    """An error that comes with status 200; its words may repeat the text, so they are not shown."""
    if isinstance(answer, dict) and answer.get("error") and not answer.get("choices"):
        raise EndpointFailed(
            "The endpoint answered with an error instead of a reply.", "Does it serve that model? See the server's log."
        )


def content_of(message: dict[str, Any]) -> str:
    """What a message or a delta says; some gateways give parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return _text(content)


def _thought(message: dict[str, Any]) -> str:
    return _text(message.get("reasoning_content")) or _text(message.get("reasoning"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _bad(what: str) -> BadStream:
    return BadStream(what, "Try again; see the server's log.")
