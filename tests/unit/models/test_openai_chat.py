"""The client of chat endpoints: streams with all their faults, servers of all abilities, thinking, time, cancelling."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.scripted_server import DONE, USAGE, Reply, Said, chat, chunk, serving, streamed

from chartcite.core.chat import ChatReply, ChatRequest, Message, Stop
from chartcite.core.errors import Cancelled, EndpointFailed
from chartcite.models.llm import openai_chat
from chartcite.models.llm.openai_chat import OpenAIChat

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
ASKED = ChatRequest((Message("user", "hello"),), 50, stage="write")
FORMED = replace(ASKED, schema=SCHEMA)


def load(url: str, timeout_s: float = 2.0, **how: Any) -> OpenAIChat:
    return openai_chat.load(
        "writer",
        url,
        how.pop("model", "m"),
        key="",
        context_tokens=4096,
        timeout_s=timeout_s,
        allow_remote=False,
        **how,
    )


def ask(reply: Reply, request: ChatRequest = ASKED, **how: Any) -> tuple[ChatReply, list[dict[str, Any]]]:
    with serving(reply) as (url, seen):
        return load(url, **how).chat(request), seen


def test_a_stream_gives_what_an_answer_at_once_gives() -> None:
    by_stream, seen = ask(lambda _: streamed('{"a": "5 µg"}'))
    assert by_stream == ChatReply('{"a": "5 µg"}', "stop", 9, 3)
    assert seen[0]["stream"] is True
    at_once, _ = ask(lambda _: chat('{"a": "5 µg"}'))
    assert (at_once.text, at_once.finish) == (by_stream.text, by_stream.finish)


STREAMS: dict[str, tuple[list[bytes], str]] = {
    "no usage": ([chunk("a"), chunk("b", "stop"), DONE], "ab"),
    "no end mark": ([chunk("a"), chunk("b", "stop")], "ab"),
    "no blank line at the end": ([chunk("a"), chunk("b", "stop"), b"data: [DONE]\n"], "ab"),
    "comments between": ([b": waiting\n\n", chunk("a"), b": ping\n\n", chunk("b", "stop"), DONE], "ab"),
    "lines end the other way": ([chunk("a").replace(b"\n", b"\r\n"), chunk("b", "stop"), DONE], "ab"),
    "names of events": ([b"event: message\nid: 4\n" + chunk("a"), chunk("b", "stop"), DONE], "ab"),
    "no blank after the colon": ([chunk("a").replace(b"data: ", b"data:"), chunk("b", "stop"), DONE], "ab"),
    "another choice": ([chunk("a"), chunk("z").replace(b'"index": 0', b'"index": 1'), chunk("", "stop"), DONE], "a"),
    "a message in a chunk": ([chunk("ab", "stop").replace(b"delta", b"message"), DONE], "ab"),
    "half a character a piece": (
        [*[bytes([b]) for b in chunk("é ß", "stop").replace(b"\\u00e9", "é".encode())], DONE], "é ß",
    ),
    "the same word twice": ([chunk("no "), chunk("no "), chunk("yes", "stop"), USAGE, DONE], "no no yes"),
    "thoughts apart": ([chunk("", reasoning_content="hm"), chunk("a", "stop"), DONE], "a"),
    "thoughts apart, other name": ([chunk("", reasoning="hm"), chunk("a", "stop"), DONE], "a"),
    "thoughts in tags": ([chunk("<thi"), chunk("nk>hm</think>"), chunk("a", "stop"), DONE], "a"),
    "null content": (
        [b'data: {"choices": [{"delta": {"content": null, "role": "assistant"}}]}\n\n', chunk("a", "stop")], "a",
    ),
    "an empty error": (
        [b'data: {"error": null, "choices": [{"delta": {"content": "a"}}]}\n\n', chunk("b", "stop")], "ab",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", STREAMS)
def test_streams_as_servers_send_them(kind: str) -> None:
    events, text = STREAMS[kind]
    reply, seen = ask(lambda _: Said(events=events))
    assert (reply.text, reply.finish) == (text, "stop")
    assert len(seen) == 1


BAD_STREAMS: dict[str, list[bytes]] = {
    "cut": [chunk("a"), chunk("b")],
    "cut in an event": [chunk("a"), chunk("b", "stop")[:-9]],
    "nothing at all": [],
    "end mark only": [DONE],
    "no JSON": [chunk("a"), b"data: {oops\n\n", chunk("b", "stop"), DONE],
    "no object": [b"data: [1]\n\n", chunk("b", "stop"), DONE],
    "an odd delta": [b'data: {"choices": [{"delta": "a"}]}\n\n', chunk("b", "stop"), DONE],
    "no UTF-8": [chunk("a").replace(b'"a"', b'"\xff\xfe"'), chunk("b", "stop"), DONE],
    "every chunk twice": [e for e in (*(chunk(c) for c in "abcdef"), chunk("", "stop")) for _ in (1, 2)] + [DONE],
    "more after the end": [chunk("a", "stop"), chunk("b"), DONE],
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_STREAMS)
def test_a_stream_at_fault_is_asked_for_at_once_and_no_more_as_a_stream(kind: str) -> None:
    def reply(body: dict[str, Any]) -> Said:
        return Said(events=BAD_STREAMS[kind]) if body.get("stream") else chat("whole")

    with serving(reply) as (url, seen):
        model = load(url)
        replies = [model.chat(ASKED) for _ in range(2)]
    assert [reply.text for reply in replies] == ["whole", "whole"]
    assert [reply.notes for reply in replies] == [("asked_again_without_stream",), ()]
    assert [body.get("stream", False) for body in seen] == [True, False, False]


@pytest.mark.parametrize("kind", BAD_STREAMS)
def test_a_stream_at_fault_is_no_reply(kind: str) -> None:
    with serving(lambda _: Said(events=BAD_STREAMS[kind])) as (url, _), pytest.raises(EndpointFailed):
        load(url).chat(ASKED)


FAILURES: dict[str, Reply] = {
    "an error in the stream": lambda _: Said(events=[b'data: {"error": {"message": "secret text"}}\n\n']),
    "an error with status 200": lambda _: Said({"error": {"message": "secret text"}}),
    "an error that is a word": lambda _: Said({"error": "secret text"}),
    "no reply": lambda _: Said({"choices": []}),
    "a page": lambda _: Said(b"<html>secret text</html>", headers={"Content-Type": "text/html"}),
    "far too long": lambda _: Said(events=[chunk("a" * 10_000) for _ in range(8)]),
    "far too long at once": lambda _: chat("a" * 500_000),
    "one line without end": lambda _: Said(events=[b"data: " + b"a" * (17 << 20)]),
    "a message that is none": lambda _: Said({"choices": [{"message": "secret text"}]}),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_what_is_no_reply_fails_and_repeats_nothing(kind: str) -> None:
    with serving(FAILURES[kind]) as (url, _), pytest.raises(EndpointFailed) as failed:
        load(url).chat(ASKED)
    assert "secret" not in f"{failed.value} {failed.value.advice}"


def server(*, form: str, streams: bool, bare: bool = False) -> Callable[[dict[str, Any]], Said]:
    """A server that takes one form of holding a model to JSON, and streams or not."""

    def reply(body: dict[str, Any]) -> Said:
        asked = body.get("response_format", {}).get("type") or ("grammar" if "grammar" in body else "plain")
        if asked not in (form, "plain") or (body.get("stream") and not streams) or (bare and "max_tokens" in body):
            return Said({"error": "unknown field"}, 400)
        return streamed('{"a": "b"}') if body.get("stream") else chat('{"a": "b"}')

    return reply


@pytest.mark.parametrize("streams", [True, False], ids=["streams", "at-once"])
@pytest.mark.parametrize("form", openai_chat.FORMS)
def test_what_a_server_takes_is_found_and_remembered(form: str, streams: bool) -> None:
    with serving(server(form=form, streams=streams)) as (url, seen):
        model = load(url)
        reply = model.chat(FORMED)
        first = len(seen)
        again = model.chat(FORMED)
        way = model.way(has_schema=True)
    assert way is not None
    assert reply.text == again.text == '{"a": "b"}'
    schema = [] if way.form == "json_schema" else ["asked_without_schema"]
    assert [*reply.notes] == schema + ([] if way.streams else ["asked_again_without_stream"])
    assert [*again.notes] == schema
    assert first <= 6
    assert len(seen) == first + 1
    assert way.streams == streams
    if streams or form == "json_schema":
        assert way.form == form


def test_a_model_that_wants_no_temperature_is_asked_without() -> None:
    with serving(server(form="plain", streams=True, bare=True)) as (url, seen):
        load(url).chat(FORMED)
    assert "temperature" not in seen[-1]
    assert seen[-1]["max_completion_tokens"] == 50


def test_a_prompt_that_no_way_makes_fit_is_refused_and_nothing_is_remembered() -> None:
    with serving(lambda body: Said({}, 400)) as (url, seen):
        model = load(url)
        with pytest.raises(EndpointFailed):
            model.chat(FORMED)
        assert len(seen) == 7
        assert model.way(has_schema=True) is None


def test_a_server_that_was_changed_meanwhile_is_asked_anew() -> None:
    takes = {"form": "json_schema"}

    def reply(body: dict[str, Any]) -> Said:
        return server(form=takes["form"], streams=True)(body)

    with serving(reply) as (url, _):
        model = load(url)
        model.chat(FORMED)
        takes["form"] = "json_object"
        with pytest.raises(EndpointFailed):
            model.chat(FORMED)
        assert model.chat(FORMED).text == '{"a": "b"}'


def test_thinking_has_a_budget_of_its_own_and_its_end() -> None:
    def endless(body: dict[str, Any]) -> Said:
        assert body["max_tokens"] == 50 + 20
        return Said(events=[chunk("", reasoning_content="hm ")] * 4000, gap_s=0.001)

    start = time.monotonic()
    reply, seen = ask(endless, think_tokens=20)
    assert time.monotonic() - start < 3.5
    assert (reply.text, reply.finish, reply.notes) == ("", "length", ("model_only_thought",))
    assert len(seen) == 1


def test_thinking_in_tags_without_end_ends_as_well() -> None:
    reply, _ = ask(lambda _: Said(events=[chunk("<think>"), *[chunk("hm ")] * 400]), think_tokens=20)
    assert (reply.text, reply.notes) == ("", ("model_only_thought",))


@pytest.mark.parametrize(
    "said",
    [
        chat("<think>so it is"), chat("<think>so it is</think>"), chat("<think>a</think>\n <THINKING >b"),
        Said({"choices": [{"message": {"content": "", "reasoning_content": "so"}, "finish_reason": "stop"}]}),
        Said({"choices": [{"message": {"content": None, "reasoning": "so"}, "finish_reason": "stop"}]}),
        Said(events=[chunk("", reasoning_content="so it is"), chunk("", "stop"), DONE]),
    ],
    ids=["open", "closed", "two", "field", "other-field", "stream"],
)  # fmt: skip
def test_only_thinking_is_no_reply(said: Said) -> None:
    reply, _ = ask(lambda _: said)
    assert reply.text.strip() == ""
    assert reply.notes == ("model_only_thought",)


def test_silence_within_a_stream_is_noticed() -> None:
    start = time.monotonic()
    with (
        serving(lambda _: Said(events=[chunk("a"), chunk("b")], gap_s=1.5)) as (url, seen),
        pytest.raises(EndpointFailed, match="too long"),
    ):
        load(url, timeout_s=10, stall_s=0.2).chat(ASKED)
    assert time.monotonic() - start < 9
    assert len(seen) == 1


def test_a_stream_that_always_goes_on_a_little_ends_in_time() -> None:
    start = time.monotonic()
    with (
        serving(lambda _: Said(events=[chunk("a")] * 100, gap_s=0.05)) as (url, seen),
        pytest.raises(EndpointFailed, match="too long"),
    ):
        load(url, timeout_s=0.4).chat(ASKED)
    assert time.monotonic() - start < 4.5
    assert len(seen) == 1


@pytest.mark.parametrize(
    "said",
    [
        Said(events=[chunk("a")] * 100, gap_s=0.05), Said(events=[chunk("a"), chunk("b")], gap_s=3.0),
        Said(b"", wait_s=3.0), Said({}, 503, {"Retry-After": "5"}),
    ],
    ids=["streaming", "silent", "nothing-yet", "waiting"],
)  # fmt: skip
def test_cancelling_ends_at_once(said: Said) -> None:
    stop = Stop()
    threading.Timer(0.15, stop.cancelled.set).start()
    start = time.monotonic()
    with serving(lambda _: said) as (url, seen):
        with pytest.raises(Cancelled):
            load(url, timeout_s=20).chat(replace(ASKED, stop=stop))
        assert time.monotonic() - start < 2.8
        assert len(seen) == 1


@pytest.mark.parametrize("after", ["1", "60", "Fri, 01 Jan 2100 00:00:00 GMT"], ids=["1", "60", "date"])
def test_a_wait_that_the_time_does_not_allow_is_not_begun(after: str) -> None:
    start = time.monotonic()
    with (
        serving(lambda _: Said({}, 429, {"Retry-After": after})) as (url, seen),
        pytest.raises(EndpointFailed, match="429"),
    ):
        load(url, timeout_s=0.6).chat(ASKED)
    assert time.monotonic() - start < 0.95
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("asked", "named", "is_same"),
    [
        ("m", "m", True), ("m", "", True), ("", "x", True), ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("llama3:8b", "llama3", True),
        ("org/Qwen3-8B", "qwen3-8b", True), ("qwen3", "/models/Qwen3-8B-Q4.gguf", True), ("llama3", "qwen3", False),
        ("judge-a", "judge-b", False),
    ],
)  # fmt: skip
def test_another_model_is_noted(asked: str, named: str, is_same: bool) -> None:
    body = {"model": named, "choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}
    reply, _ = ask(lambda _: Said(body), model=asked)
    assert reply.notes == (() if is_same else ("another_model_answered",))
    event = (
        b"data: "
        + json.dumps({"model": named, "choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}).encode()
    )
    reply, _ = ask(lambda _: Said(events=[event + b"\n\n", DONE]), model=asked)
    assert reply.notes == (() if is_same else ("another_model_answered",))
