"""A real server on loopback: events in their order, whoever goes away, slow and long requests, and its end."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from chartcite.app.server.protocol import ImpatientProtocol
from chartcite.core.errors import Cancelled

if TYPE_CHECKING:
    from tests.unit.server.conftest import Listening

Listen = Callable[..., "Listening"]
ASK = {"question": "What is the warfarin dose?", "patient": "p1"}


def _events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            assert [line.partition(":")[0] for line in lines] == ["event", "data"]
            found.append((lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))))
    return found


def _say(server: Listening, method: str, path: str, body: Any = None, **headers: str) -> tuple[Any, str]:
    """Response and text."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return response, response.read().decode()


def _ask(server: Listening, accept: str) -> tuple[Any, str]:
    return _say(server, "POST", "/api/v1/ask", ASK, **{"Accept": accept, "Content-Type": "application/json"})


def test_events_come_in_order_and_end_with_the_answer(listen: Listen) -> None:
    server = listen()
    response, text = _ask(server, "text/event-stream")
    assert response.getheader("Content-Type", "").startswith("text/event-stream")
    events = _events(text)
    names = [name for name, _ in events]
    assert names[0] == "stage"
    assert names.count("answer") == 1
    assert names[-1] == "answer"
    shown = [content["text"] for name, content in events if name == "sentence"]
    plain = json.loads(_ask(server, "application/json")[1])
    assert shown == [sentence["text"] for sentence in events[-1][1]["sentences"]] == ["Warfarin 5 mg nightly."]
    assert events[-1][1] == plain


def test_an_error_after_the_first_event_is_an_event(listen: Listen, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_self: object, _question: str, *, listener: Any, **_: object) -> None:
        listener.stage("retrieve")
        raise RuntimeError("secret text of Zebulon")

    monkeypatch.setattr("chartcite.library.granted.GrantedBook.ask", breaks)
    server = listen()
    _, text = _ask(server, "text/event-stream")
    assert [name for name, _ in _events(text)] == ["stage", "error"]
    assert _events(text)[1][1]["title"] == "ServerFault"
    assert "Zebulon" not in text + "".join(server.log)


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"], ids=["events", "plain"])
def test_whoever_goes_away_cancels_the_question(listen: Listen, monkeypatch: pytest.MonkeyPatch, accept: str) -> None:
    begun, cancelled = threading.Event(), threading.Event()

    def waits(_self: object, _question: str, *, cancel: threading.Event, listener: Any = None, **_: object) -> None:
        if listener:
            listener.stage("model")
        begun.set()
        if cancel.wait(20):
            cancelled.set()
        raise Cancelled("The question was given up.")

    monkeypatch.setattr("chartcite.library.granted.GrantedBook.ask", waits)
    server = listen()
    body = json.dumps(ASK).encode()
    head = f"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nContent-Type: application/json\r\n"
    with server.connect() as connection:
        connection.sendall(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert begun.wait(20)
    assert cancelled.wait(20)


def test_a_body_that_does_not_come_is_not_waited_for(listen: Listen) -> None:
    server = listen(body_seconds=0.2)
    with server.connect() as connection:
        connection.sendall(
            b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 50\r\n\r\n{"
        )
        told = connection.recv(4000)
    assert told.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("said", [b"", b"GET /healthz HTTP/1.1\r\nHost: loc"], ids=["nothing", "half a head"])
def test_a_head_that_does_not_come_is_not_waited_for(
    listen: Listen, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(ImpatientProtocol, "head_seconds", 0.2)
    with listen().connect() as connection:
        connection.sendall(said)
        assert connection.recv(100) == b""


def test_a_head_that_does_not_end_is_refused(listen: Listen) -> None:
    with listen().connect() as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 40_000)
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


def test_a_server_that_ends_lets_what_is_under_way_end(listen: Listen, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, hold = threading.Event(), threading.Event()

    def slow(*_: object, **__: object) -> list[object]:
        begun.set()
        assert hold.wait(20)
        return []

    monkeypatch.setattr("chartcite.library.granted.GrantedBook.search", slow)
    server = listen()
    codes: list[int] = []

    def go() -> None:
        sent = {"query": "x", "patient": "p1"}
        codes.append(_say(server, "POST", "/api/v1/search", sent, **{"Content-Type": "application/json"})[0].status)

    asking = threading.Thread(target=go)
    asking.start()
    assert begun.wait(20)
    server.server.handle_exit(2, None)
    time.sleep(0.2)
    hold.set()
    asking.join(20)
    server.thread.join(20)
    assert codes == [200]
    assert not server.thread.is_alive()


def test_no_response_says_what_serves_it(listen: Listen) -> None:
    response, _ = _say(listen(), "GET", "/healthz")
    assert response.getheader("Server") is None
