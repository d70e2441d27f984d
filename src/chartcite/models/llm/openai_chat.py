"""Any server with an OpenAI-compatible `/chat/completions`: vLLM, Ollama, llama.cpp, LM Studio, a gateway.

What a server does not take it refuses; it is then asked in the next simpler way, and what it took is remembered.
"""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from chartcite.core.chat import ASKED_WITHOUT_SCHEMA, ASKED_WITHOUT_STREAM, ChatReply, ChatRequest, Stop
from chartcite.models.http_incoming import Incoming
from chartcite.models.http_json import Endpoint, Refused
from chartcite.models.openai_replies import BadStream, Chunks, whole
from chartcite.models.sse import event_data

ANOTHER_MODEL = "another_model_answered"
_PATH = "/chat/completions"
_ANY_OBJECT: Final = r"""root ::= object
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (string ws ":" ws value (ws "," ws string ws ":" ws value)*)? ws "}"
array ::= "[" ws (value (ws "," ws value)*)? ws "]"
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F]))* "\""
number ::= "-"? [0-9]+ ("." [0-9]+)? ([eE] [-+]? [0-9]+)?
ws ::= [ \t\n]*
"""
"""llama.cpp's own notation: an object of JSON, for servers of before `response_format`."""

_ELSEWHERE: Final = re.compile(r"[:-]cloud$")
Form = Literal["json_schema", "json_object", "grammar", "plain"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a server is asked.

    Attributes:
        form: what holds the model to JSON.
        streams: chunk by chunk, so that stalls and thinking without end are noticed.
        is_bare: without temperature and seed and with `max_completion_tokens`, as some reasoning models want it.
    """

    form: Form
    streams: bool = True
    is_bare: bool = False


FORMS: Final[tuple[Form, ...]] = ("json_schema", "json_object", "grammar", "plain")


class OpenAIChat:
    """See the module. Safe to use from several threads.

    Args:
        endpoint: where it is.
        model: the server's name for the model.
        context_tokens: of prompt and reply together.
        think_tokens: that a model may think beside its reply.
        stall_s: longest silence within a stream, in seconds.
    """

    def __init__(
        self, endpoint: Endpoint, model: str, context_tokens: int, think_tokens: int = 0, stall_s: float = 60.0
    ) -> None:
        self.name = model
        self.is_remote = endpoint.is_remote
        self.context_tokens = context_tokens
        self.endpoint = endpoint
        self._think_tokens, self._stall_s = think_tokens, stall_s
        self._known: dict[bool, Way] = {}

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply; raises as the port says."""
        has_schema = request.schema is not None
        request = replace(request, stop=self._within_time(request.stop))
        ways = self._ways(has_schema)
        for n, way in enumerate(ways, start=1):
            try:
                reply, taken = self._asked(request, way)
            except Refused:
                self._known.pop(has_schema, None)
                if n == len(ways):
                    raise
                continue
            self._known[has_schema] = taken
            return _told(reply, has_schema, ways[0], taken)
        raise AssertionError("there is always a way")

    def _within_time(self, stop: Stop | None) -> Stop:
        """All that is tried for one reply has the time of one."""
        at = time.monotonic() + self.endpoint.timeout_s
        if stop is None:
            return Stop(at=at)
        return replace(stop, at=at if stop.at is None else min(at, stop.at))

    def way(self, *, has_schema: bool) -> Way | None:
        """How the server was last asked with success; None before that."""
        return self._known.get(has_schema)

    def _ways(self, has_schema: bool) -> list[Way]:
        """The ways to try: the one that worked, else from the best to the barest.

        A refused stream and a refused form look alike, so the first form is tried without a stream before the next.
        """
        if has_schema in self._known:
            return [self._known[has_schema]]
        first = Way("json_schema" if has_schema else "plain")
        forms = FORMS[1:] if has_schema else ()
        plain = [Way("plain", streams=False)] if has_schema else []
        return [
            first, replace(first, streams=False), *(Way(form) for form in forms), *plain,
            Way("plain", streams=False, is_bare=True),
        ]  # fmt: skip

    def _asked(self, request: ChatRequest, way: Way) -> tuple[ChatReply, Way]:
        """The reply, and the way that gave it: a stream at fault is asked for again without streaming."""
        body = self._body(request, way)
        if not way.streams:
            reply, model = self.endpoint.converse(_PATH, body, _at_once, request.stop)
            return self._noted(reply, model), way
        try:
            reply, model = self.endpoint.converse(_PATH, body, self._streamed, request.stop)
        except BadStream:
            return self._asked(request, replace(way, streams=False))
        return self._noted(reply, model), way

    def _streamed(self, incoming: Incoming) -> tuple[ChatReply, str]:
        if not incoming.is_stream:
            return _at_once(incoming)
        chunks = Chunks(self._think_tokens)
        try:
            for data in _events(incoming):
                chunks.take(data)
                if chunks.has_begun:
                    incoming.expect_within(self._stall_s)
                if chunks.is_done or chunks.thought_too_long:
                    break
        except UnicodeDecodeError as error:
            raise BadStream("The endpoint's stream is not UTF-8.", "See the server's log.") from error
        return chunks.reply(), chunks.model

    def _body(self, request: ChatRequest, way: Way) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        }
        most = request.max_tokens + self._think_tokens
        if way.is_bare:
            body["max_completion_tokens"] = most
        else:
            body |= {"max_tokens": most, "temperature": request.temperature, "seed": request.seed}
        if way.streams:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if request.schema is not None and way.form == "json_schema":
            schema = {"name": "reply", "strict": True, "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif way.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        elif way.form == "grammar":
            body["grammar"] = _ANY_OBJECT
        return body

    def _noted(self, reply: ChatReply, model: str) -> ChatReply:
        return reply if _is_same(self.name, model) else replace(reply, notes=(*reply.notes, ANOTHER_MODEL))


def _told(reply: ChatReply, has_schema: bool, first: Way, taken: Way) -> ChatReply:
    """The reply with notes of how it was asked for: without a schema each time, without a stream when found out."""
    notes = reply.notes
    if has_schema and taken.form != "json_schema":
        notes += (ASKED_WITHOUT_SCHEMA,)
    if first.streams and not taken.streams:
        notes += (ASKED_WITHOUT_STREAM,)
    return replace(reply, notes=notes)


def _at_once(incoming: Incoming) -> tuple[ChatReply, str]:
    return whole(incoming.json())


def _events(incoming: Incoming) -> Iterator[str]:
    """The events of a stream; a connection that breaks ends it, one that stalls does not."""
    try:
        yield from event_data(incoming.lines())
    except TimeoutError:
        raise
    except (OSError, http.client.HTTPException) as error:
        raise BadStream("The endpoint's stream broke off.", "Try again; see the server's log.") from error


def _is_same(asked: str, named: str) -> bool:
    """Whether a server's name for a model may stand for the one asked for: with a date, a folder or a quantisation."""
    if not asked or not named:
        return True
    one, other = (name.lower().rsplit("/", 1)[-1].partition(":")[0] for name in (asked, named))
    return one in other or other in one


def runs_elsewhere(model: str) -> bool:
    """Whether a model's name is one of Ollama's cloud models: the server is here, the model is not.

    >>> [runs_elsewhere(name) for name in ("gpt-oss:120b-cloud", "glm-4.6:cloud", "cloud-7b:latest")]
    [True, True, False]
    """
    return _ELSEWHERE.search(model.strip().lower()) is not None


def load(
    role: str, url: str, model: str, *, key: str, context_tokens: int, timeout_s: float, allow_remote: bool,
    think_tokens: int = 0, stall_s: float = 60.0, passes_on: bool = False,
) -> OpenAIChat:  # fmt: skip
    """The model behind a url (for example `http://127.0.0.1:8080/v1`); `role` is `writer` or `judge`.

    `passes_on`: a server of this machine sends what it gets to another one. Models whose name says so do in any case.

    Raises:
        ModelRefused: the url cannot be used, or is another machine's and that was not allowed.
    """
    endpoint = Endpoint(
        url, key, timeout_s, retries=1, key_name=f"CHARTCITE_{role.upper()}_KEY",
        described=f"{role}_url and {role}_model", retries_late=False, most_bytes=16 << 20,
        passes_on=passes_on or runs_elsewhere(model),
    )  # fmt: skip
    endpoint.check()
    endpoint.check_remote(allowed=allow_remote)
    return OpenAIChat(endpoint, model, context_tokens, think_tokens, stall_s)
