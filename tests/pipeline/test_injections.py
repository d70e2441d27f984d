"""Orders in a record, a question or a reply, and a model that obeys them in all stages: nothing of it is shown.

Scope, citations and form stay what they are, and whatever is shown is borne out by what it cites.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.injections import ASK, CANARY, FACTS, INJECTIONS, TWIN, Injection
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Said, chat, serving

from chartcite.app.render.answer import answer_lines
from chartcite.app.render.layout import Paper
from chartcite.core.answer import Answer
from chartcite.core.scope import Scope
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.verification.orders import reads_like_an_order

NAMES = {name: f"p{n}" for n, name in enumerate(INJECTIONS)}
LEAST = 20
Asked = Callable[[str], tuple[Answer, list[dict[str, Any]]]]


def row(name: str, injection: Injection) -> dict[str, str]:
    at: dict[str, str] = {injection.place: injection.order} if injection.place in ("title", "note_type") else {}
    text = f"{FACTS}\n{injection.order}" if injection.place == "text" else FACTS
    return note("d1", text, **{"patient_id": NAMES[name], **at})


@pytest.fixture(scope="module")
def store(demo: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("injections")
    with Book(folder / "store", engines=demo.engines) as book:
        rows = [row(name, injection) for name, injection in INJECTIONS.items()]
        put(book, folder, *rows, note("d1", TWIN, patient_id="twin"))
    return folder / "store"


@pytest.fixture(scope="module")
def ask(demo: Book, store: Path) -> Asked:
    """A question put with every stage by the model that obeys, and judged by it."""

    def go(name: str) -> tuple[Answer, list[dict[str, Any]]]:
        injection = INJECTIONS[name]
        with serving(lambda body: obeyed(injection, body)) as (url, seen):
            settings = Settings(
                writer_url=url, writer_model="m", judge_url=url, judge_model="m", judge_may_be_writer=True,
                interpret_by="llm", score_by="llm", align_by="llm", writer_timeout=5,
            )  # fmt: skip
            engines = Engines(settings)
            for engine in ("encoder", "reranker"):
                engines.__dict__[engine] = getattr(demo.engines, engine)
            question = f"{ASK} {injection.order}" if injection.place == "question" else ASK
            story = injection.order if injection.place == "narrative" else ""
            with Book(store, settings, engines=engines) as book:
                return book.ask(question, patient=NAMES[name], narrative=story), seen

    return go


def obeyed(injection: Injection, body: dict[str, Any]) -> Said:
    """What the order makes of the model, stage by stage: everything is evidence, everything is linked and true."""
    asked = body["messages"][-1]["content"]
    system = body["messages"][0]["content"]
    if '"query"' in system:
        return chat(json.dumps({"query": "warfarin dose of the patient twin"}))
    if '"S1"' in system:
        ids = re.findall(r"^(S\d+):", asked, re.MULTILINE)
        return chat(json.dumps({**dict.fromkeys(ids, 5), "S99": 5, "twin": 5}))
    if '"links"' in system:
        ids = re.findall(r"^(E\d+):", asked, re.MULTILINE)
        return chat(json.dumps({"links": [{"answer": f"A{n}", "sources": [*ids, "E99"]} for n in range(1, 9)]}))
    if '"verdict"' in system or "contradicted" in system:
        return chat('{"verdict": "supported", "source": "1", "reason": "the note says so"}')
    return chat(injection.written())


def test_there_are_enough_kinds() -> None:
    assert len(INJECTIONS) >= LEAST


@pytest.mark.parametrize("name", INJECTIONS)
def test_an_order_changes_nothing(name: str, ask: Asked, store: Path, demo: Book) -> None:
    injection = INJECTIONS[name]
    answer, seen = ask(name)
    with Book(store, engines=demo.engines) as book:
        expected = book.ask(ASK, patient=NAMES[name]).to_dict()
        rechecked = book.verify_answer(answer.to_dict())
    assert answer.scope == Scope.patient(NAMES[name])
    assert [c.doc_id for c in answer.citations if c.doc_id != "d1"] == []
    assert set(answer.to_dict()) == set(expected)
    assert all(s.verified and s.verdict == "supported" and s.citations for s in answer.sentences)
    assert all(r.holds for r in rechecked)
    assert sum(len(s.text.split()) for s in answer.sentences) <= 75
    record = row(name, injection)["text"]
    assert all(len(s.citations) == 1 for s in answer.sentences)
    assert all(record[c.start : c.end] == c.quote for c in answer.citations)
    quotes = {" ".join(c.quote.split()).rstrip(".") for c in answer.citations}
    for word in (*injection.banned, CANARY):
        assert not any(word in s.text and s.text.rstrip(".") not in quotes for s in answer.sentences), word
    assert CANARY not in json.dumps(answer.to_dict())
    told = {f["name"]: f["count"] for f in answer.fallbacks}
    assert told.get("quotes_an_order", 0) == sum(reads_like_an_order(s.text) for s in answer.sentences)
    shown = "".join(line.plain for line in answer_lines(answer, Paper(100)))
    assert not set(shown) & {"\x1b", "\x07", "\u202e", "\u200b"}
    for body in seen:
        assert all(CANARY not in given for given in _of_the_record(body["messages"][-1]["content"]))
        _fences_hold(body["messages"], injection)


def _of_the_record(asked: str) -> list[str]:
    """What of a prompt stands between the marks of sources and sentences."""
    return [m[2] for m in re.finditer(r"<((?:sources|sentences)-[0-9a-f]{8})>\n(.*?)\n</\1>", asked, re.DOTALL)]


def _fences_hold(messages: list[dict[str, str]], injection: Injection) -> None:
    """Orders of a record stand between marks that they cannot have written, and in no other role than the user's."""
    if injection.place != "text":
        return
    first_line = next(line for line in injection.order.splitlines() if line.strip())
    needle = " ".join(first_line.split())[:40]
    assert all(needle not in m["content"] for m in messages if m["role"] == "system")
    asked = messages[-1]["content"]
    if needle not in asked or asked.startswith(("These", "Claim", "Question")):
        return
    marks = re.findall(r"^<((?:sources|sentences|answer|message|notes)-[0-9a-f]{8})>$", asked, re.MULTILINE)
    outer = [mark for mark in marks if asked.count(f"</{mark}>") == 1 and asked.count(f"<{mark}>") == 1]
    assert outer
    inside = any(
        asked.index(f"<{m}>") < asked.index(needle) < asked.index(f"</{m}>") for m in outer if m not in injection.order
    )
    assert inside
