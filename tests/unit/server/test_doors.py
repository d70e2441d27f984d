"""What stands before the routes: hosts, bodies, rates, sessions, forged requests, and where may be listened."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi import Request, Response

from chartcite.app.config import UnknownSetting, resolve
from chartcite.app.server.config import ServerConfig, is_loopback, server_config
from chartcite.app.server.errors import ForgedRequest, InvalidServe, TooMany, UnsafeBind
from chartcite.app.server.limits import AtOnce, Buckets
from chartcite.app.server.sessions import Sessions
from chartcite.app.server.visitor import check_origin
from chartcite.library.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.unit.server.conftest import Serve, Served

ASK = {"question": "What is the warfarin dose?", "patient": "p1"}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200), ("LOCALHOST:8321", 200), ("127.0.0.1:1", 200), ("[::1]:8321", 200), ("chart.example", 200),
        ("evil.example", 421), ("localhost.evil.example", 421), ("", 421), ("localhost@evil.example", 421),
        ("127.0.0.2", 421),
    ],
    ids=["name", "upper", "v4", "v6", "allowed", "foreign", "suffix", "empty", "at", "other loopback"],
)  # fmt: skip
def test_only_names_of_the_server_are_answered(serve: Serve, host: str, status: int) -> None:
    served = serve(allowed_hosts=("chart.example",))
    assert served.client.get("/healthz", headers={"Host": host}).status_code == status


def test_a_body_that_is_too_large_is_refused_before_and_while_it_is_read(serve: Serve) -> None:
    served = serve(body_bytes=1000)

    def chunks() -> Iterator[bytes]:
        yield from (b'"' + b"x" * 400 for _ in range(5))

    kind = {"content-type": "application/json"}
    for content in (b"x" * 1001, chunks()):
        response = served.send("POST", "/api/v1/ask", "alice", content=content, headers=kind)
        assert (response.status_code, response.json()["title"]) == (413, "TooLarge")
    assert served.send("POST", "/api/v1/ask", "alice", json=ASK).status_code == 200
    wrong = served.send("POST", "/api/v1/ask", "alice", content=b"x", headers={**kind, "content-length": "-1"})
    assert wrong.status_code == 413


def test_so_many_a_minute(serve: Serve) -> None:
    served = serve(rate=6.0, burst=2)
    codes = [served.send("GET", "/api/v1/patients", "alice").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    refused = served.send("GET", "/api/v1/patients", "alice")
    assert 1 <= int(refused.headers["Retry-After"]) <= 10
    assert served.send("GET", "/api/v1/patients", "bob").status_code == 200
    assert [line["reason"] for line in served.refusals()] == ["TooMany", "TooMany"]


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    bucket = Buckets(60, 2, clock=lambda: now[0])
    bucket.take("a")
    bucket.take("a")
    with pytest.raises(TooMany) as refused:
        bucket.take("a")
    assert refused.value.retry_after == pytest.approx(1.0)
    bucket.take("b")
    now[0] = 1.0
    bucket.take("a")
    with pytest.raises(TooMany):
        bucket.take("a")


def test_so_many_at_once() -> None:
    desks = AtOnce(1)
    desks.begin("a")
    desks.begin("b")
    with pytest.raises(TooMany):
        desks.begin("a")
    desks.end("a")
    desks.begin("a")


def test_a_full_house_says_when_to_come_again(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve(queue=1, per_visitor=10)
    hold, begun = threading.Event(), threading.Semaphore(0)

    def slow(*_: object, **__: object) -> list[object]:
        begun.release()
        assert hold.wait(20)
        return []

    monkeypatch.setattr("chartcite.library.granted.GrantedBook.search", slow)
    body = {"query": "x", "patient": "p1"}
    codes: list[int] = []

    def go() -> None:
        codes.append(served.send("POST", "/api/v1/search", "alice", json=body).status_code)

    threads = [threading.Thread(target=go) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.acquire(timeout=20)
    assert begun.acquire(timeout=20)
    until = time.monotonic() + 20
    refused = served.send("POST", "/api/v1/search", "alice", json=body) if _is_full(served, until) else None
    assert refused is not None
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "2")
    assert served.client.get("/healthz").status_code == 200
    hold.set()
    for thread in threads:
        thread.join(20)
    assert codes == [200, 200, 200]


def _is_full(served: Served, until: float) -> bool:
    """Whether the third request waits in the queue by now."""
    layer: Any = served.app.middleware_stack
    while layer is not None and type(layer).__name__ != "InFlight":
        layer = getattr(layer, "app", None)
    while layer.now < 3 and time.monotonic() < until:
        time.sleep(0.01)
    return bool(layer.now == 3)


def test_a_server_that_goes_down_takes_nothing_new(serve: Serve) -> None:
    served = serve()
    served.app.state.server.desks.stop()
    assert served.send("POST", "/api/v1/ask", "alice", json=ASK).status_code == 503
    assert served.client.get("/readyz").status_code == 503
    assert served.client.get("/healthz").status_code == 200


def test_before_any_user_is_made_loopback_serves_the_process_s_own_user(serve: Serve) -> None:
    served = serve(users=False)
    assert served.send("POST", "/api/v1/ask", json=ASK).status_code == 200
    bad = served.client.post("/api/v1/ask", json=ASK, headers={"Authorization": "Bearer cct_x_y"})
    assert bad.status_code == 401, "a token that is not valid is never made good"
    served.access.add_user("alice")
    assert served.send("POST", "/api/v1/ask", json=ASK).status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "http://[x"}, 403), ({"Origin": "http://]"}, 403),
        ({"Origin": "null"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403), ({"Origin": "http://localhost"}, 200), ({}, 200),
        ({"Content-Type": "text/plain"}, 403), ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
    ],
    ids=["origin", "open bracket", "closed bracket", "null", "cross-site", "same-site", "own", "none", "text", "form"],
)  # fmt: skip
def test_no_other_site_writes_for_the_local_user(serve: Serve, headers: dict[str, str], status: int) -> None:
    served = serve(users=False)
    content = json.dumps(ASK).encode()
    response = served.client.post(
        "/api/v1/ask", content=content, headers={"Content-Type": "application/json", **headers}
    )
    assert response.status_code == status
    if status == 403:
        assert [line["reason"] for line in served.refusals()] == ["ForgedRequest"]


def _login(served: Served, name: str) -> str:
    response = Response()
    served.app.state.server.sessions.begin(served.tokens[name], response)
    header = response.headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=strict" in header
    return header.partition(";")[0]


def _csrf(served: Served, cookie: str) -> str:
    scope = {"type": "http", "headers": [(b"cookie", cookie.encode())], "app": served.app}
    return str(served.app.state.server.sessions.csrf(Request(scope)))


def test_a_login_reads_with_its_cookie_and_writes_with_its_token(serve: Serve) -> None:
    served = serve()
    cookie = _login(served, "alice")
    headers = {"Cookie": cookie}
    assert served.client.get("/api/v1/patients", headers=headers).json()["patients"][0]["id"] == "p1"
    assert served.client.post("/api/v1/ask", json=ASK, headers=headers).status_code == 403
    other = _csrf(served, _login(served, "bob"))
    assert served.client.post("/api/v1/ask", json=ASK, headers={**headers, "X-CSRF-Token": other}).status_code == 403
    own = {**headers, "X-CSRF-Token": _csrf(served, cookie)}
    assert served.client.post("/api/v1/ask", json=ASK, headers=own).status_code == 200
    served.access.revoke_token(served.tokens["alice"].split("_")[1])
    assert served.client.get("/api/v1/patients", headers=headers).status_code == 401


def test_a_login_ends_by_itself() -> None:
    now = [0.0]
    sessions = Sessions(hours=1, idle_minutes=10, is_tls=True, clock=lambda: now[0])
    response = Response()
    sessions.begin("token", response)
    header = response.headers["set-cookie"]
    assert header.startswith("__Host-chartcite_session=")
    assert "Secure" in header
    request = Request({"type": "http", "headers": [(b"cookie", header.partition(";")[0].encode())]})
    for minute in range(0, 60, 9):
        now[0] = minute * 60.0
        assert sessions.token(request) == "token"
    now[0] = 3601.0
    assert sessions.token(request) is None
    sessions.begin("token", response)
    now[0] += 601
    assert not [s for s in (sessions.token(request),) if s]


def test_a_session_that_is_ended_is_forgotten_by_server_and_browser() -> None:
    sessions = Sessions(hours=1, idle_minutes=10, is_tls=False)
    response, bye = Response(), Response()
    sessions.begin("token", response)
    cookie = response.headers["set-cookie"].partition(";")[0]
    request = Request({"type": "http", "headers": [(b"cookie", cookie.encode())]})
    assert sessions.token(request) == "token"
    sessions.end(request, bye)
    assert sessions.token(request) is None
    assert "Max-Age=0" in bye.headers["set-cookie"]


@pytest.mark.parametrize(
    ("host", "more", "refused"),
    [
        ("127.0.0.1", {}, False), ("::1", {}, False), ("localhost", {}, False),
        ("0.0.0.0", {}, True), ("10.0.0.5", {}, True), ("10.0.0.5", {"behind_proxy": True}, True),
        ("10.0.0.5", {"behind_proxy": True, "no_audit": True}, False),
        ("10.0.0.5", {"behind_proxy": True, "audited": True}, False),
        ("0.0.0.0", {"behind_proxy": True, "audited": True}, True),
        ("0.0.0.0", {"behind_proxy": True, "audited": True, "allowed_hosts": ("chart.example",)}, False),
        ("10.0.0.5", {"tls": True, "audited": True}, False), ("127.0.0.1", {"half": True}, True),
    ],
    ids=["v4", "v6", "name", "all", "lan", "no audit", "said so", "audited", "no name", "named", "tls", "half"],
)  # fmt: skip
def test_no_records_are_shown_beyond_loopback_by_mistake(host: str, more: dict[str, Any], refused: bool) -> None:
    options = dict(more)
    settings = Settings(audit_key="key") if options.pop("audited", False) else Settings()
    if options.pop("tls", False):
        options |= {"tls_cert": Path("c.pem"), "tls_key": Path("k.pem")}
    if options.pop("half", False):
        options["tls_cert"] = Path("c.pem")
    config = ServerConfig(store=Path("store"), settings=settings, host=host, **options)
    if refused:
        with pytest.raises(UnsafeBind) as error:
            config.check()
        assert error.value.advice
    else:
        config.check()


def test_loopback_is_what_only_this_machine_reaches() -> None:
    assert [is_loopback(h) for h in ("127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost")] == [True] * 5
    assert [is_loopback(h) for h in ("0.0.0.0", "::", "10.0.0.1", "example", "127.0.0.1.evil.example")] == [False] * 5


def test_where_a_request_comes_from_must_be_this_server() -> None:
    def request(**headers: str) -> Request:
        pairs = [(n.replace("_", "-").encode(), v.encode()) for n, v in {"host": "localhost:8321", **headers}.items()]
        return Request({"type": "http", "method": "POST", "headers": pairs})

    check_origin(request(origin="http://localhost:8321", sec_fetch_site="same-origin"))
    for headers in (
        {"origin": "http://localhost:8322"},
        {"origin": "http://localhost"},
        {"sec_fetch_site": "cross-site"},
    ):
        with pytest.raises(ForgedRequest):
            check_origin(request(**headers))


def test_strangers_do_not_fill_the_trail(serve: Serve) -> None:
    served = serve()
    strangers = Buckets(60, 3, clock=lambda: 0.0)
    served.app.state.server.desks._strangers = strangers
    for _ in range(5):
        assert served.send("GET", "/api/v1/patients", "wrong").status_code == 401
    assert len(served.refusals()) == 3


def test_the_server_s_own_table(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('answer_words = 50\n[serve]\nport = 9000\nallowed_hosts = ["chart.example"]\n')
    found = resolve(config_file=file, environ={})
    config = server_config(found.store, found.settings, found.serve | {"queue": 3})
    assert (config.port, config.queue, config.allowed_hosts) == (9000, 3, ("chart.example",))
    assert config.settings.answer_words == 50
    for wrong in ({"prt": 1}, {"port": "many"}, {"store": "elsewhere"}):
        with pytest.raises(InvalidServe):
            server_config(found.store, found.settings, wrong)
    with pytest.raises(UnknownSetting):
        resolve(environ={"CHARTCITE_SERVE": "yes"})


def test_logging_in_and_out_is_written_down(serve: Serve) -> None:
    served = serve()
    served.app.state.server.logins.burst = 3
    csrf = _csrf(served, "")

    def login(**form: str) -> Any:
        return served.client.post("/login", data=form, headers={"Origin": "http://localhost"}, follow_redirects=False)

    assert login(token=served.tokens["alice"]).status_code == 403
    assert login(token=served.tokens["revoked"], csrf=csrf).status_code == 401
    entered = login(token=served.tokens["alice"], csrf=csrf, next="//evil.example")
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert served.tokens["alice"] not in entered.headers["set-cookie"]
    assert login(token=served.tokens["alice"], csrf=csrf).status_code == 429
    assert served.trail is not None
    lines = [(e["who"], e["outcome"], e["reason"]) for e in served.trail.lines() if e["action"] == "enter"]
    assert lines == [
        ("(unknown)", "refused", "ForgedRequest"), ("(unknown)", "refused", "AccessDenied"), ("alice", "done", None),
        ("(unknown)", "refused", "TooMany"),
    ]  # fmt: skip
    assert served.client.get("/api/v1/patients").json()["patients"][0]["id"] == "p1"
    own = _csrf(served, f"chartcite_session={served.client.cookies['chartcite_session']}")
    out = served.client.post(
        "/logout", data={"csrf": own}, headers={"Origin": "http://localhost"}, follow_redirects=False
    )
    assert out.status_code == 303
    assert served.client.get("/api/v1/patients").status_code == 401


@pytest.mark.parametrize("next", ["//[x", "http://[x", "http://]", "/\\[", "//evil.example"])
def test_a_way_on_that_is_no_address_leads_to_the_start(serve: Serve, next: str) -> None:  # noqa: A002
    shown = serve().client.get("/login", params={"next": next})
    assert shown.status_code == 200
    assert 'name="next" value="/"' in shown.text
