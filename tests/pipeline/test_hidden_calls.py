"""What a remote model is sent names nobody; what it says has everything put back, and is checked as ever."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_model_writer import asking, names
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Said, chat, serving

from chartcite.core.answer import Answer
from chartcite.core.chat import ChatRequest, Message
from chartcite.core.errors import ModelRefused
from chartcite.core.scope import Scope
from chartcite.lab.longchart.generate import records
from chartcite.lab.longchart.lexicon import load
from chartcite.library import veils
from chartcite.library.book import Book
from chartcite.library.chats import unlimited
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.models import http_json

NOTE = (
    "Patient: Ottoline Grabowski, DOB 04/17/1951, MRN 00482913.\nSeen on 2019-03-02 by Dr. Hartigan at"
    " Mercy Ridge Hospital. Phone (937) 555-0142.\nWarfarin dose was raised to 5 mg every evening by Dr. Hartigan on"
    " 2019-03-02. She denies bleeding."
)
CANARIES = ("Ottoline", "Grabowski", "1951", "00482913", "2019-03-02", "Hartigan", "Mercy Ridge", "555-0142")
EXAMPLES = [p.read_text("utf-8") for p in files("chartcite.cascade.prompts").iterdir() if p.name.endswith(".json")]
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


@pytest.mark.parametrize(
    "how", [{"writer_is_remote": True}, {"writer_model": "gpt-oss:120b-cloud"}], ids=["said so", "cloud model"]
)
def test_a_server_here_that_passes_text_on_gets_surrogates(how: dict[str, Any], demo: Book, tmp_path: Path) -> None:
    how = {"writer_model": "m", **how}
    with serving(echo) as (url, seen):
        engines = Engines(Settings(writer_url=url, allow_remote=True, **how))
        for name in ("encoder", "reranker"):
            engines.__dict__[name] = getattr(demo.engines, name)
        with pytest.raises(ModelRefused):
            _ = Engines(Settings(writer_url=url, **how)).writer
        with Book(tmp_path / "store", engines.settings, engines=engines) as book:
            put(book, tmp_path, note("d2", NOTE, patient_id="q"))
            answer = book.ask(QUESTION, patient="q")
    sent = json.dumps([body["messages"] for body in seen])
    assert seen
    assert [c for c in CANARIES if c in sent] == []
    assert {"deidentified", "evidence_sent_to_another_machine"} <= set(names(answer))


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
    with serving(echo) as (url, _), asking(demo, tmp_path, url, allow_remote=True, deidentify=how) as book:
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


DEMO = {
    "demo-anna-lindqvist": ("Which levothyroxine dose did Dr. Ekholm give?", "Anna Lindqvist Ekholm Bergqvist Forsman"),
    "demo-maria-castello": ("What did Dr. Rao decide about warfarin?", "Maria Castello Priya Rao Okonjo Falkenrath"),
    "demo-marta-castelli": (
        "Who was called about the fracture of Mrs. Castelli?",
        "Marta Castelli Falkenrath Achterberg",
    ),
    "demo-tomasz-wierzba": ("When was the toe of Mr. Wierzba amputated?", "Tomasz Wierzba Thornbury Pretorius"),
    "demo-walter-osei": ("What was the ejection fraction on 12 June 2024?", "Walter Osei Renske Vos Pemberton Abena"),
}


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("patient", sorted(DEMO))
def test_no_canary_of_the_demo_records_is_sent(demo: Book, patient: str) -> None:
    question, names_there = DEMO[patient]
    with serving(echo) as (url, seen):
        how: dict[str, Any] = {"writer_url": url, "writer_model": "w", "judge_url": url, "judge_model": "j"}
        with Book(demo.store.folder, Settings(**how, allow_remote=True, reply_cache=False), engines=None) as book:
            for name in ("encoder", "reranker"):
                book.engines.__dict__[name] = getattr(demo.engines, name)
            answer = book.ask(question, patient=patient)
            with demo.store.read(Scope.patient(patient)) as reader:
                real = {
                    m for text in reader.all_texts_of_documents() for m in re.findall(r"\b20\d\d-\d\d-\d\d\b", text)
                }
                real |= {d.time.date for d in reader.documents() if d.time}
    sent = " ".join(m["content"] for body in seen for m in body["messages"])
    assert seen
    assert [w for w in (*names_there.split(), patient) if re.search(rf"\b{w}\b", sent, re.IGNORECASE)] == []
    invented = {line for text in EXAMPLES for line in re.findall(r"\b20\d\d-\d\d-\d\d\b", text)}
    moved = {d for d in re.findall(r"\b20\d\d-\d\d-\d\d\b", sent) if d in real - invented}
    assert len(moved) <= 1  # by chance a moved date may be another real one
    assert all(s.verified for s in answer.sentences)
    assert next(f for f in answer.fallbacks if f["name"] == "deidentified")["kinds"]["date"]


@pytest.mark.usefixtures("elsewhere")
def test_no_canary_of_a_generated_record_is_sent(demo: Book, tmp_path: Path) -> None:
    life, notes = records(1, 11, {"en": 1}, scale=0.008)[0]
    rows = [note(n.doc_id, n.text, n.time, patient_id="lc") for n in notes[:8]]
    canaries = {life.person.name, *life.person.name.split(), life.person.hospital, life.person.born.isoformat()}
    canaries |= set(load("people.toml")["en"]["doctors"])
    with serving(echo) as (url, seen), asking(demo, tmp_path, url, allow_remote=True) as book:
        put(book, tmp_path, *rows)
        for question in (
            "What is the creatinine?",
            "Which medicines does the patient take?",
            "Who signed the last note?",
        ):
            book.ask(question, patient="lc")
    sent = " ".join(m["content"] for body in seen for m in body["messages"])
    assert seen
    assert [c for c in sorted(canaries) if re.search(rf"\b{re.escape(c)}\b", sent)] == []


@pytest.mark.usefixtures("elsewhere")
def test_whoever_has_no_partition_must_say_that_nothing_is_hidden(demo: Book) -> None:
    settings = Settings(writer_url="http://127.0.0.1:9/v1", allow_remote=True)
    with pytest.raises(ModelRefused, match="de-identified"):
        unlimited(Engines(settings), settings)
    said = settings.model_copy(update={"deidentify": "off"})
    assert unlimited(Engines(said), said).writer is not None


@pytest.mark.usefixtures("elsewhere")
def test_models_for_other_work_on_a_partition_hide_as_a_question_does(demo: Book, tmp_path: Path) -> None:
    asked = ChatRequest((Message("user", NOTE),), 20, stage="direct")
    with serving(lambda _: chat("yes")) as (url, seen), asking(demo, tmp_path, url, allow_remote=True) as book:
        put(book, tmp_path, note("d2", NOTE, patient_id="q"))
        costs = []
        for _ in range(2):
            with book.models(patient="q") as models:
                assert models.writer is not None
                assert models.writer.chat(asked).text == "yes"
                costs.append(models.account.usage["direct"])
    assert [c for c in CANARIES if c in json.dumps(seen)] == []
    assert [(used.calls, used.cached) for used in costs] == [(1, 0), (0, 1)]


PAPER = {"doc_id": "p1", "author": "Wierzba K, Baumgarten L", "text": (
    "Warfarin dose was 5 mg every evening in the trial of wierzba and baumgarten. Quintela asked Dr. Quintela."
)}  # fmt: skip


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("most", [0, 1], ids=["too_large", "read"])
def test_a_collection_too_large_to_be_read_is_named_and_its_authors_are_known(
    most: int, demo: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(veils, "_MOST_DOCUMENTS", most)
    with serving(echo) as (url, seen), asking(demo, tmp_path, url, allow_remote=True) as book:
        (tmp_path / "papers.jsonl").write_text(json.dumps(PAPER), "utf-8")
        book.ingest(tmp_path / "papers.jsonl", collection="papers")
        answers = [book.ask("What was the warfarin dose of quintela?", collection="papers") for _ in range(2)]
    sent = json.dumps(seen)
    assert "arfarin dose was 5 mg" in sent
    assert [w for w in ("ierzba", "aumgarten") if w in sent] == []
    assert ("quintela" in sent) == (most == 0)
    assert [names(a).get("record_not_read_for_names") for a in answers] == [None if most else 1] * 2
    assert answers[0].to_dict() == answers[1].to_dict()
