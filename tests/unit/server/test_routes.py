"""Every route for everybody: who is let in, to what, and what is told to those who are not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from chartcite.app.server.headers import POLICY

if TYPE_CHECKING:
    from tests.unit.server.conftest import Serve, Served

QUESTION = "What is the warfarin dose?"
DOC = "2021-01-01_note.txt"

Call = tuple[str, str, dict[str, Any], str]


def calls(patient: str) -> dict[str, Call]:
    """Route -> method, address, what is sent, permission; about one patient."""
    named, query = quote(patient, safe=""), {"params": {"patient": patient}}
    answer = {"schema": "chartcite.answer/1", "scope": {"patient": patient}, "abstained": True, "sentences": []}
    events = {"headers": {"Accept": "text/event-stream"}}
    return {
        "ask": ("POST", "/api/v1/ask", {"json": {"question": QUESTION, "patient": patient}}, "read"),
        "events": ("POST", "/api/v1/ask", {"json": {"question": QUESTION, "patient": patient}, **events}, "read"),
        "search": ("POST", "/api/v1/search", {"json": {"query": "warfarin", "patient": patient}}, "read"),
        "timeline": ("GET", "/api/v1/timeline", query, "read"),
        "documents": ("GET", "/api/v1/documents", query, "read"),
        "document": ("GET", f"/api/v1/documents/{DOC}", query, "read"),
        "verify": ("POST", "/api/v1/verify", {"json": {"answer": answer}}, "read"),
        "audit": ("GET", "/api/v1/audit", query, "audit"),
        "delete": ("DELETE", f"/api/v1/patients/{named}", {}, "admin"),
    }


ROUTES = sorted(calls("p1"))
BAD_NAMES = ["", " ", "*", "p", "P1", "p1 ", "p1\u200b", "p%", "../p1", "p1/", "p1,p2", "\u0440\u0031", "p11"]


def sent(served: Served, name: str, patient: str, who: str) -> Any:
    method, path, more, _ = calls(patient)[name]
    return served.send(method, path, who, **more)


def told(response: Any) -> dict[str, Any]:
    return {name: value for name, value in response.json().items() if name != "request_id"}


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_lets_in_whom_it_should(serve: Serve, name: str) -> None:
    served = serve()
    document = served.send("GET", "/api/v1/documents", "alice", params={"patient": "p1"}).json()["documents"][0]
    assert document["doc_id"] == DOC
    for who in ("", "wrong", "expired", "revoked"):
        if who:
            refused = sent(served, name, "p1", who)
        else:
            method, path, more, _ = calls("p1")[name]
            refused = served.client.request(method, path, **more)
        assert (refused.status_code, told(refused)["title"]) == (401, "AccessDenied"), who
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    permission = calls("p1")[name][3]
    for other in sorted({"read", "ingest", "feedback", "audit", "admin"} - {permission}):
        refused = sent(served, name, "p1", f"alice-{other}")
        assert (refused.status_code, told(refused)["title"]) == (403, "NotPermitted"), other
    foreign, absent = sent(served, name, "p1", "bob"), sent(served, name, "p9", "bob")
    assert foreign.status_code == absent.status_code == 404
    assert told(foreign) == told(absent)
    assert "p1" not in foreign.text
    assert len(served.refusals()) == 4 + 4 + 2
    allowed = sent(served, name, "p1", f"alice-{permission}")
    assert allowed.status_code == 200, allowed.text


@pytest.mark.parametrize("name", ROUTES)
def test_a_name_that_is_not_granted_is_not_there(serve: Serve, name: str) -> None:
    served = serve()
    plain = told(sent(served, name, "p9", "alice"))
    for bad in BAD_NAMES:
        if name == "delete" and not bad:
            continue  # there is no such address
        refused = sent(served, name, bad, "alice")
        assert refused.status_code == 404, bad
        assert told(refused) == plain, bad
    both = {"patient": "p1", "collection": "c"}
    method, path, more, _ = calls("p1")[name]
    if name in ("ask", "events", "search"):
        assert served.send(method, path, "alice", **{**more, "json": {**more["json"], **both}}).status_code == 422
        assert served.send(method, path, "alice", **{**more, "json": {"query": "x"}}).status_code == 422
    assert "Canaryp2" not in sent(served, name, "p1", "alice").text


def test_no_documented_route_answers_without_a_token(serve: Serve) -> None:
    served = serve()
    tried = 0
    for path, methods in served.client.get("/openapi.json").json()["paths"].items():
        if path in ("/healthz", "/readyz"):
            continue
        for method in methods:
            response = served.client.request(method, path.replace("{", "").replace("}", ""))
            assert response.status_code == 401, (method, path, response.text)
            tried += 1
    assert tried > 10


def test_what_is_listed_is_what_is_granted(serve: Serve) -> None:
    served = serve()

    def names(who: str, **params: Any) -> list[str]:
        return [p["id"] for p in served.send("GET", "/api/v1/patients", who, params=params).json()["patients"]]

    assert (names("alice"), names("bob"), names("nobody")) == (["p1"], ["p2"], [])
    assert names("chief") == ["a/b é😀", "p1", "p2"]
    assert names("chief", q="P") == ["p1", "p2"]
    assert names("chief", limit=1, offset=1) == ["p1"]
    assert served.send("GET", "/api/v1/collections", "chief").json()["collections"] == []


def test_an_answer_is_as_the_book_gives_it(serve: Serve) -> None:
    served = serve()
    body = {"question": QUESTION, "patient": "a/b é😀"}
    answer = served.send("POST", "/api/v1/ask", "chief", json=body).json()
    assert answer["schema"] == "chartcite.answer/1"
    citation = answer["sentences"][0]["citations"][0]
    document = served.send("GET", f"/api/v1/documents/{DOC}", "chief", params={"patient": "a/b é😀"}).json()
    assert document["text"][citation["start"] : citation["end"]] == citation["quote"] == "Warfarin 5 mg nightly."
    checked = served.send("POST", "/api/v1/verify", "chief", json={"answer": answer}).json()
    assert checked["holds"] is True
    answer["sentences"][0]["citations"][0]["quote"] = "Warfarin 50 mg nightly."
    assert served.send("POST", "/api/v1/verify", "chief", json={"answer": answer}).json()["holds"] is False


def test_a_deleted_patient_is_gone_for_everybody(serve: Serve) -> None:
    served = serve()
    path = f"/api/v1/patients/{quote('a/b é😀', safe='')}"
    assert served.send("DELETE", path, "chief").json() == {"deleted": {"patient": "a/b é😀"}, "documents": 1}
    assert served.send("DELETE", path, "chief").status_code == 404
    gone = served.send("POST", "/api/v1/ask", "chief", json={"question": QUESTION, "patient": "a/b é😀"})
    assert gone.status_code == 404


def test_the_whole_trail_is_for_those_who_see_everything(serve: Serve) -> None:
    served = serve()
    sent(served, "ask", "p1", "alice")
    refused = served.send("GET", "/api/v1/audit", "alice")
    assert refused.status_code == 403
    lines = served.send("GET", "/api/v1/audit", "chief", params={"user": "alice"}).json()["lines"]
    assert [(line["action"], line["outcome"]) for line in lines] == [("report", "refused"), ("ask", "answered")]
    own = served.send("GET", "/api/v1/audit", "alice", params={"patient": "p1"}).json()["lines"]
    assert {line["subject_name"] for line in own} == {"p1"}
    assert served.send("GET", "/api/v1/audit", "chief", params={"since": "yesterday"}).status_code == 422


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/healthz", 200), ("GET", "/nowhere", 404), ("PUT", "/api/v1/ask", 405), ("POST", "/api/v1/ask", 401),
        ("GET", "/openapi.json", 200), ("POST", "/api/v1/search?x=<script>", 401),
        ("GET", "/api/v1/documents/..%2f", 401),
    ],
    ids=["health", "nowhere", "method", "ask", "openapi", "query", "dots"],
)  # fmt: skip
def test_every_response_bears_the_headers(serve: Serve, method: str, path: str, status: int) -> None:
    response = serve().send(method, path)
    assert response.status_code == status
    assert response.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "same-origin"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["cross-origin-opener-policy"] == "same-origin"
    assert len(response.headers["x-request-id"]) == 16
    assert not {"server", "access-control-allow-origin", "set-cookie"} & set(response.headers)
    assert "<script>" not in response.text


def test_a_fault_shows_nothing_of_itself(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve()

    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("secret text of Zebulon")

    monkeypatch.setattr("chartcite.library.granted.GrantedBook.search", breaks)
    response = sent(served, "search", "p1", "alice")
    assert (response.status_code, told(response)["title"]) == (500, "ServerFault")
    assert response.headers["content-security-policy"] == POLICY
    assert "Zebulon" not in response.text + "".join(served.log)
    assert '"fault": "RuntimeError"' in served.log[-1]


def test_what_was_sent_is_not_sent_back(serve: Serve) -> None:
    served = serve()
    for body in (
        {"question": 5, "patient": "Zebulon"},
        {"Zebulon": 1},
        {"question": "Zebulon" * 4000, "patient": "p1"},
    ):
        response = served.send("POST", "/api/v1/ask", "alice", json=body)
        assert response.status_code == 422
        assert "Zebulon" not in response.text or body == {"Zebulon": 1}
    broken = served.send(
        "POST", "/api/v1/ask", "alice", content=b'{"question": "Zebulon', headers={"content-type": "application/json"}
    )
    assert broken.status_code == 422
    assert "Zebulon" not in broken.text


def test_the_log_names_no_patient_and_no_question(serve: Serve) -> None:
    served = serve()
    sent(served, "ask", "p1", "alice")
    served.send("GET", f"/api/v1/documents/{DOC}", "alice", params={"patient": "p1", "x": "Zebulon"})
    served.send("GET", "/Zebulon/p1", "alice")
    lines = "\n".join(served.log)
    assert '"route": "/api/v1/documents/{doc_id}"' in lines
    for word in ("p1", "alice", "Zebulon", "warfarin", "2021-01-01", served.tokens["alice"]):
        assert word not in lines


BROKEN: list[dict[str, Any]] = [
    {"evidence": 5}, {"evidence": [5]}, {"evidence": [{}]}, {"sentences": [5]}, {"sentences": 5},
    {"sentences": [{}]}, {"evidence": [{"doc_id": DOC, "start": 1e999, "end": 2}]},
    {"evidence": [{"doc_id": "\ud800", "start": 0, "end": 2}]},
    {"schema": None}, {"scope": {}}, {"scope": {"patient": 5}}, {"scope": {"patient": "p1", "collection": "c"}},
]  # fmt: skip


def test_what_is_no_answer_is_refused_by_name(serve: Serve) -> None:
    served = serve()
    answer = served.send("POST", "/api/v1/ask", "alice", json={"question": QUESTION, "patient": "p1"}).json()
    kind = {"content-type": "application/json"}
    for broken in BROKEN:
        content = json.dumps({"answer": {**answer, **broken}})
        response = served.send("POST", "/api/v1/verify", "alice", content=content, headers=kind)
        by = "InvalidRequest" if any(odd in content for odd in ("Infinity", "NaN", "\\ud")) else "UsageError"
        assert (response.status_code, told(response)["title"]) == (422, by), broken
