"""Bad input: a named error or a ledger line with reason and advice, the right exit code, and nothing of a note in it.

That no run ends in a traceback or shows the canary on stderr is asserted for every run, in `Command`.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.conftest import CANARY, Command, Done, new_command

Batch = tuple[Command, dict[str, list[dict[str, Any]]], str]
NOTE = f"Warfarin 5 mg every evening, the {CANARY} said.".encode()
ROW = b'{"doc_id": "d1", "patient_id": "p1", "text": "' + NOTE + b'"}\n'
PDF = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n" + NOTE

# name of the file, its bytes, and words of the reason
BROKEN = [
    ("note.bin", bytes(range(256)) * 64 + NOTE, "format"),
    ("photo.jpg", b"\xff\xd8\xff\xe0" + NOTE, "OCR"),
    ("empty.txt", b"", "empty"),
    ("blank.txt", b" \n\t\n", "no text"),
    ("cut.jsonl.gz", gzip.compress(ROW * 50)[:-20], "gzip"),
    ("notes.csv", b'doc_id,patient_id,text\nd1,p1,"' + NOTE, "quote"),
    ("notes.jsonl", ROW + b'{"doc_id": "d2", "text": "' + NOTE + b"\n", "JSON"),
    ("bundle.json", b'{"resourceType": "Bundle", "entry": [' + NOTE, "JSON"),
    ("letter.pdf", PDF, "PDF"),
    ("nobody.jsonl", b'{"doc_id": "d3", "text": "' + NOTE + b'"}\n', "names no patient"),
    ("typed.jsonl", b'{"doc_id": "d4", "patient_id": "p1", "text": {"' + CANARY.encode() + b'": 1}}\n', "object"),
]  # fmt: skip


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """All broken files in one folder with two good ones, ingested in one go."""
    command = new_command(tmp_path_factory.mktemp("batch"))
    folder = command.home / "batch"
    folder.mkdir()
    for name, data, _ in BROKEN:
        (folder / name).write_bytes(data)
    for name in ("a-good.jsonl", "z-good.jsonl"):
        (folder / name).write_bytes(ROW.replace(b"d1", name.encode()))
    (folder / "dangling.txt").symlink_to(folder / "nothing-here")
    run = command("ingest", folder, "--json", code=4)
    assert CANARY not in run.out
    return command, {s["source"]: s["problems"] for s in run.json["sources"]}, run.out


@pytest.mark.parametrize(("name", "reason"), [(name, reason) for name, _, reason in BROKEN])
def test_each_broken_source_is_a_ledger_line(batch: Batch, name: str, reason: str) -> None:
    problems = batch[1][name]
    assert problems, name
    assert any(reason.lower() in p["reason"].lower() for p in problems), problems
    assert all(p["kind"] and (p["where"].startswith(name) or p["where"] == "d3") for p in problems), problems


def test_nothing_else_of_the_batch_is_lost(batch: Batch) -> None:
    command, problems, _ = batch
    assert problems["a-good.jsonl"] == problems["z-good.jsonl"] == []
    assert problems["dangling.txt"][0]["kind"] == "UnreadableSource"
    assert command("ask", "What is the warfarin dose?", "-p", "p1", "--json", code=0).json["sentences"]


def test_people_see_reason_and_advice(batch: Batch) -> None:
    command, _, _ = batch
    again = command("ingest", command.home / "batch", code=4)
    assert CANARY not in again.out
    assert "Failed (" in again.out
    assert "try: Use --patient ID, --patient-from folder, or --collection NAME." in " ".join(again.out.split())
    assert again.err == ""


TABLE: list[tuple[tuple[str, ...], int, str]] = [
    (("ingest", "missing/path"), 2, "There is nothing at missing/path"),
    (("ingest", "empty"), 2, "There is no file in the given folders"),
    (("ingest", "notes", "-p", "p1", "-c", "guides"), 2, "exclude one another"),
    (("ingest", "notes", "-p", " p1"), 2, "white space"),
    (("ingest", "notes", "-p", ""), 2, "The patient name is empty"),
    (("ingest", "notes", "-p", "p1", "--jobs", "-1"), 3, "--jobs"),
    (("ingest", "notes", "-p", "p1", "--encoding", "klingon"), 2, "character set"),
    (("ingest", "notes", "-p", "p1", "--map", "nothing"), 2, "nothing: No such file"),
    (("ask", "Dose?", "-p", "nobody"), 2, "no such patient"),
    (("ask", "Dose?", "-p", "P1"), 2, "no such patient"),
    (("ask", "Dose?", "-p", "*"), 2, "no such patient"),
    (("ask", "Dose?", "-c", "nothing"), 2, "no such collection"),
    (("ask", "Dose?"), 2, "No patient and no collection"),
    (("ask", "Dose?", "-p", "p1", "-c", "guides"), 2, "both named"),
    (("ask", "", "-p", "p1"), 2, "The question is empty"),
    (("ask", " \n ", "-p", "p1"), 2, "The question is empty"),
    (("ask", "Dose?", "-p", "p1", "--as-of", "2021-02-30"), 2, "not one of the calendar"),
    (("ask", "Dose?", "-p", "p1", "--narrative", "nothing"), 2, "nothing: No such file"),
    (("ask", "Dose?", "-p", "p1", "--preset", "archehr"), 3, "no preset called 'archehr'"),
    (("ask", "Dose?", "-p", "p1", "--set", "colour=red"), 3, "no setting called 'colour'"),
    (("ask", "Dose?", "-p", "p1", "--set", "encoder=onnx_folder:/nowhere"), 3, "/nowhere does not exist"),
    (("ask", "Dose?", "-p", "p1", "--config", "nothing"), 3, "cannot be read"),
    (("ask", "Dose?", "-p", "p1", "--store", "nowhere"), 1, "There is no chartcite store"),
    (("search", "dose", "-p", "p1", "--method", "magic"), 3, "no method called 'magic'"),
    (("search", "dose", "-p", "p1", "--rerank", "magic"), 3, "--rerank"),
    (("search", "--corpus", "notes", "dose"), 2, "is a folder"),
    (("search", "--corpus", "nothing", "dose"), 2, "There is nothing at nothing"),
    (("search", "--queries", "nothing", "-p", "p1"), 2, "nothing: No such file"),
    (("verify", "nothing"), 2, "nothing: No such file"),
    (("verify", "guide.md"), 2, "not valid JSON"),
    (("verify", "guide.md", "--sources", "guide.md"), 2, "Line 1 of the sources"),
    (("sentences", "nothing"), 2, "There is nothing at nothing"),
    (("facts", "notes"), 2, "notes is a folder"),
    (("patients", "delete", "nobody"), 2, "no such patient"),
]

# One process for all rows, for each row is over in a moment; the installed script itself is run everywhere else.
DRIVER = """
import contextlib, io, json, sys
from chartcite.app.cli.main import main
for arguments in json.loads(sys.argv[1]):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    texts = [stream.seek(0) or stream.read() for stream in (out, err)]
    print(json.dumps([code, *texts]))
