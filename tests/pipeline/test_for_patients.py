"""Answers for patients: plain words that pass the check beside each quote, and the clinician's answer untouched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Reply, chat, serving

from chartcite.core.answer import Answer
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings

NOTE = "Metoprolol 50 mg PO BID for HTN. Denies dyspnea. Her sister visits every week."
EXTRA = {"audience", "readability"}


def ask(demo: Book, folder: Path, question: str, reply: Reply | None = None, **how: Any) -> Answer:
    with serving(reply or (lambda _: chat(""))) as (url, _):
        model = {"writer_url": url, "writer_model": "scripted", "plain_by": "llm", "write_by": "rules"} if reply else {}
        settings = Settings(reply_cache=False, writer_timeout=60, **model)  # type: ignore[arg-type]
        engines = Engines(settings)
        for name in ("encoder", "reranker"):
            engines.__dict__[name] = getattr(demo.engines, name)
        with Book(folder / "store", settings, engines=engines) as book:
            if not book.patients():
                put(book, folder, note("d1", NOTE))
            return book.ask(question, patient="p", **how)


def test_plain_words_stand_beside_the_quote(demo: Book, tmp_path: Path) -> None:
    answer = ask(demo, tmp_path, "What is the metoprolol dose?", audience="patient")
    (sentence,) = [s for s in answer.sentences if "Metoprolol" in s.text]
    assert sentence.text == "Metoprolol 50 mg PO BID for HTN."
    assert sentence.plain == "Metoprolol 50 mg by mouth twice a day for hypertension (high blood pressure)."
    assert sentence.citations[0].quote == sentence.text
    shown = answer.to_dict()
    assert shown["audience"] == "patient"
    assert shown["readability"]["shown"]["words"] > shown["readability"]["quoted"]["words"]
    assert answer.readability is not None


def test_a_denial_is_said_in_plain_words_and_stays_one(demo: Book, tmp_path: Path) -> None:
    answer = ask(demo, tmp_path, "Does she have dyspnea?", audience="patient")
    assert "Denies shortness of breath." in [s.plain for s in answer.sentences]


def test_the_clinicians_answer_knows_nothing_of_it(demo: Book, tmp_path: Path) -> None:
    question = "What is the metoprolol dose?"
    plain = ask(demo, tmp_path, question).to_dict()
    assert not EXTRA & set(plain)
    assert "plain" not in plain["sentences"][0]
    patients = ask(demo, tmp_path, question, audience="patient").to_dict()
    for sentence in patients["sentences"]:
        del sentence["plain"]
    assert {k: v for k, v in patients.items() if k not in EXTRA} == plain


def test_an_abstention_has_no_figures(demo: Book, tmp_path: Path) -> None:
    answer = ask(demo, tmp_path, "What is the insulin dose?", audience="patient")
    assert answer.abstained
    assert answer.to_dict()["readability"]["shown"]["reading_ease"] is None


def said(text: str) -> Reply:
    return lambda _: chat(json.dumps({"sentences": [{"id": "S1", "text": text}]}))


REPLIES = {
    "the same": ("Metoprolol 50 mg by mouth twice a day for high blood pressure.", True),
    "another dose": ("Metoprolol 500 mg by mouth twice a day for high blood pressure.", False),
    "another frequency": ("Metoprolol 50 mg by mouth once a day for high blood pressure.", False),
    "an addition": ("Metoprolol 50 mg by mouth twice a day for high blood pressure and diabetes.", False),
    "advice": ("Metoprolol 50 mg by mouth twice a day. Never skip it with grapefruit.", False),
    "a denial": ("She does not take metoprolol 50 mg by mouth twice a day.", False),
}  # fmt: skip


@pytest.mark.parametrize("name", REPLIES)
def test_what_a_model_says_is_shown_only_if_it_says_the_same(name: str, demo: Book, tmp_path: Path) -> None:
    text, is_shown = REPLIES[name]
    answer = ask(demo, tmp_path, "What is the metoprolol dose?", said(text), audience="patient")
    plain = answer.sentences[0].plain
    assert (plain == text) == is_shown
    assert plain is not None
    names = {f["name"] for f in answer.fallbacks}
    assert ("plain_wording_by_rules" in names) == (not is_shown)
    assert answer.llm_calls == 1


@pytest.mark.parametrize(
    "reply", ["", "no", '{"sentences": [{"id": "S9", "text": "x"}]}', '{"sentences": [{"id": "S1"}]}']
)
def test_a_bad_reply_ends_in_the_glossarys_words(reply: str, demo: Book, tmp_path: Path) -> None:
    answer = ask(demo, tmp_path, "What is the metoprolol dose?", lambda _: chat(reply), audience="patient")
    assert answer.sentences[0].plain == "Metoprolol 50 mg by mouth twice a day for hypertension (high blood pressure)."
    assert any(str(f["name"]).startswith("interpreter_") for f in answer.fallbacks)
