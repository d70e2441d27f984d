"""Ingest, ask, verify; the source changes; verify says so."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from tests.e2e.conftest import CANARY, Command, make_notes, script

README = Path(__file__).parents[2] / "README.md"
QUESTION = "Why was metformin stopped?"


def test_an_answer_holds_until_its_note_changes(chartcite: Command) -> None:
    notes = make_notes(chartcite.home / "notes")
    first = chartcite("ingest", notes, "--patient-from", "folder", "--json", code=0).json
    assert (first["schema"], first["added"], first["failed"]) == ("chartcite.ledger/1", 3, 0)

    answered = chartcite("ask", QUESTION, "--patient", "p1", "--json", code=0)
    answer = answered.json
    assert answer["schema"] == "chartcite.answer/1"
    assert not answer["abstained"]
    assert answer["scope"] == {"patient": "p1"}
    sentence = answer["sentences"][0]
    assert sentence["verified"]
    cited = sentence["citations"][0]
    text = (notes / cited["doc_id"]).read_text("utf-8")
    assert text[cited["start"] : cited["end"]] == cited["quote"]
    assert "eGFR fell to 28" in cited["quote"]
    assert "timings_ms" not in answer
    assert chartcite("ask", QUESTION, "--patient", "p1", "--json").out == answered.out  # byte for byte

    saved = chartcite.home / "answer.json"
    saved.write_text(answered.out, "utf-8")
    assert "still hold" in chartcite("verify", saved, code=0).out

    note = notes / cited["doc_id"]
    note.write_text(text.replace("28", "38"), "utf-8")
    again = chartcite("ingest", notes, "--patient-from", "folder", "--json", code=0).json
    assert (again["added"], again["updated"], again["unchanged"]) == (0, 1, 2)

    checked = chartcite("verify", saved, "--json", code=7).json
    assert not checked["holds"]
    assert {p["problem"] for p in checked["sentences"][0]["citations"]} == {
        "text changed",
        "quote differs",
        "quote gone",
    }
    assert "no longer hold" in chartcite("verify", "-", stdin=answered.out, code=7).out
    assert chartcite.sockets == ""


def test_the_page_for_people(shared: Command) -> None:
    out = shared("ask", QUESTION, "-p", "p1", "--timings", code=0).out
    assert "[1]" in out
    assert "✓ matches the cited sentence" in out
    assert "p1/2019-03-02_progress-note.txt" in out
    assert "Searched 2 documents" in out
    assert "2019-03-02 to 2020-05-01" in out
    assert "Research use; not a medical device." in out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    env = {"COLUMNS": "40", "PYTHONIOENCODING": "ascii"}
    narrow = shared("ask", QUESTION, "-p", "p1", "--fail-on-abstain", env=env, code=0).out
    assert narrow.isascii()
    assert max(map(len, narrow.splitlines())) <= 40


def test_an_abstention_has_its_own_code_only_if_asked_for(shared: Command) -> None:
    question = ("ask", "Does she have a pacemaker?", "-p", "p1")
    out = shared(*question, code=0).out
    assert "Not mentioned: none of 2 notes" in out
    assert "Looked for: pacemaker" in out
    assert shared(*question, "--json", "--fail-on-abstain", code=6).json["reason"] == "not_mentioned"


def test_questions_from_stdin_with_a_narrative_as_of_a_date(shared: Command) -> None:
    story = shared.home / "story.txt"
    story.write_text("My mother has had clots before and I worry about her pills.", "utf-8")
    options = ("-p", "p1", "--narrative", story, "--as-of", "2019-12", "--json", "--timings")
    answer = shared("ask", "-", *options, stdin="What is the warfarin dose?\n", code=0).json
    assert answer["question"] == "What is the warfarin dose?"
    assert answer["searched"]["documents"] == 1
    assert answer["as_of"]
    assert answer["timings_ms"]
    assert all("4 mg" in s["text"] for s in answer["sentences"])


def test_search_by_each_method(shared: Command) -> None:
    found = shared("search", "warfarin dose", "-p", "p1", "-k", "2", "--json", code=0).json
    assert (found["schema"], found["method"], found["rerank"]) == ("chartcite.search/1", "hybrid", "fused")
    assert [hit["rank"] for hit in found["hits"]] == [1, 2]
    for hit in found["hits"]:
        text = (shared.home / "notes" / hit["doc_id"]).read_text("utf-8")
        assert text[hit["start"] : hit["end"]] == hit["text"]
    lexical = shared("search", "metformin", "-c", "guides", "--method", "lexical", "--rerank", "none", "--json", code=0)
    assert [hit["lists"].keys() for hit in lexical.json["hits"]] == [{"lexical": 0}.keys()]
    assert "1. Progress note · 2019-03-02" in shared("search", "warfarin lowered", "-p", "p1", code=0).out


def test_an_adhoc_corpus_and_a_trec_run(shared: Command, tmp_path: Path) -> None:
    corpus, queries, run = tmp_path / "corpus.jsonl", tmp_path / "queries.tsv", tmp_path / "run.txt"
    corpus.write_text('{"id": "a", "text": "Warfarin 5 mg."}\n{"id": "b", "text": "Left knee replaced."}\n', "utf-8")
    queries.write_text('q1\twarfarin dose\n{"id": "q2", "text": "knee"}\n', "utf-8")
    shared("search", "--corpus", corpus, "--queries", queries, "--run-out", run, code=0)
    rows = [line.split(" ") for line in run.read_text("utf-8").splitlines()]
    assert all(len(row) == 6 and row[1] == "Q0" and row[5] == "chartcite" for row in rows)
    assert [(row[0], row[2]) for row in rows if row[3] == "1"] == [("q1", "a"), ("q2", "b")]
    assert shared("search", "--corpus", corpus, "knee", "-k", "1", "--json", code=0).json["hits"][0]["doc_id"] == "b"
    with corpus.open("a") as file:
        file.write("{broken\n")
    partly = shared("search", "--corpus", corpus, "knee", "--json", code=4)
    assert partly.json["hits"][0]["doc_id"] == "b"
    assert "corpus.jsonl#3" in partly.err


def test_sentences_and_facts(shared: Command) -> None:
    note = shared.home / "notes" / "p1" / "2019-03-02_progress-note.txt"
    text = note.read_text("utf-8")
    seen = shared("sentences", note, "--json", code=0).json
    assert all(text[s["start"] : s["end"]] == s["text"] for s in seen["sentences"])
    assert "".join("".join(s["text"].split()) for s in seen["sentences"]) == "".join(text.split())
    facts = shared("facts", note, "--json", code=0).json["sentences"]
    dose = next(q for s in facts for q in s["quantities"] if q["kind"] == "value" and q["unit"] == "mg")
    assert (dose["low"], dose["high"], text[dose["start"] : dose["end"]]) == (4, 4, "4 mg")
    negated = [part["text"] for s in facts for a in s["assertions"] if a["kind"] == "negation" for part in a["scope"]]
    assert negated == ["fever"]
    assert "absent" in shared("facts", note, code=0).out


def test_claims_against_sources(shared: Command, tmp_path: Path) -> None:
    claims, sources = tmp_path / "claims.jsonl", tmp_path / "sources.jsonl"
    sources.write_text('{"id": "s1", "text": "Warfarin 5 mg every evening."}\n', "utf-8")
    rows = ['{"id": "c1", "claim": "Warfarin 5 mg.", "citations": ["s1"]}']
    rows += ['{"id": "c2", "claim": "Warfarin 50 mg.", "citations": ["s1"]}', "{broken"]
    claims.write_bytes("\n".join(rows).encode() + b"\n\xff\xfe\n")
    out = shared("verify", claims, "--sources", sources, "--json", code=0).out
    results = [json.loads(line) for line in out.splitlines()]
    assert [(r["id"], r["verified"]) for r in results] == [("c1", True), ("c2", False), (None, False), (None, False)]
    assert results[1]["vetoes"][0]["kind"] == "number"
    assert "Claims need their sources" in shared("verify", claims, code=2).err


def test_patients_are_listed_and_deleted_after_a_second_look(copied: Command) -> None:
    chartcite = copied
    listed = chartcite("patients", "list", "--json", code=0)
    assert [(p["id"], p["documents"], p["first"]) for p in listed.json["patients"]] == [
        ("p1", 2, "2019-03-02"),
        ("p2", 1, "2021-01-01"),
    ]
    assert CANARY not in listed.out
    for typed in ("", "p2\n"):
        assert "Nothing was deleted" in chartcite("patients", "delete", "p1", stdin=typed, code=2).err
    gone = chartcite("patients", "delete", "p1", stdin="p1\n", code=0)
    assert gone.out == "Deleted: 2 documents.\n"
    chartcite("patients", "delete", "p2", "--yes", "--json", code=0)
    chartcite("patients", "delete", "--collection", "guides", "--yes", code=0)
    assert CANARY.encode() not in b"".join(p.read_bytes() for p in chartcite.store.iterdir())
    assert "empty" in chartcite("patients", "list", code=0).out


def test_an_index_for_other_settings(copied: Command) -> None:
    other = ("--set", "splitter=fixed")
    assert "chartcite index" in copied("ask", QUESTION, "-p", "p1", *other, code=1).err
    made = copied("index", "-p", "p1", *other, "--json", code=0).json
    assert (made["unchanged"], made["failed"], len(made["sources"])) == (2, 0, 1)
    assert not copied("ask", QUESTION, "-p", "p1", *other, "--json", code=0).json["abstained"]
    assert copied("index", "-p", "nobody", code=2).err.startswith("error: The store has no such patient.")


def test_a_dry_run_stores_nothing(chartcite: Command) -> None:
    notes = make_notes(chartcite.home / "notes")
    found = chartcite("ingest", notes, "--patient-from", "folder", "--dry-run", "--json", code=0).json
    assert found["partitions"] == [{"patient": "p1", "documents": 2}, {"patient": "p2", "documents": 1}]
    assert not chartcite.store.exists()
    assert chartcite("ingest", notes, "--dry-run", code=4).out.count("The document names no patient.") == 3


def test_a_column_map(chartcite: Command) -> None:
    (chartcite.home / "n.csv").write_text("nid,pid,body\n7,p9,Warfarin 5 mg every evening.\n", "utf-8")
    (chartcite.home / "map.toml").write_text('doc_id = "nid"\npatient_id = "pid"\ntext = "body"\n', "utf-8")
    chartcite("ingest", chartcite.home / "n.csv", "--map", chartcite.home / "map.toml", code=0)
    assert chartcite("patients", "list", "--json").json["patients"][0]["id"] == "p9"
    (chartcite.home / "map.json").write_text('{"columns": {"colour": "x"}}', "utf-8")
    assert "no field called 'colour'" in chartcite("ingest", "n.csv", "--map", "map.json", code=2).err


def test_the_demo_needs_no_configuration_and_leaves_nothing(chartcite: Command, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    env = {"TMPDIR": str(tmp_path / "tmp"), "CHARTCITE_STORE": "", "CHARTCITE_TOP_K": "nonsense"}
    out = chartcite("demo", env=env, code=0).out
    assert out.count("✓ matches the cited sentence") >= 3
    assert "Not mentioned: none of" in out
    shown = README.read_text("utf-8").split("`make demo` prints:")[1].split("```")[1]
    assert {line.strip("─ ") for line in shown.splitlines()} <= {line.strip("─ ") for line in out.splitlines()}
    assert "Done in" in out
    assert [p.name for p in (tmp_path / "tmp").iterdir() if "chartcite" in p.name] == []
    assert not chartcite.store.exists()
    assert chartcite.sockets == ""


def test_the_doctor(shared: Command) -> None:
    found = shared("doctor", "--json", code=0).json
    assert found["ok"]
    assert {c["name"]: c["status"] for c in found["checks"]}["vectors"] == "ok"
    assert "p1" not in str(found)
    broken = shared.home / "broken"
    broken.mkdir(exist_ok=True)
    (broken / "chartcite.sqlite3").write_bytes(b"no database at all" * 100)
    assert shared("doctor", "--store", broken, code=1).out.count("fail") >= 1


def test_version_config_and_completion(shared: Command) -> None:
    assert shared("--version", code=0).out.startswith("chartcite ")
    settings = shared("config", "show", "--json", "--set", "top_k=3", code=0).json["settings"]
    assert settings["store"]["origin"] == "environment CHARTCITE_STORE"
    assert settings["top_k"] == {"value": 3, "origin": "--set"}
    assert "bm25_k1" in shared("config", "show", code=0).out
    assert (
        "_CHARTCITE_COMPLETE"
        in shared("--show-completion", "bash").out + shared(env={"_CHARTCITE_COMPLETE": "source_bash"}).out
    )


def test_a_reader_that_has_seen_enough(shared: Command) -> None:
    head = f"{script()} ask '{QUESTION}' -p p1 --json | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", head], env=shared.environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_ingest_keeps_what_it_has_and_resumes(chartcite: Command, number: int, code: int) -> None:
    rows = [
        f'{{"doc_id": "d{n}", "patient_id": "p{n % 3}", "text": "Note {n}: {CANARY} weighs {n} kg and sings."}}\n'
        for n in range(3000)
    ]
    (chartcite.home / "many.jsonl").write_text("".join(rows), "utf-8")
    # What a shell runs in the background ignores SIGINT, and so would its children.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [script(), "ingest", "many.jsonl", "--json"],
        env=chartcite.environment(), cwd=chartcite.home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    signal.signal(signal.SIGINT, before)
    deadline = time.monotonic() + 60
    while not _documents(chartcite) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=500)
    assert process.returncode == code
    assert out == ""
    assert "Traceback" not in err
    if number == signal.SIGINT:
        assert err.strip() == "interrupted: what was committed stays, and the same command resumes"
    kept = _documents(chartcite)
    assert 0 < kept < 3000
    (chartcite.home / "many.jsonl").write_text("".join(rows[: kept + 5]), "utf-8")
    again = chartcite("ingest", "many.jsonl", "--json", code=0).json
    assert again["unchanged"] == kept
    assert again["added"] == 5


def _documents(command: Command) -> int:
    if not (command.store / "chartcite.sqlite3").exists():
        return 0
    with sqlite3.connect(command.store / "chartcite.sqlite3") as connection:
        try:
            return int(connection.execute("SELECT COUNT(*) FROM documents").fetchone()[0])
        except sqlite3.OperationalError:
            return 0
