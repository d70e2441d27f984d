"""Chat completions as a client of OpenAI's meets them: the wire's form, and the citations that come along."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.services.conftest import Served

from chartcite.core.access import Grant

ASKED = [{"role": "user", "content": "What is the warfarin dose?"}]


def completed(served: Served, model: str = "chartcite/patient/p1", **more: Any) -> dict[str, Any]:
    sent = {"model": model, "messages": ASKED, **more}
    response = served.client.post("/v1/chat/completions", json=sent)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_an_answer_keeps_its_citations_in_the_text_and_beside_it(served: Served) -> None:
    found = completed(served)
    choice = found["choices"][0]
    assert (found["object"], choice["finish_reason"], choice["message"]["role"]) == (
        "chat.completion", "stop", "assistant",
    )  # fmt: skip
    content = choice["message"]["content"]
    assert "4 mg" in content
    assert "[1]" in content
    citation = found["citations"][0]
    assert citation["number"] == 1
    assert citation["quote"] in NOTE_1
    assert found["chartcite"]["answer"]["scope"] == {"patient": "p1"}
    assert found["usage"] == {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}  # no model was called
    assert "7 mg" not in json.dumps(found)


NOTE_1 = "Warfarin was lowered to 4 mg every evening. ![x](http://evil.example/?q=1) No fever."


def test_no_quotation_becomes_an_image_that_a_client_fetches(served: Served) -> None:
    content = completed(served, messages=[{"role": "user", "content": "evil example fever"}])["choices"][0]["message"]
    assert "![x](" not in content["content"]


def test_a_stream_says_the_same(served: Served) -> None:
    whole = completed(served)
    sent = {"model": "chartcite/patient/p1", "messages": ASKED, "stream": True}
    response = served.client.post("/v1/chat/completions", json={**sent, "stream_options": {"include_usage": True}})
    assert response.headers["content-type"].startswith("text/event-stream")
    lines = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    chunks = [json.loads(line) for line in lines[:-1]]
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk["id"] for chunk in chunks}) == 1
    said = "".join(c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"])
    assert said == whole["choices"][0]["message"]["content"]
    assert chunks[-1]["usage"] == whole["usage"]
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-2]["citations"] == whole["citations"]


def test_abstention_is_said(served: Served) -> None:
    found = completed(served, messages=[{"role": "user", "content": "What is the amiodarone dose?"}])
    assert found["chartcite"]["answer"]["abstained"] is True
    assert found["choices"][0]["message"]["content"].startswith("No answer")
    assert found["citations"] == []


def test_what_shapes_no_answer_is_named_and_earlier_turns_are_not_read(served: Served) -> None:
    before = [{"role": "system", "content": "You are p2"}, {"role": "user", "content": "left knee?"},
              {"role": "assistant", "content": "pain"}]  # fmt: skip
    found = completed(served, messages=[*before, *ASKED], temperature=0.2, max_tokens=5)
    assert found["chartcite"]["ignored_parameters"] == ["max_tokens", "temperature"]
    assert found["chartcite"]["unread_messages"] == 3
    plain = completed(served)
    assert found["choices"] == plain["choices"]
    parts = [{"role": "user", "content": [{"type": "text", "text": "What is the warfarin dose?"}]}]
    assert completed(served, messages=parts)["choices"] == plain["choices"]


def test_models_are_what_is_granted_and_nothing_else_answers(served: Served) -> None:
    whose = served.token("ana", Grant("patient", "p2"), Grant("patient", "ward 3/é"))
    listed = served.client.get("/v1/models", headers=whose).json()
    assert [m["id"] for m in listed["data"]] == ["chartcite/patient/p2", "chartcite/patient/ward 3/é"]
    assert served.client.get("/v1/models/chartcite/patient/ward 3/é", headers=whose).status_code == 200
    sent = {"model": "chartcite/patient/ward 3/é", "messages": [{"role": "user", "content": "metoprolol dose?"}]}
    assert "50 mg" in served.client.post("/v1/chat/completions", json=sent, headers=whose).text
    refused = [served.client.post("/v1/chat/completions", json={**sent, "model": model}, headers=whose)
               for model in ("chartcite/patient/p1", "chartcite/patient/nobody")]  # fmt: skip
    assert {r.status_code for r in refused} == {404}
    bodies = [r.json()["error"] for r in refused]
    assert bodies[0] == bodies[1]
    assert set(bodies[0]) == {"message", "type", "code", "param"}
    assert served.client.get("/v1/models/chartcite/patient/p1", headers=whose).status_code == 404
    assert served.client.post("/v1/chat/completions", json=sent).status_code == 401
    only = served.token("eva", Grant("everything"), permissions=("ingest",))
    assert served.client.post("/v1/chat/completions", json=sent, headers=only).status_code == 403


BAD: dict[str, dict[str, Any]] = {
    "no messages": {"messages": []},
    "an assistant's word last": {"messages": [*ASKED, {"role": "assistant", "content": "5 mg"}]},
    "an image": {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://x"}}]}]},
    "tools": {"tools": [{"type": "function", "function": {"name": "f"}}]},
    "two answers": {"n": 2},
    "JSON": {"response_format": {"type": "json_object"}},
    "an empty question": {"messages": [{"role": "user", "content": " "}]},
    "no content": {"messages": [{"role": "user"}]},
}


def test_what_is_not_done_is_refused_in_the_wires_form(served: Served) -> None:
    for name, more in BAD.items():
        for stream in (False, True):
            sent = {"model": "chartcite/patient/p1", "messages": ASKED, "stream": stream, **more}
            response = served.client.post("/v1/chat/completions", json=sent)
            assert response.status_code in (400, 422), name
            assert response.json()["error"]["type"] == "invalid_request_error", name


def test_other_models_are_not_there(served: Served) -> None:
    for model in ("gpt-4", "chartcite", "chartcite/patient/", "chartcite/list/x", "", "chartcite//p1"):
        response = served.client.post("/v1/chat/completions", json={"model": model, "messages": ASKED})
        assert response.status_code == 404, model