"""


@pytest.fixture(scope="module")
def outcomes(shared: Command) -> list[Done]:
    """What each row of the table came to."""
    (shared.home / "empty").mkdir(exist_ok=True)
    rows = json.dumps([arguments for arguments, _, _ in TABLE])
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, rows],
        env=shared.environment(), cwd=shared.home, capture_output=True, text=True, check=True, timeout=500,
    )  # fmt: skip
    return [Done(*json.loads(line)) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("row", range(len(TABLE)), ids=lambda row: " ".join(TABLE[row][0]).strip())
def test_the_table(outcomes: list[Done], row: int) -> None:
    _, code, said = TABLE[row]
    run = outcomes[row]
    assert (run.code, run.out) == (code, "")
    assert said in run.err
    assert run.err.startswith("error: ")
    assert len(run.err.splitlines()) == 2, run.err
    assert CANARY not in run.err


def test_a_question_of_a_megabyte(shared: Command) -> None:
    run = shared("ask", "-", "-p", "p1", stdin=f"{CANARY} " * 100_000, code=2)
    assert "more than 20,000 characters" in run.err
    assert shared("ask", "-", "-p", "p1", stdin=b"\x00\x01\x02" * 1000, code=2).err.startswith("error: ")


def test_a_setting_that_does_not_exist_by_each_way(shared: Command, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("colour = 1\n", "utf-8")
    assert "c.toml" in shared("config", "show", "--config", tmp_path / "c.toml", code=3).err
    assert "CHARTCITE_COLOUR" in shared("config", "show", env={"CHARTCITE_COLOUR": "1"}, code=3).err


def test_a_store_of_a_newer_version(copied: Command) -> None:
    with closing(sqlite3.connect(copied.store / "chartcite.sqlite3")) as connection:
        connection.execute("PRAGMA user_version=99")
    for arguments in (("ask", "Dose?", "-p", "p1"), ("patients", "list"), ("ingest", "notes", "-p", "p1")):
        assert "written by a later chartcite" in copied(*arguments, code=1).err


def test_a_locked_store(copied: Command) -> None:
    with closing(sqlite3.connect(copied.store / "chartcite.sqlite3", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert copied("patients", "list", code=0).out  # readers do not wait for writers
        assert "Another process is writing" in copied("patients", "delete", "p1", "--yes", code=1).err  # after 10 s
    copied("patients", "delete", "p1", "--yes", code=0)


def test_a_store_that_is_something_else(shared: Command, tmp_path: Path) -> None:
    (tmp_path / "chartcite.sqlite3").write_bytes(NOTE * 100)
    assert "damaged" in shared("ask", "Dose?", "-p", "p1", "--store", tmp_path, code=1).err
    with closing(sqlite3.connect(tmp_path / "other.sqlite3")) as connection:
        connection.execute("CREATE TABLE t (x)")
    (tmp_path / "other.sqlite3").replace(tmp_path / "chartcite.sqlite3")
    assert "not a chartcite store" in shared("patients", "list", "--store", tmp_path, code=1).err


def test_a_store_where_nothing_can_be_written(shared: Command, tmp_path: Path) -> None:
    for place in ("/proc/chartcite", tmp_path / "file" / "store"):
        (tmp_path / "file").write_text("x", "utf-8")
        run = shared("ingest", "notes", "--patient-from", "folder", "--store", place, code=1)
        assert "cannot be made" in run.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write and read everything")
def test_no_permission(chartcite: Command) -> None:
    folder = chartcite.home / "locked"
    folder.mkdir(mode=0o500)
    (chartcite.home / "n.txt").write_bytes(NOTE)
    assert "cannot be" in chartcite("ingest", "n.txt", "-p", "p1", "--store", folder / "store", code=1).err
    (chartcite.home / "n.txt").chmod(0)
    assert "permission" in chartcite("ingest", "n.txt", "-p", "p1", code=4).out


def test_a_full_disk_for_the_output(shared: Command) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "chartcite.app.cli.main", "patients", "list"],
            stdout=full, stderr=subprocess.PIPE, env=shared.environment(), text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("error: The operating system refused: No space left on device.")
    assert "Traceback" not in done.stderr


def test_the_guard_against_sockets_works(shared: Command, tmp_path: Path) -> None:
    env = shared.environment({"NO_SOCKETS_LOG": str(tmp_path / "log")})
    for code in ("import socket; socket.create_connection(('192.0.2.1', 80))", "import socket; socket.socket()"):
        assert subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False).returncode == 1
    assert (tmp_path / "log").read_text("utf-8")
