"""The doctor at endpoints: do they answer, how are they held to a form, how much of a prompt do they see?

All text that goes there is invented. No key, no address and nothing that a server says is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from chartcite.app.checks import Check, guarded
from chartcite.core.chat import ChatRequest, Message
from chartcite.core.errors import EndpointFailed

if TYPE_CHECKING:
    from chartcite.core.chat import ChatModel
    from chartcite.core.neural import Encoder
    from chartcite.library.engines import Engines
    from chartcite.library.settings import Settings
    from chartcite.models.llm.openai_chat import OpenAIChat

_FILLER = "The visit was kept. "
_BESIDE_TOKENS = 96
_CUT_BELOW = 0.8


def endpoints(settings: Settings, engines: Engines) -> Iterator[Check]:
    """The checks of the models that the settings name."""
    if settings.writer_url:
        yield from _model("writer", lambda: engines.writer, _writes_in_form, engines)
    if settings.judge_url:
        yield from _model("judge", lambda: engines.judge, _judges_in_form, engines)


def embeddings(encoder: Encoder) -> Check:
    """An embeddings server: is what is near in meaning near in its vectors?"""
    said = ("warfarin dose", "She takes warfarin 5 mg every evening.", "The wrist was put in a cast.")
    query = encoder.encode_query(said[0]).vector
    near, far = (float(query @ encoder.encode_passage(text).vector) for text in said[1:])
    if near <= far:
        return Check(
            "embeddings", "fail", f"{encoder.name} puts an unrelated sentence nearer",
            "Check model, query_prefix and passage_prefix in endpoint.json.",
        )  # fmt: skip
    return Check("embeddings", "ok", f"{encoder.name} answers; the order of two sentences is right")


def _model(
    role: str, load: Callable[[], ChatModel | None], is_in_form: Callable[[ChatModel], bool], engines: Engines
) -> Iterator[Check]:
    def answers() -> Check:
        return _answers(role, load(), is_in_form)

    from chartcite.models.llm.openai_chat import OpenAIChat  # noqa: PLC0415

    first = guarded(role, answers)
    yield first
    model = load() if first.status != "fail" else None
    if not isinstance(model, OpenAIChat):
        return
    yield _form(role, model)
    yield guarded(f"{role} context", lambda: _context(role, model, engines.encoder))


def _answers(role: str, model: ChatModel | None, is_in_form: Callable[[ChatModel], bool]) -> Check:
    if model is None:
        return Check(role, "ok", "none")
    where = "on another machine" if model.is_remote else "on this machine (as far as address and name tell)"
    detail = f"{model.name or 'a model'} {where} answers"
    if is_in_form(model):
        return Check(role, "ok", f"{detail} in the form asked for")
    return Check(role, "warn", f"{detail}, but not in the form asked for", "Use a larger model.")


def _writes_in_form(model: ChatModel) -> bool:
    from chartcite.cascade.write.llm import answers_in_form  # noqa: PLC0415

    return answers_in_form(model)


def _judges_in_form(model: ChatModel) -> bool:
    from chartcite.verification.judge import judge  # noqa: PLC0415
    from chartcite.verification.verdicts import Source  # noqa: PLC0415

    source = Source("1", "INR was 2.1 on Monday.")
    return judge(model, "", source.text, [source]).is_conclusive


_HELD_BY = {
    "json_schema": "held to a JSON schema", "json_object": "held to JSON, not to a schema",
    "grammar": "held to JSON by a grammar", "plain": "held to no form",
}  # fmt: skip


def _form(role: str, model: OpenAIChat) -> Check:
    """How the server was asked with success."""
    name, way = f"{role} form", model.way(has_schema=True)
    if way is None:
        return Check(name, "warn", "unknown")
    detail = f"{_HELD_BY[way.form]}; {'as a stream' if way.streams else 'without a stream'}"
    if way.form == "plain":
        return Check(name, "warn", detail, "Use a server that knows response_format, or a model that keeps to JSON.")
    if not way.streams:
        return Check(name, "ok", detail, "Stalls and endless thinking end at writer_timeout only.")
    return Check(name, "ok", detail)


def _context(role: str, model: OpenAIChat, encoder: Encoder) -> Check:
    """The size that the server tells, else whether it sees all of a prompt as long as the settings allow."""
    from chartcite.models.openai_context import told_context  # noqa: PLC0415

    name, wanted = f"{role} context", model.context_tokens
    told = told_context(model.endpoint, model.name)
    if told is not None:
        if told < wanted:
            return _too_small(name, f"the server gives {told:,} tokens, the settings count on {wanted:,}", told)
        return Check(name, "ok", f"{told:,} tokens; the settings use {wanted:,}")
    return _probed(name, model, encoder, wanted)


def _probed(name: str, model: OpenAIChat, encoder: Encoder, wanted: int) -> Check:
    """Ask with a prompt that nearly fills the context, and compare what the server counts."""
    each = len(encoder.offsets([_FILLER])[0])
    sent = max(1, (wanted - _BESIDE_TOKENS) // each)
    try:
        reply = model.chat(ChatRequest((Message("user", _FILLER * sent + "Say yes."),), 4, stage="doctor"))
    except EndpointFailed:
        return _too_small(name, f"a prompt of about {sent * each:,} tokens is refused or fails")
    if reply.prompt_tokens is None:
        return Check(name, "warn", "the server tells neither its context nor how much it reads", "See its log.")
    if reply.prompt_tokens < _CUT_BELOW * sent * each:
        return _too_small(name, f"of about {sent * each:,} tokens the server reads {reply.prompt_tokens:,}")
    return Check(name, "ok", f"a prompt of {reply.prompt_tokens:,} tokens is read whole")


def _too_small(name: str, detail: str, size: int | None = None) -> Check:
    to = f" to {size}" if size else ""
    return Check(
        name, "warn", detail,
        f"Lower writer_context{to}, or enlarge the server's (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: -c, vLLM:"
        " --max-model-len).",
    )  # fmt: skip
