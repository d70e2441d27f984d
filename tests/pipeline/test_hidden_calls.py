"""What a remote model is sent names nobody; what it says has everything put back, and is checked as ever."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_model_writer import asking, names
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Said, chat, serving

from chartcite.core.answer import Answer
from chartcite.library.book import Book
from chartcite.models import http_json

NOTE = (
    "Patient: Ottoline Grabowski, DOB 04/17/1951, MRN 00482913.\nSeen on 2019-03-02 by Dr. Hartigan at"
    " Mercy Ridge Hospital. Phone (937) 555-0142.\nWarfarin dose was raised to 5 mg every evening by Dr. Hartigan on"
    " 2019-03-02. She denies bleeding."
)
CANARIES = ("Ottoline", "Grabowski", "1951", "00482913", "2019-03-02", "Hartigan", "Mercy Ridge", "555-0142")
QUESTION = "When did Dr. Hartigan raise the warfarin dose of Mrs. Grabowski?"


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers on the loopback count as another machine's."""
    monkeypatch.setattr(http_json, "_is_loopback", lambda host: False)
    monkeypatch.setattr(http_json.Endpoint, "check", lambda self: None)


def echo(body: dict[str, Any]) -> Said:
    """Says what the last source about warfarin says, word for word, as a model that saw only surrogates can."""
    lines = re.findall(
        r"^(E\d+): [^:]*: (.*warfarin.*)$", body["messages"][-1]["content"], re.MULTILINE | re.IGNORECASE
    )
    sentences = [{"text": text, "sources": [name]} for name, text in lines[-1:]]
    return chat(json.dumps({"sentences": sentences}))


def ask(demo: Book, folder: Path, **how: Any) -> tuple[Answer, str]:
    with serving(echo) as (url, seen), asking(demo, folder, url, **how) as book:
        put(book, folder, note("d2", NOTE, patient_id="q"))
        return book.ask(QUESTION, patient="q"), json.dumps([m for body in seen for m in body["messages"]])


@pytest.mark.usefixtures("elsewhere")
def test_nothing_that_names_somebody_reaches_a_remote_model(demo: Book, tmp_path: Path) -> None:
    answer, sent = ask(demo, tmp_path, allow_remote=True)
    assert [c for c in CANARIES if c in sent] == []
    assert "arfarin dose was raised to 5 mg every evening" in sent
    assert answer.writer
    assert [s.text for s in answer.sentences] == [
        "Warfarin dose was raised to 5 mg every evening by Dr. Hartigan on 2019-03-02."
    ]
    assert answer.sentences[0].verified
    hidden = next(f for f in answer.fallbacks if f["name"] == "deidentified")
    assert hidden["kinds"]["name"] >= 2
    assert hidden["count"] == sum(hidden["kinds"].values())
    assert "sent_without_deidentification" not in names(answer)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("how", ["remote", "off"])
def test_a_reply_that_is_known_gives_the_same_bytes(how: str, demo: Book, tmp_path: Path) -> None:
    with serving(echo) as (url, seen), asking(demo, tmp_path, url, allow_remote=True, deidentify=how) as book:
        put(book, tmp_path, note("d2", NOTE, patient_id="q"))
        first, second = (book.ask(QUESTION, patient="q") for _ in range(2))
        kept = [bytes(row[0]) for row in book.store._connection.execute("SELECT data FROM replies")]
    assert first.to_dict() == second.to_dict()
    assert second.usage["write"].cached == 1
    assert first.writer
    assert (b"Hartigan" in b"".join(kept)) == (how == "off")


@pytest.mark.usefixtures("elsewhere")
def test_off_is_said_in_the_result(demo: Book, tmp_path: Path) -> None:
    answer, sent = ask(demo, tmp_path, allow_remote=True, deidentify="off")
    assert "Hartigan" in sent
    assert names(answer)["sent_without_deidentification"] == 1
    assert "deidentified" not in names(answer)


def test_a_model_on_this_machine_sees_the_record_unless_asked_otherwise(demo: Book, tmp_path: Path) -> None:
    answer, sent = ask(demo, tmp_path / "a")
    assert "Hartigan" in sent
    assert "deidentified" not in names(answer)
    answer, sent = ask(demo, tmp_path / "b", deidentify="always")
    assert [c for c in CANARIES if c in sent] == []
    assert "deidentified" in names(answer)
