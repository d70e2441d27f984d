"""What the doctor says of endpoints: each fault has a word and a way out, and no key is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.conftest import FakeEncoder
from tests.scripted_server import Said, chat, serving, streamed

from chartcite.app.checks import Check
from chartcite.app.doctor_endpoints import embeddings, endpoints
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

SENTENCES = '{"sentences": [{"text": "INR was 2.1.", "sources": ["E1"]}]}'
VERDICT = '{"verdict": "supported", "source": "1", "reason": "same"}'
KEY = "sk-canary-key"


def checks(
    reply: Callable[[dict[str, Any]], Said], get: Callable[[str], Said] | None = None, **how: Any
) -> dict[str, Check]:
    with serving(reply, get) as (url, _):
        role = how.pop("role", "writer")
        where = {f"{role}_url": url, f"{role}_model": "m", f"{role}_key": KEY}
        settings = Settings(**{**where, "writer_timeout": 2.0, **how})
        engines = Engines(settings)
        engines.__dict__["encoder"] = FakeEncoder()
        found = {check.name: check for check in endpoints(settings, engines)}
    assert KEY not in json.dumps([check.to_dict() for check in found.values()])
    assert all(check.advice for check in found.values() if check.status != "ok" and "unknown" not in check.detail)
    return found


def counted(body: dict[str, Any], most: int = 10**9) -> dict[str, Any]:
    """A reply whose usage counts words as tokens, as many as the server reads."""
    words = len(re.findall(r"\w+|[^\w\s]", " ".join(m["content"] for m in body["messages"])))
    choice = {"message": {"content": SENTENCES}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": {"prompt_tokens": min(words, most), "completion_tokens": 5}}


def told(path: str, answer: dict[str, Any]) -> Callable[[str], Said]:
    return lambda asked: Said(answer) if asked == path else Said({}, 404)


def test_all_is_well() -> None:
    found = checks(lambda _: streamed(SENTENCES), told("/props", {"default_generation_settings": {"n_ctx": 8192}}))
    assert {name: check.status for name, check in found.items()} == {
        "writer": "ok", "writer form": "ok", "writer context": "ok",
    }  # fmt: skip
    assert "JSON schema" in found["writer form"].detail
    assert "stream" in found["writer form"].detail
    assert "8,192" in found["writer context"].detail


@pytest.mark.parametrize(
    ("how", "where"),
    [
        ({}, "on this machine (as far as address and name tell)"),
        ({"writer_is_remote": True}, "on another machine"),
        ({"writer_model": "glm-4.6:cloud"}, "on another machine"),
    ],
    ids=["here", "said so", "cloud model"],
)
def test_it_says_where_a_model_is_taken_to_be(how: dict[str, Any], where: str) -> None:
    assert where in checks(lambda _: streamed(SENTENCES), allow_remote=True, **how)["writer"].detail


def test_a_judge_is_looked_at_as_well() -> None:
    found = checks(lambda _: streamed(VERDICT), role="judge")
    assert found["judge"].status == "ok"
    assert "judge form" in found


TELLING: dict[str, tuple[str, dict[str, Any]]] = {
    "llama.cpp": ("/props", {"default_generation_settings": {"n_ctx": 2048}}),
    "ollama": ("/api/ps", {"models": [{"name": "x", "context_length": 9}, {"name": "m", "context_length": 2048}]}),
    "lm studio": ("/api/v0/models", {"data": [{"id": "m", "loaded_context_length": 2048, "max_context_length": 9999}]}),
    "vllm": ("/v1/models", {"data": [{"id": "m", "max_model_len": 2048}]}),
    "the only one": ("/v1/models", {"data": [{"id": "another name", "context_length": 2048}]}),
}


@pytest.mark.parametrize("kind", TELLING)
def test_a_context_that_is_too_small_is_told(kind: str) -> None:
    check = checks(lambda _: streamed(SENTENCES), told(*TELLING[kind]))["writer context"]
    assert check.status == "warn"
    assert "2,048" in check.detail
    assert "writer_context to 2048" in check.advice


ODD: dict[str, dict[str, Any]] = {
    "a list": {"data": [1, None]}, "no number": {"data": [{"id": "m", "max_model_len": "big"}]},
    "other models": {"data": [{"id": "a", "max_model_len": 5}, {"id": "b", "max_model_len": 5}]}, "none": {"data": {}},
}  # fmt: skip


@pytest.mark.parametrize("kind", ODD)
def test_what_a_server_does_not_tell_is_tried_out(kind: str) -> None:
    get = told("/v1/models", ODD[kind])
    assert checks(lambda body: Said(counted(body)), get)["writer context"].status == "ok"
    check = checks(lambda body: Said(counted(body, 2048)), get)["writer context"]
    assert check.status == "warn"
    assert "reads 2,048" in check.detail


def test_a_long_prompt_that_is_refused() -> None:
    def reply(body: dict[str, Any]) -> Said:
        return Said({}, 400) if len(json.dumps(body["messages"])) > 9000 else Said(counted(body))

    check = checks(reply)["writer context"]
    assert check.status == "warn"
    assert "refused" in check.detail


def test_a_server_that_counts_nothing() -> None:
    assert checks(lambda _: chat(SENTENCES))["writer context"].status == "warn"


def test_a_server_that_holds_to_nothing() -> None:
    found = checks(
        lambda body: Said({}, 400) if {"response_format", "grammar", "stream"} & set(body) else chat(SENTENCES)
    )
    assert found["writer form"].status == "warn"
    assert "no form" in found["writer form"].detail


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (lambda _: chat("I am fine."), "warn"), (lambda _: Said({}, 401), "fail"), (lambda _: Said({}, 404), "fail"),
        (lambda _: Said(b"<html>"), "fail"), (lambda _: Said({}, 302, {"Location": "http://127.0.0.1:9"}), "fail"),
    ],
    ids=["no form", "key", "model", "page", "sent on"],
)  # fmt: skip
def test_an_endpoint_at_fault(reply: Callable[[dict[str, Any]], Said], status: str) -> None:
    found = checks(reply)
    assert found["writer"].status == status
    assert found["writer"].advice
    assert ("writer form" in found) == (status != "fail")


def test_nobody_listens() -> None:
    found = list(endpoints(settings := Settings(judge_url="http://127.0.0.1:9/v1"), Engines(settings)))
    assert [(check.name, check.status) for check in found] == [("judge", "fail")]


class Topics(FakeEncoder):
    """Two directions: texts about warfarin, and all others; or the other way round for queries."""

    def __init__(self, *, is_wrong: bool) -> None:
        super().__init__()
        self._is_wrong = is_wrong

    def _vector(self, text: str) -> Any:
        is_query = "takes" not in text and "warfarin" in text
        about = ("warfarin" in text) != (is_query and self._is_wrong)
        return np.array([1, 0] if about else [0, 1], np.float32)


def test_embeddings_in_the_right_and_in_a_wrong_order() -> None:
    assert embeddings(Topics(is_wrong=False)).status == "ok"
    check = embeddings(Topics(is_wrong=True))
    assert check.status == "fail"
    assert "endpoint.json" in check.advice
