"""What endpoints do wrong: twenty kinds, each for every request that a stage makes; and what a stage would be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.scripted_server import DONE, Said, chat, chunk

GOOD = {
    "interpret": '{"query": "What is the warfarin dose?"}',
    "score": '{"S1": 5, "S2": 1, "S3": 1, "S4": 1, "S5": 1}',
    "write": '{"sentences": [{"text": "The warfarin dose is 5 mg every evening.", "sources": ["E1"]}]}',
    "align": '{"links": [{"answer": "A1", "sources": ["E1"]}]}',
    "judge": '{"verdict": "supported", "source": "1", "reason": "the same words"}',
}
"""What each stage could use, if it came whole and unharmed."""

Fault = Callable[[str, dict[str, Any]], Said]
"""Of the good reply and the request's body."""


def _events(good: str) -> list[bytes]:
    return [*(chunk(good[n : n + 4]) for n in range(0, len(good), 4)), chunk("", "stop"), DONE]


def _cut(good: str, body: dict[str, Any]) -> Said:
    if body.get("stream"):
        return Said(events=_events(good)[:4])
    return Said({"choices": [{"message": {"content": good}, "finish_reason": "stop"}]}, close=True)


def _other_model(good: str, body: dict[str, Any]) -> Said:
    return Said({"error": {"message": f"model {body['model']!r} not found"}}, 404)


FAULTS: dict[str, Fault] = {
    "refused": lambda good, _: Said({}, 500),  # nobody listens: the server is not asked at all
    "timeout": lambda good, _: Said(chat(good).body, wait_s=1.0),
    "429 with Retry-After": lambda *_: Said({}, 429, {"Retry-After": "0"}),
    "429 without": lambda *_: Said({}, 429),
    "500": lambda *_: Said({}, 500),
    "503": lambda *_: Said({}, 503, {"Retry-After": "120"}),
    "slow stream": lambda good, _: Said(events=_events(good), gap_s=0.3),
    "cut stream": _cut,
    "empty choices": lambda *_: Said({"choices": []}),
    "null content": lambda *_: chat(None),
    "only reasoning": lambda good, _: Said(
        {"choices": [{"message": {"content": "", "reasoning_content": good}, "finish_reason": "stop"}]}
    ),
    "wrong schema": lambda *_: chat('{"status": "supported", "result": ["ok"]}'),
    "a page": lambda *_: Said(b"<html><body>supported</body></html>", headers={"Content-Type": "text/html"}),
    "cut at its length": lambda good, _: chat(good[: len(good) // 3], "length"),
    "redirect": lambda *_: Said({}, 307, {"Location": "http://127.0.0.1:9/v1/chat/completions"}),
    "no TLS": lambda good, _: chat(good),  # asked over https
    "wrong model": _other_model,
    "doubled chunks": lambda good, _: Said(events=[event for event in _events(good) for _ in (1, 2)]),
    "invalid UTF-8": lambda good, _: Said(chat(good).body.replace(b": ", b": \xff\xfe", 1)),
    "far too long": lambda good, _: Said(events=[chunk(good[:9] + "a" * 20_000)] * 4 + [chunk("", "stop"), DONE]),
    "an error with status 200": lambda *_: Said({"error": {"message": "out of memory", "code": 500}}),
}
