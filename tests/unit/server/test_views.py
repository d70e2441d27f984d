"""Pages of a document and of a timeline, downloads, and feedback: what is shown is what is granted."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from docx import Document as WordFile

from chartcite.app.page.plots import HEIGHT, WIDTH, Span, plot_of
from chartcite.app.words import ENGLISH
from chartcite.core.scope import Scope
from chartcite.records.entries import Series

if TYPE_CHECKING:
    from tests.unit.server.conftest import Serve, Served

DOC = "2021-01-01_note.txt"
ANSWER: dict[str, Any] = {
    "schema": "chartcite.answer/1", "question": "Is there asthma?", "query": "asthma", "scope": {"patient": "p1"},
    "lang": "en", "as_of": None, "abstained": True, "reason": "weak_evidence", "kind": "fact", "sentences": [],
    "conflicts": [], "evidence": [], "sources": [], "fallbacks": [], "llm_calls": 0, "writer": None, "config": "c",
    "partition_seq": 1,
    "searched": {
        "documents": 1, "passages": 1, "first": None, "last": None, "terms": [], "missing": [], "undated": 0,
    },
}  # fmt: skip


def forged(served: Served, text: str) -> dict[str, Any]:
    """An answer whose citation stands and whose sentence is made up."""
    whole = served.send("GET", f"/api/v1/documents/{DOC}", "alice", params={"patient": "p1"}).json()
    sentence = next(s for s in whole["sentences"] if "5 mg" in whole["text"][s["start"] : s["end"]])
    listed = served.send("GET", "/api/v1/documents", "alice", params={"patient": "p1"}).json()["documents"][0]
    start, end = sentence["start"], sentence["end"]
    citation = {
        "doc_id": DOC, "sentence": sentence["n"], "start": start, "end": end, "quote": whole["text"][start:end],
        "title": listed["title"], "note_type": listed["note_type"], "time": listed["time"], "page": None,
        "sha256": listed["sha256"], "section": sentence["section"], "same_text": 0, "authors": [], "year": None,
        "doi": None, "pmid": None, "url": None,
    }  # fmt: skip
    said = {
        "text": text, "verdict": "supported", "verified": True, "vetoes": [], "why": "", "grounded": None,
        "judged": None, "citations": [citation],
    }  # fmt: skip
    return {**ANSWER, "abstained": False, "reason": None, "sentences": [said]}


@pytest.mark.parametrize("ending", ["docx", "md", "csv", "json"])
def test_a_download_has_a_name_that_names_nobody(serve: Serve, ending: str) -> None:
    response = serve().send("POST", "/api/v1/export", "alice", params={"format": ending}, json={"answer": ANSWER})
    assert response.status_code == 200
    assert response.headers["content-disposition"] == f'attachment; filename="answer.{ending}"'
    assert response.headers["x-content-type-options"] == "nosniff"


def test_a_forged_answer_is_not_downloaded_as_checked(serve: Serve) -> None:
    served = serve()
    answer = forged(served, "Warfarin 50 mg nightly.")
    made = served.send("POST", "/api/v1/export", "alice", json={"answer": answer})
    text = "\n".join(p.text for p in WordFile(io.BytesIO(made.content)).paragraphs)
    assert "Warfarin 50 mg nightly. [1] (the cited sentence says otherwise" in text
    assert "(matches the cited sentence)" not in text


@pytest.mark.parametrize(
    ("change", "status"),
    [({"scope": {"patient": "p2"}}, 404), ({"schema": "x"}, 422), ({"reason": "because"}, 422), ({"query": None}, 200)],
    ids=["not granted", "no answer", "no such reason", "loose field"],
)
def test_what_cannot_be_exported(serve: Serve, change: dict[str, Any], status: int) -> None:
    assert serve().send("POST", "/api/v1/export", "alice", json={"answer": ANSWER | change}).status_code == status


def test_feedback_is_kept_in_the_senders_name(serve: Serve) -> None:
    served = serve()
    given = {"answer": ANSWER, "verdict": "right", "comment": "é"}
    kept = served.send("POST", "/api/v1/feedback", "alice", json=given)
    assert (kept.status_code, kept.json()["id"]) == (201, 1)
    (row,) = served.send("GET", "/api/v1/feedback", "alice", params={"patient": "p1"}).json()["feedback"]
    assert (row["who"], row["verdict"], row["comment"], row["answer"]) == ("alice", "right", "é", ANSWER)


@pytest.mark.parametrize(
    "change",
    [{"verdict": "maybe"}, {"sentences": {"3": "right"}}, {"comment": "x" * 5000}, {"answer": {}}, {"who": "eva"}],
    ids=["verdict", "sentence", "comment", "answer", "somebody else"],
)
def test_what_is_no_feedback(serve: Serve, change: dict[str, Any]) -> None:
    given = {"answer": ANSWER, "verdict": "right", **change}
    assert serve().send("POST", "/api/v1/feedback", "alice", json=given).status_code == 422


def test_feedback_on_others_patients_is_not_there(serve: Serve) -> None:
    given = {"answer": ANSWER | {"scope": {"patient": "p2"}}, "verdict": "right"}
    served = serve()
    assert served.send("POST", "/api/v1/feedback", "alice", json=given).status_code == 404
    assert served.send("GET", "/api/v1/feedback", "alice", params={"patient": "p2"}).status_code == 404


PAGES = (f"d/{DOC}", f"d/{DOC}?start=5&end=12", "timeline", "timeline?topic=creatinine")


@pytest.mark.parametrize("path", PAGES, ids=["document", "span", "timeline", "topic"])
def test_a_page_is_for_whom_it_is_granted(serve: Serve, path: str) -> None:
    served = serve()
    assert served.send("GET", f"/p/p1/{path}", "alice").status_code == 200
    assert served.send("GET", f"/p/p2/{path}", "alice").status_code == 404
    assert served.send("GET", f"/p/p99/{path}", "alice").status_code == 404


def test_a_span_is_marked(serve: Serve) -> None:
    served = serve()
    whole = served.send("GET", f"/api/v1/documents/{DOC}", "alice", params={"patient": "p1"}).json()["text"]
    start = whole.index("5 mg")
    shown = served.send("GET", f"/p/p1/d/{DOC}", "alice", params={"start": start, "end": start + 4}).text
    assert '<mark id="mark">5 mg</mark>' in shown
    far = served.send("GET", f"/p/p1/d/{DOC}", "alice", params={"start": -3, "end": 10**9})
    assert far.status_code == 200


def test_a_page_without_its_file_is_not_there(serve: Serve) -> None:
    assert serve().send("GET", f"/p/p1/d/{DOC}/page/1", "alice").status_code == 404


def test_an_unknown_topic_is_said_on_the_page(serve: Serve) -> None:
    shown = serve().send("GET", "/p/p1/timeline", "alice", params={"topic": "qwertz <b>"})
    assert shown.status_code == 422
    assert "<b>" not in shown.text
    assert "qwertz &lt;b&gt;" in shown.text


def test_a_series_without_points_is_no_plot() -> None:
    from datetime import date  # noqa: PLC0415

    days = Span(date(2020, 1, 1), date(2020, 1, 1))
    assert plot_of(Series("inr", "", (), unit_conflict=False, values=()), Scope.patient("p"), days, ENGLISH) is None
    assert 0 < days.x(date(2020, 1, 1)) < WIDTH
    assert days.x(date(1990, 1, 1)) < days.x(date(2020, 1, 1)) + 1
    assert HEIGHT > 0


def on_page(served: Served, path: str, **fields: str) -> Any:
    """A form of a page, sent as a browser does, but with a token."""
    return served.send("POST", path, "alice", data=fields)


def test_the_page_gives_a_file_and_keeps_a_word(serve: Serve) -> None:
    served = serve()
    stored = json.dumps(ANSWER)
    made = on_page(served, "/p/p1/export", answer=stored, ending="md")
    assert made.status_code == 200
    assert "Is there asthma?" in made.text
    kept = on_page(served, "/p/p1/feedback", answer=stored, verdict="wrong", comment="no")
    assert kept.status_code == 201
    listed = served.send("GET", "/api/v1/feedback", "alice", params={"patient": "p1"}).json()["feedback"]
    assert [row["who"] for row in listed] == ["alice"]


@pytest.mark.parametrize("answer", ["", "[]", "{", json.dumps(ANSWER | {"scope": {"patient": "p2"}})],
                         ids=["nothing", "list", "cut", "another patient"])  # fmt: skip
def test_the_page_takes_only_its_own_answer(serve: Serve, answer: str) -> None:
    served = serve()
    assert on_page(served, "/p/p1/export", answer=answer).status_code == 422
    assert on_page(served, "/p/p1/feedback", answer=answer, verdict="right").status_code == 422


@pytest.mark.parametrize(
    "odd",
    ["NaN", "Infinity", "-Infinity", '"\\ud800"', '{"\\udfff": 1}', '{"a":' * 3000 + "1" + "}" * 3000],
    ids=["nan", "infinity", "minus infinity", "half a pair", "half a pair as a name", "deep"],
)
def test_an_answer_that_is_no_plain_json_is_refused_at_every_door(serve: Serve, odd: str) -> None:
    served = serve()
    stored = json.dumps(ANSWER)[:-1] + f', "odd": {odd}}}'
    kind = {"content-type": "application/json"}
    for path, more in (("verify", ""), ("export", ""), ("feedback", ', "verdict": "right"')):
        content = f'{{"answer": {stored}{more}}}'.encode()
        response = served.send("POST", f"/api/v1/{path}", "alice", content=content, headers=kind)
        assert response.status_code in (400, 422), path
    for path, form in (("export", {"ending": "md"}), ("feedback", {"verdict": "right"})):
        response = served.send("POST", f"/p/p1/{path}", "alice", data={"answer": stored, **form})
        assert response.status_code == 422, path
    assert served.send("GET", "/api/v1/feedback", "alice", params={"patient": "p1"}).json()["feedback"] == []


@pytest.mark.parametrize("scope", ['"p1"', "[]", "1", "null", '{"patient": ["p1"]}'])
def test_a_page_that_sends_a_scope_that_is_none_is_refused(serve: Serve, scope: str) -> None:
    stored = json.dumps(ANSWER).replace('{"patient": "p1"}', scope)
    response = serve().send("POST", "/p/p1/export", "alice", data={"answer": stored, "ending": "md"})
    assert response.status_code == 422
