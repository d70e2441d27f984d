"""What somebody who means harm tries at the server's doors, and what must stay true while he does."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import trustme
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from tests.unit.server.test_doors import _csrf, _login

from chartcite.app.server.errors import CannotListen
from chartcite.app.server.run import run
from chartcite.core.access import PERMISSIONS, Grant
from chartcite.store.access import AccessStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.server.conftest import Listening, Serve, Served, Shop

Listen = Callable[..., "Listening"]
ASK = {"question": "What is the warfarin dose?", "patient": "p1"}
HEAD = "POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def writing_routes(served: Served) -> list[tuple[str, str]]:
    """Every route that a form or a script could change something through, with its parameters filled in."""
    found: list[tuple[str, str]] = []
    waiting: list[Any] = list(served.app.routes)
    while waiting:
        route = waiting.pop()
        waiting += getattr(getattr(route, "original_router", None), "routes", [])
        if isinstance(route, APIRoute):
            path = route.path
            for name in route.param_convertors:
                path = path.replace(f"{{{name}:path}}", "p1").replace(f"{{{name}}}", "p1")
            found += [
                (method, path) for method in sorted((route.methods or set()) & {"POST", "PUT", "PATCH", "DELETE"})
            ]
    return sorted(found)


def test_no_route_that_writes_takes_a_cookie_alone(serve: Serve) -> None:
    served = serve()
    cookie = _login(served, "chief")
    routes = writing_routes(served)
    assert len(routes) > 8
    for method, path in routes:
        for sent in ({"json": ASK}, {"data": {"question": "x"}}, {"files": {"file": ("a.txt", b"text")}}):
            response = served.client.request(method, path, headers={"Cookie": cookie}, follow_redirects=False, **sent)
            if path == "/login":  # a token, not a cookie, opens it
                assert response.status_code in {400, 401, 403, 422}, (path, response.status_code)
                continue
            assert response.status_code in {403, 404, 405}, (method, path, response.status_code)


def test_a_name_that_the_browser_brings_is_never_taken_as_a_session(serve: Serve) -> None:
    """Fixation: whoever plants a cookie before a login knows nothing after it."""
    served = serve()
    planted = "chartcite_session=" + "a" * 43
    sessions = served.app.state.server.sessions
    assert served.client.get("/api/v1/patients", headers={"Cookie": planted}).status_code == 401
    response = Response()
    sessions.begin(served.tokens["alice"], response)
    assert planted not in response.headers["set-cookie"]
    assert served.client.get("/api/v1/patients", headers={"Cookie": planted}).status_code == 401


def test_two_browsers_of_one_user_end_apart_and_a_revoked_token_ends_both(serve: Serve) -> None:
    served = serve()
    sessions = served.app.state.server.sessions
    first, second = _login(served, "alice"), _login(served, "alice")
    assert first != second

    def status(cookie: str) -> int:
        return int(served.client.get("/api/v1/patients", headers={"Cookie": cookie}).status_code)

    assert (status(first), status(second)) == (200, 200)
    bye = Response()
    sessions.end(Request({"type": "http", "headers": [(b"cookie", first.encode())]}), bye)
    assert (status(first), status(second)) == (401, 200)
    third = _login(served, "alice")
    served.access.revoke_token(served.tokens["alice"].split("_")[1])
    assert (status(second), status(third)) == (401, 401)


def test_a_removed_user_and_a_removed_grant_are_out_at_once(serve: Serve) -> None:
    served = serve()
    cookie = _login(served, "bob")
    headers = {"Cookie": cookie, "X-CSRF-Token": _csrf(served, cookie)}
    ask = {**ASK, "patient": "p2"}
    assert served.client.post("/api/v1/ask", json=ask, headers=headers).status_code == 200
    for grant in served.access.grants("bob"):
        served.access.revoke("bob", grant)
    assert served.client.post("/api/v1/ask", json=ask, headers=headers).status_code == 404
    served.access.remove_user("bob")
    assert served.client.post("/api/v1/ask", json=ask, headers=headers).status_code == 401


@pytest.mark.parametrize(
    "heads",
    [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 5\r\nContent-Length: 60\r\n",
        "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: xchunked\r\n", "Content-Length: +5\r\n",
        "Content-Length: 5, 6\r\n", "Content-Length : 5\r\n", "Transfer-Encoding : chunked\r\n",
        "Content-Length: -1\r\n",
    ],
)  # fmt: skip
def test_a_request_inside_a_request_is_never_answered(heads: str, listen: Listen) -> None:
    """Smuggling: what one reads as the end of a body, another reads as the next request."""
    inner = "GET /api/v1/patients HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with listen().connect() as connection:
        connection.sendall(f"{HEAD}{heads}\r\n0\r\n\r\n{inner}".encode())
        said = received(connection)
    assert said.count(b"HTTP/1.1 ") <= 1
    assert b'"patients"' not in said
    assert not said or said.split(b" ")[1] in {b"400", b"403", b"408", b"411", b"413", b"422", b"501"}


def received(connection: socket.socket, seconds: float = 5) -> bytes:
    """Until the other side is silent or gone."""
    connection.settimeout(seconds)
    said = b""
    try:
        while part := connection.recv(65_536):
            said += part
            connection.settimeout(0.5)
    except TimeoutError:
        pass
    return said


def test_an_upload_that_drips_is_not_waited_for(listen: Listen) -> None:
    server = listen(body_seconds=0.1)
    head = "POST /api/v1/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    with server.connect() as connection:
        connection.sendall(f"{head}Content-Length: 100000\r\n\r\n--b\r\n".encode())
        last, gone = time.monotonic() + 15, False
        while time.monotonic() < last and not gone:
            try:
                connection.sendall(b"x")
                connection.settimeout(0.05)
                said = connection.recv(100)
                gone = not said or said.startswith(b"HTTP/1.1 4")
            except TimeoutError:
                time.sleep(0.1)
            except OSError:
                gone = True
    assert gone


def test_a_form_of_ten_thousand_parts_is_refused(listen: Listen) -> None:
    part = '--b\r\nContent-Disposition: form-data; name="x{}"\r\n\r\ny\r\n'
    body = "".join(part.format(n) for n in range(10_000)) + "--b--\r\n"
    with closing(http.client.HTTPConnection("127.0.0.1", listen().port, timeout=30)) as connection:
        connection.request(
            "POST", "/api/v1/ingest", body.encode(), {"Content-Type": "multipart/form-data; boundary=b"}
        )  # fmt: skip
        assert 400 <= connection.getresponse().status < 500


def test_a_hundred_who_ask_and_never_read_keep_nobody_out(listen: Listen) -> None:
    server = listen(rate=100_000, burst=10_000)
    body = json.dumps(ASK).encode()
    sent = f"{HEAD}Accept: text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    with ExitStack() as open_:
        for _ in range(100):
            connection = open_.enter_context(server.connect())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            connection.sendall(sent)
        assert answered_within(server, 60)
    assert answered_within(server, 60)


def answered_within(server: Listening, seconds: float) -> bool:
    """Whether an honest question gets its answer, asked again when told to come later."""
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=seconds)) as connection:
            connection.request("POST", "/api/v1/ask", json.dumps(ASK), {"Content-Type": "application/json"})
            status = connection.getresponse().status
        if status == 200:
            return True
        assert status in {429, 503}
        time.sleep(0.5)
    return False


def test_tls_with_a_real_certificate(shop: Shop, listen: Listen, tmp_path: Path) -> None:
    authority = trustme.CA()
    paths = written(authority.issue_cert("localhost", "127.0.0.1"), tmp_path)
    server = listen(**paths)
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    with httpx.Client(verify=trusted, base_url=f"https://localhost:{server.port}") as client:
        response = client.get("/healthz")
        assert response.status_code == 200
        assert response.headers["strict-transport-security"].startswith("max-age=")
    with pytest.raises(httpx.ConnectError):  # another authority's browser does not come in
        httpx.get(f"https://localhost:{server.port}/healthz", verify=ssl.create_default_context())
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        httpx.get(f"http://localhost:{server.port}/healthz")


def written(certificate: trustme.LeafCert, folder: Path) -> dict[str, Path]:
    paths = {"tls_cert": folder / "cert.pem", "tls_key": folder / "key.pem"}
    certificate.cert_chain_pems[0].write_to_path(str(paths["tls_cert"]))
    certificate.private_key_pem.write_to_path(str(paths["tls_key"]))
    return paths


@pytest.mark.parametrize("wrong", ["another's key", "no key", "missing"])
def test_a_certificate_that_cannot_be_used_is_named(wrong: str, shop: Shop, tmp_path: Path) -> None:
    authority = trustme.CA()
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    paths = written(authority.issue_cert("localhost"), tmp_path / "a")
    if wrong == "another's key":
        paths["tls_key"] = written(authority.issue_cert("localhost"), tmp_path / "b")["tls_key"]
    elif wrong == "no key":
        paths["tls_key"].write_text("nothing", "utf-8")
    else:
        paths["tls_key"].unlink()
    with pytest.raises(CannotListen) as said:
        run(shop.config(port=0, **paths))
    assert "certificate" in str(said.value)


def test_a_client_of_openai_s_reads_answers_and_streams(shop: Shop, listen: Listen) -> None:
    openai = pytest.importorskip("openai")
    access = AccessStore(shop.store)
    access.add_user("alice")
    access.grant("alice", Grant("patient", "p1"))
    token = access.make_token("alice", PERMISSIONS, datetime.now(UTC) + timedelta(hours=1), None)
    server = listen()
    with openai.OpenAI(base_url=f"http://127.0.0.1:{server.port}/v1", api_key=token, max_retries=0) as client:
        assert "chartcite/patient/p1" in {model.id for model in client.models.list()}
        asked: dict[str, Any] = {
            "model": "chartcite/patient/p1", "messages": [{"role": "user", "content": "What is the warfarin dose?"}]
        }  # fmt: skip
        whole = client.chat.completions.create(**asked)
        content = whole.choices[0].message.content
        assert "5 mg" in content
        assert "[1]" in content
        assert whole.model_extra["citations"][0]["quote"] in "PLAN\nWarfarin 5 mg nightly. Creatinine 1.1 mg/dL."
        with client.chat.completions.create(**asked, stream=True) as stream:
            parts = list(stream)
        said = "".join(part.choices[0].delta.content or "" for part in parts if part.choices)
        assert said == content
        assert any((part.model_extra or {}).get("citations") for part in parts)
        with pytest.raises(openai.NotFoundError):
            client.chat.completions.create(**{**asked, "model": "chartcite/patient/nobody"})


def test_a_grant_that_goes_while_an_answer_streams(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer that is already under way ends; the very next question is refused."""
    served = serve()
    taken = threading.Event()

    def ask() -> None:
        headers = {**served.bearer("alice"), "Accept": "text/event-stream"}
        with served.client.stream("POST", "/api/v1/ask", json=ASK, headers=headers) as response:
            for line in response.iter_lines():
                if line and not taken.is_set():
                    for grant in served.access.grants("alice"):
                        served.access.revoke("alice", grant)
                    taken.set()

    ask()
    assert taken.is_set()
    assert served.send("POST", "/api/v1/ask", "alice", json=ASK).status_code == 404
    assert served.send("GET", "/api/v1/patients", "alice").json()["patients"] == []
