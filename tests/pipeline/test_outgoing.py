"""Connections that go out: to the endpoints that are named, and nowhere else, whatever the environment says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.faults import GOOD
from tests.pipeline.test_model_writer import QUESTION, asking
from tests.scripted_server import Reply, serving, streamed

from chartcite.library.book import Book


class Recorder:
    """An audit hook, which nobody can take away again, that records only while it is wanted."""

    def __init__(self) -> None:
        self.is_on = False
        self.seen: list[tuple[str, Any]] = []

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event in ("socket.connect", "socket.sendto", "socket.bind"):
            self.seen.append((event, args[1]))
        elif event.startswith(("socket.get", "socket.sethostname")):
            self.seen.append((event, args[0]))
        elif event in ("urllib.Request", "http.client.connect"):
            self.seen.append((event, args[1:3]))


RECORDER = Recorder()
sys.addaudithook(RECORDER)


def says(stage: str) -> Reply:
    return lambda _: streamed(GOOD[stage])


def test_only_the_named_endpoints_are_reached(demo: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serving(says("write")) as (writer, wrote), serving(says("judge")) as (judge, judged):
        RECORDER.seen.clear()
        RECORDER.is_on = True
        try:
            with asking(demo, tmp_path, writer, judge_url=judge, judge_model="j") as book:  # ingests as well
                answer = book.ask(QUESTION, patient="p")
        finally:
            RECORDER.is_on = False
    assert answer.writer
    assert wrote
    assert judged
    ports = {urlsplit(url).port for url in (writer, judge)}
    reached = {target for event, target in RECORDER.seen if event == "socket.connect"}
    assert reached == {("127.0.0.1", port) for port in ports}
    assert {event for event, _ in RECORDER.seen} <= {"socket.connect", "socket.getaddrinfo", "http.client.connect"}
    assert {t for event, t in RECORDER.seen if event == "socket.getaddrinfo"} <= {"127.0.0.1"}


def test_without_endpoints_nothing_is_reached(demo: Book, tmp_path: Path) -> None:
    RECORDER.seen.clear()
    RECORDER.is_on = True
    try:
        with asking(demo, tmp_path, "") as book:
            assert not book.ask(QUESTION, patient="p").abstained
    finally:
        RECORDER.is_on = False
    assert RECORDER.seen == []
