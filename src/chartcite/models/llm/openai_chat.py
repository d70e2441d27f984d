"""Any server with an OpenAI-compatible `/chat/completions`: vLLM, Ollama, llama.cpp, LM Studio, a gateway.

A server that does not know JSON schemas refuses the request; it is asked again without one, and from then on always.
"""

from __future__ import annotations

from typing import Any

from chartcite.core.chat import ChatReply, ChatRequest, Finish
from chartcite.core.errors import EndpointFailed
from chartcite.models.http_json import Endpoint, Refused

_MOST_CHARS = 50_000
_FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length"}


class OpenAIChat:
    """See the module. Safe to use from several threads.

    Args:
        endpoint: where it is.
        model: the server's name for the model.
        context_tokens: of prompt and reply together.
    """

    def __init__(self, endpoint: Endpoint, model: str, context_tokens: int) -> None:
        self.name = model
        self.is_remote = endpoint.is_remote
        self.context_tokens = context_tokens
        self._endpoint = endpoint
        self._knows_schemas = True

    def chat(self, request: ChatRequest) -> ChatReply:
        """One reply; raises as the port says."""
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "max_tokens": request.max_tokens, "temperature": request.temperature, "seed": request.seed,
        }  # fmt: skip
        if request.schema is not None and self._knows_schemas:
            schema = {"name": "reply", "strict": True, "schema": dict(request.schema)}
            try:
                return _reply(
                    self._endpoint.post(
                        "/chat/completions", {**body, "response_format": {"type": "json_schema", "json_schema": schema}}
                    )
                )
            except Refused:
                self._knows_schemas = False
        return _reply(self._endpoint.post("/chat/completions", body))


def _reply(answer: Any) -> ChatReply:
    try:
        choice = answer["choices"][0]
        content = choice["message"]["content"]
    except (KeyError, IndexError, TypeError) as error:
        raise EndpointFailed(
            "The endpoint's answer holds no reply.", "Is the url that of an OpenAI-compatible API?"
        ) from error
    if isinstance(content, list):  # some gateways give parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    usage = answer.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    text = content[:_MOST_CHARS] if isinstance(content, str) else ""
    finish = choice.get("finish_reason")
    return ChatReply(
        text.encode("utf-8", "replace").decode(),  # half a surrogate pair is no text
        _FINISHES.get(finish, "other") if isinstance(finish, str) else "other",
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def load(
    role: str, url: str, model: str, *, key: str, context_tokens: int, timeout_s: float, allow_remote: bool
) -> OpenAIChat:
    """The model behind a url (for example `http://127.0.0.1:8080/v1`); `role` is `writer` or `judge`.

    Raises:
        ModelRefused: the url cannot be used, or is another machine's and that was not allowed.
    """
    endpoint = Endpoint(
        url, key, timeout_s, retries=1, key_name=f"CHARTCITE_{role.upper()}_KEY",
        described=f"{role}_url and {role}_model",
    )  # fmt: skip
    endpoint.check()
    endpoint.check_remote(allowed=allow_remote)
    return OpenAIChat(endpoint, model, context_tokens)
