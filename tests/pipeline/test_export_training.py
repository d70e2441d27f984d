"""`lab export-training`: chats of verified answers, in the form trainers read, split by patient, de-identified."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.test_small_records import note, put
from tests.scripted_server import Said, chat, serving

from chartcite.core.errors import UsageError
from chartcite.lab.training.export import SCHEMA, STAGES, How, export_training
from chartcite.lab.training.questions import Asked, of_file
from chartcite.lab.training.teacher import RulesTeacher
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.models.files import sha256_of

PATIENTS = ("ottoline-grabowski", "lorcan-hartwell", "sunniva-dahl", "casimir-ott")
NOTE = "Seen by Dr. Hartigan on 2019-03-02. Warfarin dose is {dose} mg every evening. INR was 2.{dose}. No bleeding."
QUESTION = "What is the warfarin dose?"


def exported(demo: Book, folder: Path, how: How, asked: list[Asked] | None = None) -> tuple[dict[str, Any], Path]:
    with Book(folder / "store", engines=demo.engines) as book:
        rows = [note(f"d{n}", NOTE.format(dose=n + 2), "2019-03-02", patient_id=p) for n, p in enumerate(PATIENTS)]
        put(book, folder, *rows)
    settings = Settings()
    engines = Engines(settings)
    for name in ("encoder", "reranker"):
        engines.__dict__[name] = getattr(demo.engines, name)
    questions = asked or [Asked(QUESTION, patient) for patient in PATIENTS]
    return export_training(folder / "store", questions, settings, folder / "out", how, engines), folder / "out"


def chats(out: Path, stage: str, split: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / f"{stage}.{split}.jsonl").read_text("utf-8").splitlines()]


def test_the_form_of_the_files(demo: Book, tmp_path: Path) -> None:
    manifest, out = exported(demo, tmp_path, How(dev_share=0.5))
    assert manifest == json.loads((out / "manifest.json").read_text("utf-8"))
    assert manifest["schema"] == SCHEMA
    assert "patients" in manifest["warning"]
    assert manifest["deidentified"]
    for name, file in manifest["files"].items():
        assert sha256_of(out / name) == file["sha256"]
        assert (out / name).stat().st_mode & 0o077 == 0
    for stage in STAGES:
        rows = chats(out, stage, "train") + chats(out, stage, "dev")
        assert len(rows) == len(PATIENTS), stage
        for row in rows:
            assert list(row) == ["messages"]
            assert [m["role"] for m in row["messages"]] == ["system", "user", "assistant"]
            assert all(set(m) == {"role", "content"} and m["content"].strip() for m in row["messages"])
            assert isinstance(json.loads(row["messages"][-1]["content"]), dict)


def test_what_the_stages_say_is_what_the_rules_say(demo: Book, tmp_path: Path) -> None:
    _, out = exported(demo, tmp_path, How(dev_share=0.0, real_text=True))
    for n, row in enumerate(chats(out, "write", "train")):
        said = json.loads(row["messages"][-1]["content"])["sentences"]
        assert [s["text"] for s in said] == [f"Warfarin dose is {n + 2} mg every evening."]
        assert all(f"{source}: 2019-03-02" in row["messages"][1]["content"] for s in said for source in s["sources"])
    for row in chats(out, "score", "train"):
        assert max(json.loads(row["messages"][-1]["content"]).values()) >= 4
    for row in chats(out, "align", "train"):
        assert json.loads(row["messages"][-1]["content"])["links"][0]["sources"]


def test_a_patient_is_in_one_split_and_named_nowhere(demo: Book, tmp_path: Path) -> None:
    twice = [Asked(question, patient) for patient in PATIENTS for question in (QUESTION, "Was there bleeding?")]
    manifest, out = exported(demo, tmp_path, How(dev_share=0.5), twice)
    doses = {split: {d for row in chats(out, "interpret", split) for d in row} for split in ("train", "dev")}
    assert doses
    by_split = {
        split: {
            d
            for row in chats(out, "score", split)
            for d in "3456"
            if f"dose is {d} mg" in row["messages"][1]["content"]
        }
        for split in ("train", "dev")
    }
    assert not by_split["train"] & by_split["dev"]
    everything = "".join((out / name).read_text("utf-8") for name in manifest["files"])
    for canary in ("Hartigan", "2019-03-02", *(part for p in PATIENTS for part in p.split("-") if len(part) > 3)):
        assert canary not in everything


def test_only_verified_answers(demo: Book, tmp_path: Path) -> None:
    asked = [Asked("Which antibiotic was given for the abscess?", PATIENTS[0]), Asked(QUESTION, "nobody")]
    manifest, _ = exported(demo, tmp_path, How(), asked)
    assert not any(file["rows"] for file in manifest["files"].values())
    assert manifest["left_out"] == {"UnknownPartition": 1, "not_answered_or_not_verified": 1}


def test_a_teacher_without_an_answer_says_nothing(tmp_path: Path) -> None:
    assert RulesTeacher(100).answer is None
    for lines in ('{"question": "x"}', '{"question": "", "patient": "p"}'):
        (tmp_path / "q.jsonl").write_text(lines)
        with pytest.raises(UsageError):
            of_file(tmp_path / "q.jsonl")


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    asked = [Asked(QUESTION, "p")]
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    for questions, out, how in (
        ([], tmp_path / "o", How()),
        (asked, tmp_path / "full", How()),
        (asked, tmp_path / "o", How(stages=("judge",))),
        (asked, tmp_path / "o", How(by_rules=False)),
    ):
        with pytest.raises(UsageError):
            export_training(tmp_path, questions, Settings(), out, how)


def test_a_model_as_teacher_is_noted_in_real_text_and_only_where_it_was_borne_out(demo: Book, tmp_path: Path) -> None:
    def reply(body: dict[str, Any]) -> Said:
        system, asked = body["messages"][0]["content"], body["messages"][-1]["content"]
        if '"scores"' in system or "S1" in system:
            return chat(json.dumps({f"S{n}": 5 for n in re.findall(r"^S(\d+):", asked, re.MULTILINE)}))
        if '"links"' in system:
            return chat('{"links": [{"answer": "A1", "sources": ["E1"]}]}')
        if '"query"' in system:
            return chat('{"query": "What is the warfarin dose?"}')
        dose = "99" if "dose is 3" in asked else re.findall(r"dose is (\d+) mg", asked)[0]
        sentence = {"text": f"Warfarin dose is {dose} mg every evening.", "sources": ["E1"]}
        return chat(json.dumps({"sentences": [sentence]}))

    with Book(tmp_path / "store", engines=demo.engines) as book:
        put(book, tmp_path, *(note("d", NOTE.format(dose=n) + " Dr. Hartigan.", patient_id=f"p{n}") for n in (3, 4)))
    with serving(reply) as (url, _):
        settings = Settings(writer_url=url, writer_model="taught", deidentify="always")
        engines = Engines(settings)
        for name in ("encoder", "reranker"):
            engines.__dict__[name] = getattr(demo.engines, name)
        how = How(by_rules=False, real_text=True, dev_share=0.0)
        asked = [Asked(QUESTION, "p3"), Asked(QUESTION, "p4")]
        manifest = export_training(tmp_path / "store", asked, settings, tmp_path / "out", how, engines)
    assert manifest["teacher"] == "taught"
    written = chats(tmp_path / "out", "write", "train")
    assert ["4 mg every" in row["messages"][-1]["content"] for row in written] == [True]
    assert manifest["left_out"]["write_not_verified"] >= 1
